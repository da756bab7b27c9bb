"""Entries: limits, isolation and order are the same on disk and in memory."""

from __future__ import annotations

import itertools

import pytest

from agent_memory.base.errors import UsageError
from agent_memory.base.ulid import is_ulid, new_ulid, stable_ulid
from agent_memory.entries.entry_file import Entry
from agent_memory.entries.index_block import (
    WriteLimit,
    index_block,
)
from agent_memory.entries.instruction_mirror import InstructionFile, mirrors
from agent_memory.entries.markdown_store import MarkdownEntries
from agent_memory.entries.store import Filter, InMemoryEntries
from agent_memory.entries.validation import Draft, EntryError
from entry_kit import Shelf
from kit import unprivileged, write


@pytest.fixture(params=["disk", "memory"])
def store(request, tmp_path):
    clock = itertools.count(1_755_500_000).__next__
    return (
        MarkdownEntries(tmp_path, clock) if request.param == "disk" else InMemoryEntries((), clock)
    )


def draft(**changes):
    values = {"scope": "global", "kind": "project", "summary": "s", "body": "b", **changes}
    return Draft(**values)


def test_put_creates_an_id_and_preserves_created(store):
    first = store.put(draft())
    assert is_ulid(first.id)
    assert (first.created, first.updated) == (1_755_500_000_000, None)
    second = store.put(draft(id=first.id, summary="t"))
    assert (second.created, second.updated) == (1_755_500_000_000, 1_755_500_001_000)
    assert [entry.summary for entry in store.find()] == ["t"]


def test_a_known_id_can_move_to_another_scope(store):
    first = store.put(draft())
    store.put(draft(id=first.id, scope="agent", agent="scribe"))
    assert store.find() == []
    assert [entry.id for entry in store.find(Filter(agent="scribe"))] == [first.id]


@pytest.mark.parametrize(
    ("changes", "reason", "message"),
    [
        ({"id": "abc"}, "invalid_id", r"id must be a 26-char ULID \(got 'abc'\)"),
        ({"scope": "agent"}, "invalid_scope", "scope 'agent' requires agentId"),
        ({"scope": "agent", "agent": "../e"}, "path_escape", r"agentId must match .*got '\.\./e'"),
        ({"scope": "run", "agent": "a"}, "invalid_scope", "scope 'run' requires runId"),
        ({"scope": "run", "run": "a/b"}, "path_escape", "runId must match .*got 'a/b'"),
        ({"scope": "galaxy"}, "invalid_scope", r"one of global, agent, run \(got 'galaxy'\)"),
        ({"kind": "fact"}, "io", r"kind must be one of .* \(got 'fact'\)"),
        ({"summary": ""}, "io", r"summary must be 1-200 chars \(got 0\)"),
        ({"summary": "x" * 201}, "io", r"\(got 201\)"),
        ({"summary": "🚀" * 101}, "io", r"\(got 202\)"),
        ({"body": " \n"}, "io", r"body must be 1-4000 chars \(got 0\)"),
        ({"body": "x" * 4001}, "io", r"body must be 1-4000 chars \(got 4001\)"),
        ({"body": "x" * 65537, "kind": "reference"}, "io", r"1-65536 chars \(got 65537\)"),
        ({"tags": tuple("abcdefghijklm")}, "io", r"tags must be at most 12 \(got 13\)"),
        ({"tags": ("Instructions",)}, "denied", "reserved for instruction files"),
    ],
)
def test_invalid_draft_is_refused_with_limit_and_value(store, changes, reason, message):
    with pytest.raises(EntryError, match=message) as caught:
        store.put(draft(**changes))
    assert caught.value.reason == reason
    assert store.load() == []


def test_long_reference_is_saved(store):
    assert store.put(draft(kind="reference", body="x" * 65536)).kind == "reference"


def test_an_agent_sees_global_entries_and_its_own(store):
    store.put(draft(summary="g"))
    store.put(draft(summary="a", scope="agent", agent="a"))
    store.put(draft(summary="b", scope="agent", agent="b"))
    store.put(draft(summary="r", scope="run", agent="a", run="r1"))
    assert [item.summary for item in store.find()] == ["g"]
    assert [item.summary for item in store.find(Filter(agent="a"))] == ["a", "g"]
    assert [item.summary for item in store.find(Filter(agent="a", run="r1"))] == ["r", "a", "g"]
    assert [item.summary for item in store.find(Filter(agent="b", run="r1"))] == ["b", "g"]
    assert [item.summary for item in store.find(Filter(agent="a", run="r2"))] == ["a", "g"]
    with pytest.raises(EntryError, match="scope 'agent' requires agentId"):
        store.find(Filter(scopes=("agent",)))


def test_kinds_and_tags_filter(store):
    store.put(draft(summary="one", kind="user", tags=("Deploy",)))
    store.put(draft(summary="two", kind="feedback"))
    assert [item.summary for item in store.find(Filter(tags=("deploy", "x")))] == ["one"]
    assert [item.summary for item in store.find(Filter(kinds=("feedback",)))] == ["two"]


def test_another_engine_needs_three_methods():
    store = Shelf()
    mine = store.put(draft(scope="agent", agent="a", summary="mine"))
    store.put(draft(summary="shared"))
    assert {item.summary for item in store.find(Filter(agent="a"))} == {"mine", "shared"}
    assert [item.summary for item in store.find(Filter(agent="b"))] == ["shared"]
    with pytest.raises(EntryError, match="owned by a different agent"):
        store.forget(mine.id, "b")
    assert store.forget(mine.id, "a") == mine


def test_agent_can_only_forget_its_own(store):
    mine = store.put(draft(scope="agent", agent="a"))
    with pytest.raises(EntryError, match="owned by a different agent"):
        store.forget(mine.id, "b")
    with pytest.raises(EntryError, match=r"cannot overwrite .* owned by a different agent"):
        store.put(draft(id=mine.id, agent="b"))
    assert store.forget(mine.id, "a").id == mine.id
    with pytest.raises(EntryError, match=f"no memory '{mine.id}' to forget"):
        store.forget(mine.id, "a")


def test_instruction_files_are_mirrored_and_read_only(tmp_path):
    files = [
        InstructionFile(tmp_path / "AGENTS.md", "", "Rules.\n"),
        InstructionFile(tmp_path / "y" / "CLAUDE.md", "y", "More."),
    ]
    store = MarkdownEntries(tmp_path / "store", mirrors=mirrors(files, clock=lambda: 7.0))
    first, second = store.load()
    assert first.id == stable_ulid(str(tmp_path / "AGENTS.md"))
    assert first.summary == "Project instructions — (repo root) (AGENTS.md)"
    assert (first.scope, first.kind, first.tags) == ("global", "reference", ("instructions",))
    assert (first.body, second.body) == ("Rules.", "More.")
    assert first.changed < second.changed
    with pytest.raises(EntryError, match="Edit the file on disk instead"):
        store.forget(first.id)
    with pytest.raises(EntryError, match="cannot overwrite"):
        store.put(draft(id=first.id))
    assert not store.root.exists()


@pytest.mark.parametrize(
    ("label", "content"), [("x", "a" * 100_000), ("f" * 300, "Rules."), ("x", " \n")]
)
def test_instruction_file_over_a_limit_ends_the_mirrors(tmp_path, label, content):
    files = [
        InstructionFile(tmp_path / "AGENTS.md", "", "Rules."),
        InstructionFile(tmp_path / "x" / "AGENTS.md", label, content),
        InstructionFile(tmp_path / "x" / "y" / "AGENTS.md", "x/y", "Never reached."),
    ]
    assert [entry.body for entry in mirrors(files).entries] == ["Rules."]


def test_other_file_of_the_same_name_is_never_overwritten(tmp_path):
    entry_id = new_ulid()
    write(tmp_path, {f"global/{entry_id}.md": "not an entry"})
    store = MarkdownEntries(tmp_path)
    with pytest.raises(UsageError, match="exists and is not the entry"):
        store.put(draft(id=entry_id))
    assert (tmp_path / "global" / f"{entry_id}.md").read_text() == "not an entry"
    assert [why for _, why in store.skipped()] == ["it has no front matter"]


def test_misnamed_entry_is_replaced_by_one_file(tmp_path):
    store = MarkdownEntries(tmp_path)
    entry = store.put(draft())
    other = entry.path.with_name(f"{new_ulid()}.md")
    entry.path.rename(other)
    store.put(draft(id=entry.id, summary="new"))
    assert [item.name for item in entry.path.parent.iterdir()] == [entry.path.name]


def test_invalid_folders_and_symlinks_are_ignored(tmp_path):
    store = MarkdownEntries(tmp_path)
    entry = store.put(draft(scope="agent", agent="a"))
    (tmp_path / "agents" / "b c").mkdir()
    (tmp_path / "agents" / "b c" / entry.path.name).write_bytes(entry.path.read_bytes())
    (tmp_path / "global").mkdir()
    (tmp_path / "global" / f"{new_ulid()}.md").symlink_to(entry.path)
    assert [item.path for item in store.load()] == [entry.path]
    assert store.place_of(entry.path).agent == "a"
    assert store.place_of(tmp_path / "agents" / "b c" / entry.path.name) is None


@pytest.mark.parametrize("closed", ["agents", "agents/a", "global", "."])
def test_a_folder_that_is_listed_but_not_searched_has_no_entries(closed, tmp_path):
    store = MarkdownEntries(tmp_path / "store")
    store.put(draft(scope="agent", agent="a"))
    store.put(draft())
    folder = tmp_path / "store" / closed
    folder.chmod(0o444)
    try:
        with unprivileged(tmp_path):
            entries = store.load()
    finally:
        folder.chmod(0o755)
    assert len(entries) == (0 if closed == "." else 1)


def test_last_of_two_files_with_one_id_is_current(tmp_path):
    store = MarkdownEntries(tmp_path)
    entry = store.put(draft(scope="agent", agent="a", summary="agent's"))
    text = entry.path.read_text().replace("scope: agent", "scope: global").replace("agent's", "old")
    write(tmp_path, {f"global/{entry.id}.md": text})
    assert [item.summary for item in store.find(Filter(agent="a"))] == ["agent's"]


def index_store(*entries):
    return InMemoryEntries(
        Entry(f"{number:026d}", scope, "user", text, "b", number, agent=agent)
        for number, (scope, text, agent) in enumerate(entries)
    )


def test_index_lists_global_entries_first_then_by_time():
    store = index_store(
        ("global", "g1", None), ("agent", "a1", "a"), ("global", "g2", None), ("agent", "b1", "b"),
        ("run", "r1", "a"),
    )  # fmt: skip
    text = index_block(store, "a").text
    assert text.startswith("\n## Recalled memory\n\n")
    assert text.endswith("\n\n### Global\n- [user] g2\n- [user] g1\n\n### Agent (a)\n- [user] a1")
    assert index_block(index_store(), "a").text == ""


def test_entries_left_out_of_the_index_are_returned():
    store = index_store(("global", "g1", None), ("global", "g2", None), ("agent", "a1", "a"))
    index = index_block(store, "a", most=1)
    assert [entry.summary for _, entry in index.parts if entry] == ["g2"]
    assert [entry.summary for entry in index.left_out] == ["g1", "a1"]


def test_writes_are_counted_per_turn():
    limit = WriteLimit(1)
    limit.attempt()
    with pytest.raises(EntryError, match="limit of 1 entry per turn reached"):
        limit.attempt()
    limit.start_turn()
    limit.attempt()
    unlimited = WriteLimit(0)
    for _ in range(9):
        unlimited.attempt()


def test_ulids_sort_by_their_time():
    first, second = new_ulid(1_755_500_000_000), new_ulid(1_755_500_000_001)
    assert first[:10] < second[:10]
    alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
    value = 0
    for char in first[:10]:
        value = value * 32 + alphabet.index(char)
    assert value == 1_755_500_000_000
