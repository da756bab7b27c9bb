"""Changes on disk are found, with and without an index, and both return the same results."""

from __future__ import annotations

import os
import random
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent_memory.base.ulid import new_ulid
from agent_memory.entries.entry_file import Entry, render
from agent_memory.entries.markdown_store import MarkdownEntries
from agent_memory.entries.store import Filter
from agent_memory.entries.validation import Draft
from agent_memory.recall import engine, file_scan, fts_index
from agent_memory.recall.engine import RANKINGS, Recall
from entry_kit import drover_search, indexed, on_disk, random_entries
from kit import write

pytestmark = pytest.mark.slow


@pytest.fixture(params=["in memory", "on disk"])
def opened(request, tmp_path):
    """Return a function that opens the search of a folder, with its index in memory or on disk."""
    if request.param == "in memory":
        return Recall
    return lambda root: indexed(root, tmp_path / "index.sqlite3")


@pytest.fixture
def store(tmp_path):
    return MarkdownEntries(tmp_path / "store")


def test_update_reads_one_file(store, opened):
    first = store.put(Draft("global", "user", "alpha", "b"))
    recall = opened(store.root)
    second = store.put(Draft("global", "user", "beta", "b"))
    assert recall.search("beta") == []
    recall.update(second.path)
    assert [hit.entry.id for hit in recall.search("beta")] == [second.id]
    store.put(Draft("global", "user", "gamma", "b", id=first.id))
    recall.update(first.path)
    assert recall.search("alpha") == []
    assert [hit.entry.id for hit in recall.search("gamma")] == [first.id]
    store.forget(second.id)
    recall.refresh()
    assert recall.search("beta") == []
    recall.update(store.root / "notes.md")
    assert len(recall.search("")) == 1


def test_broken_file_is_found_only_while_it_is_valid(store, opened):
    entry = store.put(Draft("global", "user", "alpha", "b", tags=("Ops",)))
    good = entry.path.read_bytes()
    write(store.root, {"global/README.md": "alpha\n", f"global/{new_ulid()}.md": b"\xff"})
    recall = opened(store.root)
    for content, found in ((b"alpha", 0), (good, 1), (b"\xff", 0), (good, 1)):
        entry.path.write_bytes(content)
        recall.update(entry.path)
        assert len(recall.search("alpha")) == len(recall.search("ops")) == found
        assert len(recall.search("", Filter(tags=("ops",)))) == found


def test_refresh_is_throttled_after_a_slow_scan(store, monkeypatch):
    recall = Recall(store.root)
    store.put(Draft("global", "user", "alpha", "b"))
    recall.refresh_throttled()
    assert len(recall.search("alpha")) == 1
    monkeypatch.setattr(engine, "_SLOW_SCAN_SECONDS", -1.0)
    monkeypatch.setattr(engine, "_SCAN_BACKOFF_FACTOR", 1e9)
    recall.refresh_throttled()
    entry = store.put(Draft("global", "user", "beta", "b"))
    recall.refresh_throttled()
    assert recall.search("beta") == []
    recall.update(entry.path)
    assert len(recall.search("beta")) == 1


def test_last_of_two_entries_with_one_id_is_found(store, opened):
    entry = store.put(Draft("agent", "user", "mine deploy", "b", "a"))
    other = store.root / "global" / entry.path.name
    text = render(entry).replace("scope: agent", "scope: global")
    write(store.root, {f"global/{entry.path.name}": text})
    recall = opened(store.root)
    assert [hit.entry.path for hit in recall.search("deploy", Filter(agent="a"))] == [entry.path]
    entry.path.unlink()
    recall.update(entry.path)
    assert [hit.entry.path for hit in recall.search("deploy", Filter(agent="a"))] == [other]


def test_index_is_used_from_a_number_of_files_on(tmp_path):
    entries = random_entries(random.Random(3), 30)
    root, index = on_disk(tmp_path / "store", entries[:20]), tmp_path / "index.sqlite3"
    recall = Recall(root, index, index_from=25)
    assert (recall.is_indexed, index.exists()) == (False, False)
    on_disk(root, entries)
    recall.refresh()
    assert (recall.is_indexed, index.exists()) == (True, True)
    expected = [entry_id for entry_id, _ in drover_search(entries, "deploy")[:10]]
    assert [hit.entry.id for hit in recall.search("deploy", by="drover")] == expected
    assert Recall(root, index, index_from=25).is_indexed
    assert not Recall(root, None, index_from=25).is_indexed


def test_bulk_indexed_entries_are_found_after_reopening(tmp_path):
    entries = random_entries(random.Random(3), 700)
    root = on_disk(tmp_path / "store", entries)
    (root / "global" / f"{new_ulid()}.md").write_bytes(b"\xff")
    index = tmp_path / "index.sqlite3"
    recall = indexed(root, index)
    expected = [pair[0] for pair in drover_search(entries, "deploy staging")[:10]]
    assert [hit.entry.id for hit in recall.search("deploy staging", by="drover")] == expected
    recall.close()
    assert [
        hit.entry.id for hit in indexed(root, index).search("deploy staging", by="drover")
    ] == expected


def test_bulk_of_new_entries_is_indexed_while_open(tmp_path, monkeypatch):
    monkeypatch.setattr(fts_index, "_BATCH", 200)
    entries = random_entries(random.Random(3), 700)
    root = on_disk(tmp_path / "store", entries[:5])
    recall = indexed(root, tmp_path / "index.sqlite3")
    recall.search("deploy staging")
    on_disk(root, entries)
    recall.refresh()
    expected = [pair[0] for pair in drover_search(entries, "deploy staging")[:10]]
    assert [hit.entry.id for hit in recall.search("deploy staging", by="drover")] == expected


@pytest.mark.skipif(os.name == "nt", reason="pipes and links of POSIX")
def test_only_regular_files_are_entries(tmp_path, store, opened):
    kept = store.put(Draft("global", "user", "alpha", "b"))
    (tmp_path / "elsewhere.md").write_text(render(kept))
    (kept.path.parent / f"{new_ulid()}.md").symlink_to(tmp_path / "elsewhere.md")
    (kept.path.parent / f"{new_ulid()}.md").mkdir()
    os.mkfifo(kept.path.parent / f"{new_ulid()}.md")
    recall = opened(store.root)
    for path in kept.path.parent.iterdir():
        recall.update(path)
    assert [hit.entry.id for hit in recall.search("alpha")] == [kept.id]


def test_lone_surrogates_and_huge_times_are_indexed(store, opened):
    entry = store.put(Draft("global", "user", "alpha", "b", tags=("ops",)))
    text = entry.path.read_text().replace("  - ops", '  - "\\ud800"\nagentId: "\\ud800"')
    entry.path.write_text(re.sub("createdAt: .*", "createdAt: 1" + "0" * 30, text))
    (hit,) = opened(store.root).search("alpha")
    assert (hit.entry.tags, hit.entry.agent, hit.entry.created) == (("\ud800",), "\ud800", 10**30)


STEPS = st.tuples(
    st.sampled_from(["update", "delete"]),
    st.integers(0, 5),
    st.sampled_from(["global", "agent", "run"]),
    st.sampled_from([(), ("ops",), ("Ops", "alpha"), ("two\nlines", "")]),
    st.text(max_size=12) | st.sampled_from(["beta", "alpha alpha"]),
    st.integers(0, 3) | st.just(10**30),
)
FILTERS = [
    Filter(),
    Filter("w"),
    Filter("w", "r"),
    Filter("w", scopes=("agent",)),
    Filter("w", tags=("ops",)),
    Filter("w", tags=("two\nlines", "lines")),
    Filter(kinds=("user",)),
]


@settings(deadline=None, max_examples=40)
@given(st.lists(STEPS, max_size=16), st.integers(0, 16))
def test_results_are_the_same_in_memory_and_on_disk(tmp_path_factory, steps, refresh_at):
    base = tmp_path_factory.mktemp("base")
    store = MarkdownEntries(base / "store")
    on_disk, in_memory = indexed(store.root, base / "index.sqlite3"), Recall(store.root)
    for at, (what, number, scope, tags, text, changed) in enumerate(steps):
        entry = Entry(
            f"{number:026d}", scope, "user", "alpha", f"beta {text}", changed, "w", "r", tags
        )
        path = store.path_of(entry)
        if what == "delete":
            path.unlink(missing_ok=True)
        else:  # entries of several folders may have the same id
            write(store.root, {str(path.relative_to(store.root)): render(entry)})
        for recall in (on_disk, in_memory):
            recall.refresh() if at == refresh_at else recall.update(path)
        on_disk.search("alpha", FILTERS[number])
    fresh, again = indexed(store.root, base / "fresh.sqlite3"), Recall(store.root)
    assert fresh.is_indexed
    for query in ("alpha", "beta", "alpha beta beta ops", ""):
        for wanted in FILTERS:
            for limit in (2, 50):
                for by in RANKINGS:
                    expected = again.search(query, wanted, limit, by=by)
                    for recall in (on_disk, in_memory, fresh):
                        assert recall.search(query, wanted, limit, by=by) == expected


def test_file_that_is_removed_during_the_scan_is_no_error(tmp_path, monkeypatch):
    store = MarkdownEntries(tmp_path / "store")
    entries = [store.put(Draft("global", "user", text, "b")) for text in ("alpha", "beta")]
    recall = Recall(store.root)
    listed = file_scan._entry_files

    def listed_and_removed(folder):
        items = listed(folder)
        entries[0].path.unlink(missing_ok=True)
        return items

    monkeypatch.setattr(file_scan, "_entry_files", listed_and_removed)
    recall.refresh()
    assert [hit.entry.id for hit in recall.search("")] == [entries[1].id]
    assert recall.search("alpha") == []


def test_file_over_the_limit_is_not_found(tmp_path, monkeypatch):
    store = MarkdownEntries(tmp_path / "store")
    small, large = (store.put(Draft("global", "user", "alpha", body)) for body in ("b", "b " * 400))
    monkeypatch.setattr(file_scan, "SIZE_CAP", large.path.stat().st_size - 1)
    assert [hit.entry.id for hit in Recall(store.root).search("alpha")] == [small.id]
