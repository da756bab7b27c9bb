"""Forgotten entries are in the trash, and can be restored."""

from __future__ import annotations

import os
import time

import pytest

from agent_memory.base.errors import UsageError
from agent_memory.entries.entry_file import render
from agent_memory.entries.markdown_store import MarkdownEntries
from agent_memory.entries.validation import Draft, EntryError
from kit import github_token


@pytest.fixture
def store(tmp_path):
    return MarkdownEntries(tmp_path / "store")


def test_forgotten_entry_is_restored_as_it_was(store):
    entry = store.put(Draft("agent", "feedback", "alpha", "b", "a", tags=("x",)))
    content = entry.path.read_bytes().replace(b"---\n\n", b"custom: 1\n---\n\n")
    entry.path.write_bytes(content)
    store.forget(entry.id)
    assert store.load() == []
    [gone] = store.trash().entries()
    assert (gone.entry.id, gone.entry.agent) == (entry.id, "a")
    assert store.trash().restore(entry.id).path == entry.path
    assert entry.path.read_bytes() == content
    assert store.trash().entries() == []


def test_current_one_of_two_entries_with_one_id_is_restored_first(store, monkeypatch):
    monkeypatch.setattr(time, "time", lambda: 1_700_000_000.0)
    monkeypatch.setattr(time, "time_ns", lambda: 1_700_000_000_000_000_000)
    entry = store.put(Draft("global", "user", "alpha", "b"))
    copy = store.root / "agents/a" / entry.path.name
    copy.parent.mkdir(parents=True)
    text = entry.path.read_text().replace("alpha", "beta").replace("scope: global", "scope: agent")
    copy.write_text(text)
    assert [item.summary for item in store.with_id(entry.id)] == ["alpha", "beta"]
    store.forget(entry.id)
    assert [item.entry.summary for item in store.trash().entries()] == ["beta", "alpha"]
    assert store.trash().restore(entry.id).path == copy
    assert [item.entry.summary for item in store.trash().entries()] == ["alpha"]


def test_entry_with_the_id_of_one_in_the_trash_does_not_replace_it(store):
    entry = store.put(Draft("global", "user", "alpha", "b"))
    store.forget(entry.id)
    store.put(Draft("global", "user", "beta", "b", id=entry.id))
    store.forget(entry.id)
    assert [item.entry.summary for item in store.trash().entries()] == ["beta", "alpha"]
    assert store.trash().restore(entry.id).summary == "beta"
    store.forget(entry.id)
    assert {item.entry.summary for item in store.trash().entries()} == {"alpha", "beta"}


def test_entry_that_another_program_removed_meanwhile_is_no_error(store):
    entries = [store.put(Draft("global", "user", text, "b")) for text in ("alpha", "beta")]
    entries[0].path.unlink()
    store.trash().put(entries)
    assert [gone.entry.id for gone in store.trash().entries()] == [entries[1].id]


def test_trash_is_ignored_by_git(store):
    store.forget(store.put(Draft("global", "user", "alpha", "b")).id)
    assert (store.root / ".trash/.gitignore").read_text() == "*\n"


def test_entry_with_a_secret_is_removed_for_good(store):
    entry = store.put(Draft("global", "user", "alpha", "body"))
    entry.path.write_text(render(entry).replace("body", github_token(3)))
    store.forget(entry.id)
    assert not entry.path.exists()
    assert store.trash().entries() == []


def test_secret_is_not_restored(store):
    entry = store.put(Draft("global", "user", "alpha", "body"))
    store.forget(entry.id)
    path = store.root / ".trash/global" / entry.path.name
    path.write_text(path.read_text().replace("body", github_token(4)))
    with pytest.raises(EntryError, match="contains a secret"):
        store.trash().restore(entry.id)
    assert store.load() == []


def test_entry_is_not_restored_over_another(store):
    entry = store.put(Draft("global", "user", "alpha", "b"))
    store.forget(entry.id)
    store.put(Draft("global", "user", "beta", "b", id=entry.id))
    with pytest.raises(UsageError, match="exists"):
        store.trash().restore(entry.id)


def test_unknown_entry_cannot_be_restored(store):
    with pytest.raises(EntryError, match="in the trash"):
        store.trash().restore("0" * 26)


def test_old_entries_are_removed_from_the_trash(store):
    ids = [store.put(Draft("global", "user", text, "b")).id for text in ("alpha", "beta")]
    for entry_id in ids:
        store.forget(entry_id)
    os.utime(store.root / ".trash/global" / f"{ids[0]}.md", (5, 5))
    assert store.trash().empty(before=6000) == 1
    assert [item.entry.id for item in store.trash().entries()] == [ids[1]]
    assert store.trash().empty() == 1


@pytest.mark.skipif(os.name == "nt", reason="links of POSIX")
def test_linked_trash_is_not_used(store, tmp_path):
    entry = store.put(Draft("global", "user", "alpha", "b"))
    (tmp_path / "elsewhere").mkdir()
    (store.root / ".trash").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(UsageError, match="outside"):
        store.forget(entry.id)
    assert entry.path.exists()
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_replaced_version_has_an_id_of_its_own_and_no_secret(store):
    entry = store.put(Draft("agent", "feedback", "alpha", "b", "a", tags=("x",)))
    store.trash().keep_version(entry)
    [kept] = store.trash().entries()
    assert kept.entry.id != entry.id
    assert (kept.entry.text, kept.entry.agent) == (entry.text, "a")
    entry.path.write_text(entry.path.read_text().replace("alpha", github_token()))
    [changed] = store.load()
    store.trash().keep_version(changed)
    assert len(store.trash().entries()) == 1
    assert store.trash().restore(kept.entry.id).summary == "alpha"
    assert len(store.load()) == 2
