"""Existing paths of a project, and paths with a common ending."""

from __future__ import annotations

import weakref

import pytest

from agent_memory.fs import file_index
from agent_memory.fs.file_index import FileIndex, index_of
from agent_memory.lint.engine import check
from kit import project, write


@pytest.fixture(autouse=True)
def no_listing_of_before(monkeypatch):
    monkeypatch.setattr(file_index, "_listings", {})


def test_paths_and_endings(tmp_path):
    write(tmp_path, {"a/b/c.py": "", "d/b/c.py": "", "e.md": "", ".git/x": ""})
    found = FileIndex(tmp_path)
    assert found.has("a/b/c.py")
    assert found.has("a/b")
    assert not found.has("a/c.py")
    assert found.listing.ending("b/c.py") == ["a/b/c.py", "d/b/c.py"]
    assert found.listing.ending("b") == ["a/b", "d/b"]
    assert found.listing.ending("bb/c.py") == []
    assert "x" not in found.listing.by_name


def test_a_listing_is_cached_for_a_while(tmp_path):
    write(tmp_path, {"a.md": ""})
    first = FileIndex(tmp_path).listing
    write(tmp_path, {"b.md": ""})
    assert FileIndex(tmp_path).listing is first


def test_only_the_listings_of_some_projects_are_cached(tmp_path):
    first = weakref.ref(listing_of(tmp_path / "0"))
    kept = weakref.ref(listing_of(tmp_path / "1"))
    for number in range(2, 17):
        listing_of(tmp_path / str(number))
    assert first() is None
    assert kept() is not None


def listing_of(root):
    root.mkdir()
    return FileIndex(root).listing


def test_too_many_files_are_not_listed(tmp_path, monkeypatch):
    monkeypatch.setattr(file_index, "_MAX_FILES", 3)
    write(tmp_path, {f"{n}.md": "" for n in range(5)})
    assert FileIndex(tmp_path).listing is None


def test_a_slow_folder_is_not_listed(tmp_path, monkeypatch):
    monkeypatch.setattr(file_index, "_WALK_SECONDS", -1.0)
    write(tmp_path, {"a.md": ""})
    assert FileIndex(tmp_path).listing is None


def test_neither_the_home_folder_nor_user_memory_is_searched(tmp_path, monkeypatch):
    text = "# Notes\n\n- See `docs/none.md` and [it](docs/none.md).\n"
    home = {".deepagents/agent/AGENTS.md": text, "docs/a.md": "", "AGENTS.md": text}
    ctx = project(tmp_path, {"docs/a.md": ""}, home)
    monkeypatch.setattr(file_index, "_walk", None)
    at_home = ctx.with_(cwd=ctx.home)
    for asked in (ctx, at_home):
        paths = [ctx.home / ".deepagents/agent/AGENTS.md", ctx.home / "AGENTS.md"]
        found = check(asked, paths, "deepagents-code").findings
        assert not [item for item in found if item.code.startswith("AM5")]


def test_a_given_listing_does_not_read_the_disk(tmp_path):
    found = index_of(tmp_path, ["a/b.md"])
    assert found.has("a")
    assert found.has("a/b.md")
    assert not found.has("c.md")
    assert found.listing.folders == {"a"}
