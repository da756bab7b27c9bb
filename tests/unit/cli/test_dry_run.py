"""`--dry-run` says that nothing was written, and nothing is."""

from __future__ import annotations

import json

import pytest

from kit import cli, project

FILES = {
    ".deepagents/agent.md": "# P\n\n## A\n\n- one\n",
    ".claude-mpm/memories/qa_memories.md": "# Agent Memory: qa\n\n- a\n- a\n",
    "out.txt": "# Add To Memory:\nType: pattern\nContent: Use a factory\n#\n",
}


@pytest.mark.parametrize(
    "args",
    [
        ("remember", "Use pnpm"),
        ("move", ".deepagents/agent.md:5", "--scope", "user"),
        ("split", ".deepagents/agent.md"),
        ("migrate", "--to", "AGENTS.md"),
        ("learn", "extract", "out.txt", "--agent", "qa"),
        ("learn", "clean"),
    ],
    ids=lambda args: " ".join(args[:2]),
)
def test_every_command_says_that_it_was_dry(tmp_path, monkeypatch, args):
    ctx = project(tmp_path, FILES, {})
    monkeypatch.chdir(ctx.cwd)

    def tree():
        return {
            path: path.read_bytes()
            for folder in (ctx.cwd, ctx.home)
            for path in folder.rglob("*")
            if path.is_file()
        }

    before = tree()
    done = cli(ctx, *args, "--dry-run")
    assert done.code == 0, done.err
    assert done.out.endswith("Dry run: nothing was written\n")
    assert "Added" not in done.out
    assert tree() == before


def test_json_has_a_field_for_it(tmp_path):
    ctx = project(tmp_path, FILES, {})
    extract = ("learn", "extract", str(ctx.cwd / "out.txt"), "--agent", "qa")
    for args in (("remember", "Use pnpm"), extract):
        done = cli(ctx, *args, "--dry-run", "--format", "json")
        assert json.loads(done.out)["written"] is False
