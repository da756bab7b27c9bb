"""Recall: drover's ranking, any script, filters, and an index that is only ever a copy."""

from __future__ import annotations

import math
import os
import random
import re
import sqlite3

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent_memory import recall as recall_module
from agent_memory import recalldb, recallindex
from agent_memory.context import UsageError
from agent_memory.entries import Filter, InMemoryEntries
from agent_memory.entryfile import Entry, render
from agent_memory.entryrules import Draft, EntryError
from agent_memory.markdownentries import MarkdownEntries
from agent_memory.recall import Recall, search
from agent_memory.recalldb import index_path
from agent_memory.ulid import new_ulid
from agent_memory.words import words
from kit import write

STOP_TEXT = (
    "a an and are as at be by for from has have i in is it of on or that the this to was were "
    "with you your we our"
)
DROVER_STOP = set(STOP_TEXT.split())


def drover_words(text):
    found = [word for word in re.split("[^a-z0-9]+", text.lower()) if len(word) >= 2]
    return [word for word in found if word not in DROVER_STOP]


def drover_search(entries, query):
    """The documented formula, written down once more and slowly."""
    docs = [drover_words(f"{e.summary} {e.body} {' '.join(e.tags)}") for e in entries]
    average = sum(map(len, docs)) / len(docs)
    out = []
    for entry, doc in zip(entries, docs, strict=True):
        score = 0.0
        for word in drover_words(query):
            df = sum(word in other for other in docs)
            idf = math.log(1 + (len(docs) - df + 0.5) / (df + 0.5))
            tf = doc.count(word)
            score += idf * tf * 2.5 / (tf + 1.5 * (1 - 0.75 + 0.75 * len(doc) / average))
            if tf:
                score += sum(word == tag.lower() for tag in set(entry.tags))
        if score > 0:
            out.append((entry.id, score))
    return sorted(out, key=lambda pair: -pair[1])


TEXT = "deploy the staging tests cache pnpm build api token pages of run cafe v2 hot-reload Tags"
VOCABULARY = TEXT.split()


def random_entries(rng, count):
    def text(most):
        return " ".join(rng.choices(VOCABULARY, k=rng.randint(1, most)))

    return [
        Entry(
            f"{number:026d}",
            "global",
            rng.choice(("user", "project")),
            text(6),
            text(25),
            number,
            tags=tuple(dict.fromkeys(rng.choices(VOCABULARY, k=rng.randint(0, 3)))),
        )
        for number in range(count)
    ]


def on_disk(root, entries):
    store = MarkdownEntries(root)
    write(root, {str(store.path_of(e).relative_to(root)): render(e) for e in entries})
    return root


@pytest.mark.parametrize("seed", range(5))
def test_the_ranking_is_the_documented_one(tmp_path, seed):
    rng = random.Random(seed)
    entries = random_entries(rng, 120)
    recall = Recall(on_disk(tmp_path, entries))
    for _ in range(20):
        query = " ".join(rng.choices(VOCABULARY, k=rng.randint(1, 5)))
        expected = drover_search(entries, query)[:10]
        for hits in (recall.search(query), search(InMemoryEntries(entries), query)):
            assert [hit.entry.id for hit in hits] == [entry_id for entry_id, _ in expected]
            assert [hit.score for hit in hits] == pytest.approx([score for _, score in expected])


@given(st.text(st.characters(codec="ascii"), max_size=80))
def test_ascii_words_are_drovers(text):
    assert words(text) == drover_words(text)


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("用户喜欢简短的回答", "用户"),
        ("用户喜欢简短的回答", "简短"),
        ("猫", "猫"),
        ("メモリを更新する", "更新"),
        ("El café está abierto", "CAFE"),
        ("Straße sperren", "strasse"),
        ("Настройка сервера", "НАСТРОЙКА"),
        ("hot-reload works", "reload"),
        ("ภาษาไทย", "ไทย"),
        ("한국어 문서", "문서"),
    ],
)
def test_every_script_is_found(text, query):
    store = InMemoryEntries()
    store.put(Draft("global", "project", "x", text))
    store.put(Draft("global", "project", "y", "something else"))
    assert [hit.entry.body for hit in search(store, query)] == [text]


def test_filters_keep_others_entries_away(tmp_path):
    store = MarkdownEntries(tmp_path)
    store.put(Draft("global", "user", "deploy all", "b", tags=("Ops",)))
    store.put(Draft("agent", "project", "deploy mine", "b", "a"))
    store.put(Draft("agent", "project", "deploy theirs", "b", "b"))
    store.put(Draft("run", "project", "deploy now", "b", "a", "r1"))
    recall = Recall(tmp_path)

    def found(**options):
        return sorted(hit.entry.summary for hit in recall.search("deploy", Filter(**options)))

    assert found() == ["deploy all"]
    assert found(agent="a") == ["deploy all", "deploy mine"]
    assert found(agent="b", run="r1") == ["deploy all", "deploy theirs"]
    assert found(agent="a", run="r1") == ["deploy all", "deploy mine", "deploy now"]
    assert found(agent="a", scopes=("agent",)) == ["deploy mine"]
    assert found(agent="a", kinds=("user",)) == ["deploy all"]
    assert found(agent="a", tags=("ops", "none")) == ["deploy all"]


def test_without_a_query_the_latest_come_first(tmp_path):
    recall = Recall(on_disk(tmp_path, random_entries(random.Random(1), 30)))
    assert [hit.entry.created for hit in recall.search("", limit=3)] == [29, 28, 27]
    assert recall.search("the of") == []


def test_changes_are_taken_in_one_by_one(tmp_path):
    store = MarkdownEntries(tmp_path)
    first = store.put(Draft("global", "user", "alpha", "b"))
    recall = Recall(tmp_path)
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
    recall.update(tmp_path / "notes.md")
    assert len(recall.search("")) == 1


def test_a_broken_file_is_found_once_it_is_mended_and_no_more_once_it_breaks(tmp_path):
    store = MarkdownEntries(tmp_path)
    entry = store.put(Draft("global", "user", "alpha", "b", tags=("Ops",)))
    good = entry.path.read_bytes()
    write(tmp_path, {"global/README.md": "alpha\n", f"global/{new_ulid()}.md": b"\xff"})
    recall = Recall(tmp_path)
    for content, found in ((b"alpha", 0), (good, 1), (b"\xff", 0), (good, 1)):
        entry.path.write_bytes(content)
        recall.update(entry.path)
        assert len(recall.search("alpha")) == len(recall.search("ops")) == found
        assert len(recall.search("", Filter(tags=("ops",)))) == found


def test_a_tag_counts_only_where_the_filter_takes_the_entry(tmp_path):
    store = MarkdownEntries(tmp_path)
    store.put(Draft("global", "user", "deploy", "b", tags=("deploy",)))
    plain = store.put(Draft("global", "project", "deploy", "b"))
    (hit,) = Recall(tmp_path).search("deploy", Filter(kinds=("project",)))
    alone = InMemoryEntries()
    alone.put(Draft("global", "project", "deploy", "b", id=plain.id))
    assert hit.score == search(alone, "deploy")[0].score


def test_without_a_query_a_search_without_index_gives_the_same(tmp_path):
    store = MarkdownEntries(on_disk(tmp_path, random_entries(random.Random(1), 30)))
    indexed = [hit.entry.id for hit in Recall(tmp_path).search(" ", limit=3)]
    assert [hit.entry.id for hit in search(store, " ", limit=3)] == indexed


def test_a_body_of_the_longest_kind_is_read_whole(tmp_path):
    body = "\U0001f600" * 17_000 + " tail"
    MarkdownEntries(tmp_path).put(Draft("global", "reference", "long", body))
    (hit,) = Recall(tmp_path).search("tail")
    assert len(body.encode()) > 65536
    assert hit.entry.body == body


def test_what_another_program_dropped_from_the_index_is_not_found(tmp_path):
    store = MarkdownEntries(tmp_path / "store")
    entry = store.put(Draft("global", "user", "alpha", "b"))
    ours, theirs = (Recall(store.root, tmp_path / "index.sqlite3") for _ in range(2))
    store.forget(entry.id)
    theirs.refresh()
    assert ours.search("") == []


def test_words_are_found_again_after_too_many_were_kept(tmp_path, monkeypatch):
    entries = random_entries(random.Random(5), 60)
    root = on_disk(tmp_path, entries)
    monkeypatch.setattr(recall_module, "_KEPT_POSTINGS", 20)
    recall = Recall(root)
    for query in ("deploy", "staging", "deploy staging cache", "deploy"):
        expected = drover_search(entries, query)[:10]
        found = [(hit.entry.id, hit.score) for hit in recall.search(query)]
        assert [name for name, _ in found] == [name for name, _ in expected]
        assert [score for _, score in found] == pytest.approx([score for _, score in expected])


def test_a_dear_look_at_all_files_is_not_taken_with_every_letter(tmp_path, monkeypatch):
    store = MarkdownEntries(tmp_path)
    recall = Recall(tmp_path)
    store.put(Draft("global", "user", "alpha", "b"))
    recall.keep_up()
    assert len(recall.search("alpha")) == 1
    monkeypatch.setattr(recall_module, "_DEAR_LOOK", -1.0)
    monkeypatch.setattr(recall_module, "_LOOKS_APART", 1e9)
    recall.keep_up()
    entry = store.put(Draft("global", "user", "beta", "b"))
    recall.keep_up()
    assert recall.search("beta") == []
    recall.update(entry.path)
    assert len(recall.search("beta")) == 1


def test_the_last_of_two_entries_with_one_id_is_found(tmp_path):
    store = MarkdownEntries(tmp_path)
    entry = store.put(Draft("agent", "user", "mine deploy", "b", "a"))
    other = tmp_path / "global" / entry.path.name
    write(
        tmp_path,
        {f"global/{entry.path.name}": render(entry).replace("scope: agent", "scope: global")},
    )
    recall = Recall(tmp_path)
    assert [hit.entry.path for hit in recall.search("deploy", Filter(agent="a"))] == [entry.path]
    entry.path.unlink()
    recall.update(entry.path)
    assert [hit.entry.path for hit in recall.search("deploy", Filter(agent="a"))] == [other]


def test_many_entries_are_taken_in_bulk_and_found_again(tmp_path):
    entries = random_entries(random.Random(3), 700)
    root = on_disk(tmp_path / "store", entries)
    bad = root / "global" / f"{new_ulid()}.md"
    bad.write_bytes(b"\xff")
    index = tmp_path / "index.sqlite3"
    recall = Recall(root, index)
    expected = [pair[0] for pair in drover_search(entries, "deploy staging")[:10]]
    assert [hit.entry.id for hit in recall.search("deploy staging")] == expected
    recall.close()
    again = Recall(root, index)
    assert [hit.entry.id for hit in again.search("deploy staging")] == expected


def test_very_many_new_entries_are_taken_in_while_it_is_open(tmp_path, monkeypatch):
    monkeypatch.setattr(recallindex, "_BATCH", 200)
    entries = random_entries(random.Random(3), 700)
    recall = Recall(on_disk(tmp_path, entries[:5]))
    recall.search("deploy staging")
    on_disk(tmp_path, entries)
    recall.refresh()
    expected = [pair[0] for pair in drover_search(entries, "deploy staging")[:10]]
    assert [hit.entry.id for hit in recall.search("deploy staging")] == expected


@pytest.mark.parametrize("content", [b"not a database, but long enough to be looked at" * 9, b""])
def test_a_damaged_index_is_made_again(tmp_path, content):
    store = MarkdownEntries(tmp_path / "store")
    store.put(Draft("global", "user", "alpha", "b"))
    index = tmp_path / "index.sqlite3"
    index.write_bytes(content)
    assert len(Recall(store.root, index).search("alpha")) == 1


@pytest.mark.parametrize("when", ["opened", "open"])
def test_damage_inside_the_index_is_noticed_when_it_is_met(tmp_path, when):
    entries = random_entries(random.Random(3), 600)
    root, index = on_disk(tmp_path / "store", entries), tmp_path / "index.sqlite3"
    recall = Recall(root, index)
    expected = [hit.entry.id for hit in recall.search("deploy staging")]
    recall.close()
    if when == "open":
        recall = Recall(root, index)
        with sqlite3.connect(index) as db:
            db.execute("DROP TABLE docs")
    else:
        head, rest = index.read_bytes()[: 4096 * 3], index.stat().st_size - 4096 * 3
        index.write_bytes(head + random.Random(1).randbytes(rest))
        recall = Recall(root, index)
    assert [hit.entry.id for hit in recall.search("deploy staging")] == expected
    assert [hit.entry.id for hit in Recall(root, index).search("deploy staging")] == expected


def test_a_full_disk_in_the_cache_does_not_stop_the_search(tmp_path, monkeypatch):
    entries = random_entries(random.Random(3), 60)
    root = on_disk(tmp_path / "store", entries)
    expected = [hit.entry.id for hit in Recall(root).search("deploy staging")]
    connected = recalldb.connect

    def small(path):
        db = connected(path)
        if path is not None:
            db.execute("PRAGMA max_page_count = 12")
        return db

    monkeypatch.setattr(recallindex, "connect", small)
    recall = Recall(root, tmp_path / "index.sqlite3")
    assert [hit.entry.id for hit in recall.search("deploy staging")] == expected


def test_an_index_of_another_version_is_made_again(tmp_path):
    store = MarkdownEntries(tmp_path / "store")
    store.put(Draft("global", "user", "alpha", "b"))
    index = tmp_path / "index.sqlite3"
    db = sqlite3.connect(index)
    db.execute("PRAGMA user_version = 99")
    db.close()
    assert len(Recall(store.root, index).search("alpha")) == 1


def test_without_a_cache_folder_the_search_still_works(tmp_path):
    store = MarkdownEntries(tmp_path / "store")
    store.put(Draft("global", "user", "alpha", "b"))
    (tmp_path / "cache").write_text("a file")
    recall = Recall.open(store.root, {"XDG_CACHE_HOME": str(tmp_path / "cache")})
    assert len(recall.search("alpha")) == 1


def test_the_index_is_the_users_alone(tmp_path):
    store = MarkdownEntries(tmp_path / "store")
    store.put(Draft("global", "user", "alpha", "b"))
    env = {"XDG_CACHE_HOME": str(tmp_path / "cache")}
    Recall.open(store.root, env).close()
    path = index_path(store.root, env)
    assert path.is_relative_to(tmp_path / "cache" / "agent-memory")
    assert path.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    ("query", "limit", "message"),
    [
        ("x" * 501, 10, r"query must be at most 500 chars \(got 501\)"),
        ("x", 0, r"limit must be 1-50 \(got 0\)"),
        ("x", 51, r"\(got 51\)"),
    ],
)
def test_limits_are_named(tmp_path, query, limit, message):
    with pytest.raises(EntryError, match=message):
        Recall(tmp_path).search(query, limit=limit)


def test_what_another_process_indexed_is_found_without_its_help(tmp_path):
    store = MarkdownEntries(tmp_path / "store")
    first = store.put(Draft("global", "user", "alpha", "b"))
    mine = Recall(store.root, tmp_path / "index.sqlite3")
    other = Recall(store.root, tmp_path / "index.sqlite3")
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


def test_two_processes_that_see_the_same_change_take_it_in_once(tmp_path, monkeypatch):
    store = MarkdownEntries(tmp_path / "store")
    first = store.put(Draft("global", "user", "alpha", "b"))
    mine, other = (Recall(store.root, tmp_path / "index.sqlite3") for _ in range(2))
    store.put(Draft("global", "user", "beta", "b", id=first.id))
    seen = recallindex.changes

    def overtaken(*args):
        monkeypatch.setattr(recallindex, "changes", seen)
        found = seen(*args)
        other.refresh()
        return found

    monkeypatch.setattr(recallindex, "changes", overtaken)
    mine.refresh()
    for recall in (mine, other, Recall(store.root, tmp_path / "index.sqlite3")):
        assert [hit.entry.id for hit in recall.search("beta")] == [first.id]
        assert recall.search("alpha") == []
    with sqlite3.connect(tmp_path / "index.sqlite3") as db:
        assert db.execute("SELECT count(*) FROM docs").fetchone() == (1,)
        db.execute("INSERT INTO found(found) VALUES ('integrity-check')")


def test_an_index_that_another_process_holds_is_neither_removed_nor_waited_for(
    tmp_path, monkeypatch
):
    monkeypatch.setattr(recalldb, "WAIT_SECONDS", 0.05)
    store = MarkdownEntries(tmp_path / "store")
    store.put(Draft("global", "user", "alpha", "b"))
    index = tmp_path / "index.sqlite3"
    mine = Recall(store.root, index)
    holder = sqlite3.connect(index, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    store.put(Draft("global", "user", "beta", "b"))
    with pytest.raises(UsageError, match="another program"):
        mine.refresh()
    assert len(mine.search("alpha")) == 1
    assert len(Recall(store.root, index).search("beta")) == 1
    holder.execute("ROLLBACK")
    mine.refresh()
    assert len(mine.search("beta")) == 1


@pytest.mark.skipif(os.name == "nt", reason="pipes and links of POSIX")
def test_what_is_no_regular_file_is_no_entry(tmp_path):
    store = MarkdownEntries(tmp_path / "store")
    kept = store.put(Draft("global", "user", "alpha", "b"))
    (tmp_path / "elsewhere.md").write_text(render(kept))
    (kept.path.parent / f"{new_ulid()}.md").symlink_to(tmp_path / "elsewhere.md")
    (kept.path.parent / f"{new_ulid()}.md").mkdir()
    os.mkfifo(kept.path.parent / f"{new_ulid()}.md")
    recall = Recall(store.root)
    for path in kept.path.parent.iterdir():
        recall.update(path)
    assert [hit.entry.id for hit in recall.search("alpha")] == [kept.id]


STEPS = st.tuples(
    st.sampled_from("pdu"),
    st.integers(0, 5),
    st.sampled_from(["global", "agent"]),
    st.sampled_from([(), ("ops",), ("Ops", "alpha")]),
    st.text(max_size=12),
)
ASKED = [Filter(), Filter("w"), Filter("w", scopes=("agent",)), Filter("w", tags=("ops",))]


@settings(deadline=None, max_examples=40)
@given(st.lists(STEPS, max_size=12))
def test_updates_leave_what_a_new_index_would_have(tmp_path_factory, steps):
    root = tmp_path_factory.mktemp("store")
    store = MarkdownEntries(root)
    recall = Recall(root)
    for what, number, scope, tags, text in steps:
        entry = Entry(
            f"{number:026d}", scope, "user", "alpha", f"beta {text}", number, "w", tags=tags
        )
        path = store.path_of(entry)
        if what == "d":
            path.unlink(missing_ok=True)
        else:  # the same id may stand in both folders
            write(root, {str(path.relative_to(root)): render(entry)})
        recall.update(path)
        recall.search("alpha", ASKED[number % len(ASKED)])
    fresh = Recall(root)
    for query in ("alpha", "beta", ""):
        for wanted in ASKED:
            found = [(hit.entry.path, hit.score) for hit in recall.search(query, wanted)]
            expected = {hit.entry.path: hit.score for hit in fresh.search(query, wanted)}
            assert dict(found) == pytest.approx(expected)
