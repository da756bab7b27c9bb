"""Asking a project for paths, and for all that end alike."""

from __future__ import annotations

import pytest

from agent_memory import tree
from agent_memory.tree import Tree, know
from kit import write


@pytest.fixture(autouse=True)
def no_listing_of_before(monkeypatch):
    monkeypatch.setattr(tree, "_listings", {})


def test_paths_and_endings(tmp_path):
    write(tmp_path, {"a/b/c.py": "", "d/b/c.py": "", "e.md": "", ".git/x": ""})
    found = Tree(tmp_path)
    assert found.has("a/b/c.py")
    assert found.has("a/b")
    assert not found.has("a/c.py")
    assert found.listing.ending("b/c.py") == ["a/b/c.py", "d/b/c.py"]
    assert found.listing.ending("b") == ["a/b", "d/b"]
    assert found.listing.ending("bb/c.py") == []
    assert "x" not in found.listing.by_name


def test_a_listing_is_kept_for_a_while(tmp_path):
    write(tmp_path, {"a.md": ""})
    first = Tree(tmp_path).listing
    write(tmp_path, {"b.md": ""})
    assert Tree(tmp_path).listing is first


def test_too_many_files_are_not_listed(tmp_path, monkeypatch):
    monkeypatch.setattr(tree, "_MAX_FILES", 3)
    write(tmp_path, {f"{n}.md": "" for n in range(5)})
    assert Tree(tmp_path).listing is None


def test_a_known_tree_does_not_ask_the_disk(tmp_path):
    found = know(tmp_path, ["a/b.md"])
    assert found.has("a")
    assert found.has("a/b.md")
    assert not found.has("c.md")
    assert found.listing.folders == {"a"}
