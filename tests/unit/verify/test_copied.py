"""The copy that an agent is started in: the preview in it is that of the original."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent_memory import runtimes
from agent_memory.base.model import Block
from agent_memory.config.context import Context
from agent_memory.prompt.compose import compose
from agent_memory.runtimes.agents.programs import Program
from agent_memory.verify.copied import copied
from agent_memory.verify.requests import REQUESTS
from conformance.agents import fixtures, trees
from effort import scaled
from kit import unprivileged, write

PROGRAM = Program("x", "1", Path("/nowhere"), None, "PATH")


def assert_same(ctx: Context) -> None:
    """Compare the preview of each agent in the copy with the original one."""
    for agent_id in REQUESTS:
        with copied(ctx, runtimes.get(agent_id), PROGRAM) as copy:
            found = compose(copy.ctx, agent_id).blocks()
            theirs = [Block(block.role, copy.original(block.text)) for block in found]
        ours = compose(ctx, agent_id).blocks()
        # rules are in the order of the folder, which another folder may not have
        assert [sorted(block.text.split("\n")) for block in theirs] == [
            sorted(block.text.split("\n")) for block in ours
        ], agent_id


@pytest.mark.parametrize("name", fixtures.NAMES)
def test_each_behavior_is_kept(name, tmp_path):
    tree = fixtures.build(tmp_path, name)
    assert_same(Context(tree.home, tree.cwd, env={}))


@settings(max_examples=scaled(25), deadline=None)
@given(seed=st.integers(0, 10**9))
def test_random_trees_are_kept(seed, tmp_path_factory):
    tree = trees.build(tmp_path_factory.mktemp("tree"), seed)
    assert_same(Context(tree.home, tree.cwd, env={}))


@pytest.mark.parametrize(
    "target", ["/etc/hostname", "../" * 60 + "etc/hostname", "loop", "missing/x", "."]
)
def test_links_stay_inside_the_copy(target, tmp_path):
    root = write(tmp_path / "p", {".git/HEAD": "ref: refs/heads/main\n", "a/b": ""})
    (root / "CLAUDE.md").symlink_to(target)
    (root / "loop").symlink_to("loop")
    ctx = Context(write(tmp_path / "home", {".keep": ""}), root, env={})
    with copied(ctx, runtimes.get("claude-code"), PROGRAM) as copy:
        links = [path for path in copy.folder.rglob("*") if path.is_symlink()]
        assert links
        assert all(path.readlink().is_relative_to(copy.folder) for path in links)


def test_the_copy_is_a_repository_without_hooks(tmp_path):
    root = write(tmp_path / "p", {"CLAUDE.md": "x\n"})
    trees.git(root)
    write(
        root,
        {".git/hooks/post-checkout": "#!/bin/sh\n", ".git/config": "[core]\n\tfsmonitor = x\n"},
    )
    ctx = Context(write(tmp_path / "home", {".keep": ""}), root, env={})
    with copied(ctx, runtimes.get("claude-code"), PROGRAM) as copy:
        top = ["git", "-C", str(copy.ctx.cwd), "rev-parse", "--show-toplevel"]
        done = subprocess.run(top, check=True, capture_output=True, text=True)
        assert done.stdout.strip() == str(copy.ctx.cwd)
        assert not (copy.ctx.cwd / ".git/hooks").exists()
        assert "fsmonitor" not in (copy.ctx.cwd / ".git/config").read_text()
    assert not copy.folder.exists()


def test_an_error_of_the_caller_is_not_one_of_the_copy(tmp_path):
    root = write(tmp_path / "p", {".git/HEAD": ""})
    ctx = Context(write(tmp_path / "home", {".keep": ""}), root, env={})
    with (
        pytest.raises(OSError, match="no port is free"),
        copied(ctx, runtimes.get("claude-code"), PROGRAM),
    ):
        raise OSError("no port is free")


def test_the_number_of_copied_files_of_a_folder_is_limited(tmp_path, monkeypatch):
    monkeypatch.setattr("agent_memory.verify.copied.MAX_FILES", 3)
    home = write(tmp_path / "home", {f".claude-mpm/notes/{number}.md": "x" for number in range(5)})
    ctx = Context(home, write(tmp_path / "p", {".git/HEAD": ""}), env={})
    with copied(ctx, runtimes.get("claude-code"), PROGRAM) as copy:
        assert len(list((copy.ctx.home / ".claude-mpm/notes").iterdir())) == 3


@pytest.mark.skipif(os.name == "nt", reason="rights of POSIX")
@pytest.mark.parametrize("locked", [".claude", "docs", "../home/.claude", ".git", "."])
def test_folder_that_cannot_be_searched_is_left_out(tmp_path, locked):
    files = {".git/HEAD": "x", "CLAUDE.md": "# A\n", ".claude/rules/a.md": "- a\n"}
    root = write(tmp_path / "p", {**files, "docs/CLAUDE.md": "- b\n", "docs/sub/c.md": "- c\n"})
    home = write(tmp_path / "home", {".claude/CLAUDE.md": "- mine\n"})
    (root / "AGENTS.md").symlink_to("docs/sub/c.md")
    folder = root / locked
    ctx = Context(home, root, env={})
    folder.chmod(0)
    try:
        with (
            unprivileged(tmp_path),
            copied(ctx, runtimes.get("claude-code"), PROGRAM) as copy,
        ):
            is_copied = copy.ctx.cwd.joinpath("CLAUDE.md").is_file()
    finally:
        folder.chmod(0o755)
    assert is_copied is (locked != ".")
