"""The index of recall follows what changes on disk, and is what a new one would be."""

from __future__ import annotations

import os
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent_memory.base.ulid import new_ulid
from agent_memory.entries.entry_file import Entry, render
from agent_memory.entries.markdown_store import MarkdownEntries
from agent_memory.entries.store import Filter
from agent_memory.entries.validation import Draft
from agent_memory.recall import engine as recall_module
from agent_memory.recall import fts_index
from agent_memory.recall.engine import Recall
from entry_kit import drover_search, on_disk, random_entries
from kit import write


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
    monkeypatch.setattr(fts_index, "_BATCH", 200)
    entries = random_entries(random.Random(3), 700)
    recall = Recall(on_disk(tmp_path, entries[:5]))
    recall.search("deploy staging")
    on_disk(tmp_path, entries)
    recall.refresh()
    expected = [pair[0] for pair in drover_search(entries, "deploy staging")[:10]]
    assert [hit.entry.id for hit in recall.search("deploy staging")] == expected


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
