"""The search index is only a cache: damage and other processes do not stop a search."""

from __future__ import annotations

import random
import sqlite3

import pytest

from agent_memory.base.errors import UsageError
from agent_memory.entries.markdown_store import MarkdownEntries
from agent_memory.entries.validation import Draft
from agent_memory.recall import database, fts_index
from agent_memory.recall.database import index_path
from agent_memory.recall.engine import Recall
from entry_kit import indexed, on_disk, random_entries


@pytest.mark.parametrize("content", [b"not a database, but long enough to be looked at" * 9, b""])
def test_damaged_index_is_recreated(tmp_path, content):
    store = MarkdownEntries(tmp_path / "store")
    store.put(Draft("global", "user", "alpha", "b"))
    index = tmp_path / "index.sqlite3"
    index.write_bytes(content)
    assert len(indexed(store.root, index).search("alpha")) == 1


@pytest.mark.parametrize(
    ("code", "damaged"),
    [
        (sqlite3.SQLITE_CORRUPT, True),
        (sqlite3.SQLITE_BUSY, False),
        (sqlite3.SQLITE_BUSY_SNAPSHOT, False),
        (sqlite3.SQLITE_LOCKED_SHAREDCACHE, False),
        (sqlite3.SQLITE_FULL, False),
        (sqlite3.SQLITE_IOERR_WRITE, False),
        (sqlite3.SQLITE_NOMEM, False),
        (sqlite3.SQLITE_READONLY_DBMOVED, False),
        (None, False),
    ],
)
def test_an_index_that_is_locked_or_cannot_be_written_is_not_damaged(code, damaged):
    error = sqlite3.DatabaseError()
    error.sqlite_errorcode = code
    assert database.is_damage(error) is damaged


@pytest.mark.parametrize("when", ["opened", "open"])
def test_damage_inside_the_index_is_detected(tmp_path, when):
    entries = random_entries(random.Random(3), 600)
    root, index = on_disk(tmp_path / "store", entries), tmp_path / "index.sqlite3"
    recall = indexed(root, index)
    expected = [hit.entry.id for hit in recall.search("deploy staging")]
    recall.close()
    if when == "open":
        recall = indexed(root, index)
        with sqlite3.connect(index) as db:
            db.execute("DROP TABLE docs")
    else:
        head, rest = index.read_bytes()[: 4096 * 3], index.stat().st_size - 4096 * 3
        index.write_bytes(head + random.Random(1).randbytes(rest))
        recall = indexed(root, index)
    assert [hit.entry.id for hit in recall.search("deploy staging")] == expected
    assert [hit.entry.id for hit in indexed(root, index).search("deploy staging")] == expected


def test_full_disk_does_not_stop_the_search(tmp_path, monkeypatch):
    entries = random_entries(random.Random(3), 60)
    root = on_disk(tmp_path / "store", entries)
    expected = [hit.entry.id for hit in Recall(root).search("deploy staging")]
    connected = database.connect

    def small(path):
        db = connected(path)
        if path is not None:
            db.execute("PRAGMA max_page_count = 12")
        return db

    monkeypatch.setattr(fts_index, "connect", small)
    recall = indexed(root, tmp_path / "index.sqlite3")
    assert [hit.entry.id for hit in recall.search("deploy staging")] == expected


def test_index_of_another_version_is_recreated(tmp_path):
    store = MarkdownEntries(tmp_path / "store")
    store.put(Draft("global", "user", "alpha", "b"))
    index = tmp_path / "index.sqlite3"
    db = sqlite3.connect(index)
    db.execute("PRAGMA user_version = 99")
    db.close()
    assert len(indexed(store.root, index).search("alpha")) == 1


def test_search_works_without_a_cache_folder(tmp_path):
    store = MarkdownEntries(tmp_path / "store")
    store.put(Draft("global", "user", "alpha", "b"))
    (tmp_path / "cache").write_text("a file")
    recall = Recall.open(store.root, {"XDG_CACHE_HOME": str(tmp_path / "cache")})
    assert len(recall.search("alpha")) == 1


def test_index_is_private_to_the_user(tmp_path):
    store = MarkdownEntries(tmp_path / "store")
    store.put(Draft("global", "user", "alpha", "b"))
    env = {"XDG_CACHE_HOME": str(tmp_path / "cache")}
    path = index_path(store.root, env)
    indexed(store.root, path).close()
    assert path.is_relative_to(tmp_path / "cache" / "agent-memory")
    assert path.stat().st_mode & 0o077 == 0


def test_changes_by_another_process_are_found(tmp_path):
    store = MarkdownEntries(tmp_path / "store")
    first = store.put(Draft("global", "user", "alpha", "b"))
    mine = indexed(store.root, tmp_path / "index.sqlite3")
    other = indexed(store.root, tmp_path / "index.sqlite3")
    second = store.put(Draft("global", "user", "beta", "b"))
    store.put(Draft("global", "user", "gamma", "b", id=first.id))
    other.refresh()
    assert [hit.entry.id for hit in mine.search("beta")] == [second.id]
    assert mine.search("alpha") == []
    third = store.put(Draft("global", "user", "delta", "b"))
    other.refresh()
    store.forget(second.id)
    mine.update(second.path)
    assert mine.search("beta") == []
    assert [hit.entry.id for hit in mine.search("delta")] == [third.id]


def test_change_seen_by_two_processes_is_indexed_once(tmp_path, monkeypatch):
    store = MarkdownEntries(tmp_path / "store")
    first = store.put(Draft("global", "user", "alpha", "b"))
    mine, other = (indexed(store.root, tmp_path / "index.sqlite3") for _ in range(2))
    store.put(Draft("global", "user", "beta", "b", id=first.id))
    seen = fts_index.changes

    def overtaken(*args):
        monkeypatch.setattr(fts_index, "changes", seen)
        found = seen(*args)
        other.refresh()
        return found

    monkeypatch.setattr(fts_index, "changes", overtaken)
    mine.refresh()
    for recall in (mine, other, indexed(store.root, tmp_path / "index.sqlite3")):
        assert [hit.entry.id for hit in recall.search("beta")] == [first.id]
        assert recall.search("alpha") == []
    with sqlite3.connect(tmp_path / "index.sqlite3") as db:
        assert db.execute("SELECT count(*) FROM docs").fetchone() == (1,)
        db.execute("INSERT INTO found(found) VALUES ('integrity-check')")


def test_locked_index_is_neither_deleted_nor_waited_for(tmp_path, monkeypatch):
    monkeypatch.setattr(database, "WAIT_SECONDS", 0.05)
    store = MarkdownEntries(tmp_path / "store")
    store.put(Draft("global", "user", "alpha", "b"))
    index = tmp_path / "index.sqlite3"
    mine = indexed(store.root, index)
    holder = sqlite3.connect(index, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    store.put(Draft("global", "user", "beta", "b"))
    with pytest.raises(UsageError, match="another program"):
        mine.refresh()
    assert len(mine.search("alpha")) == 1
    assert len(indexed(store.root, index).search("beta")) == 1
    holder.execute("ROLLBACK")
    mine.refresh()
    assert len(mine.search("beta")) == 1
