"""``prompt --reading``: the block that is added when the agent reads a file."""

from __future__ import annotations

import json

import pytest

from agents_kit import install_claude
from kit import cli, project, write


def test_reading_shows_the_block_that_a_read_adds(tmp_path):
    rule = "---\npaths: 'sub/*.py'\n---\ntypes\n"
    files = {"CLAUDE.md": "c\n", "sub/CLAUDE.md": "below\n", ".claude/rules/py.md": rule}
    ctx = install_claude(tmp_path, project(tmp_path, files, {}))
    settings = {"agents.claude-code.path": str(tmp_path / "bin/claude")}
    write(
        ctx.home, {".deepagents/agent-memory.toml": json.dumps(settings)[1:-1].replace(":", " =")}
    )
    done = cli(ctx, "prompt", "--runtime", "claude-code", "--reading", "sub/app.py")
    assert done.out == (
        f"<system-reminder>\nFile {ctx.cwd}/sub/CLAUDE.md:\n\nbelow\n\n</system-reminder>\n\n"
        f"<system-reminder>\nFile {ctx.cwd}/.claude/rules/py.md:\n\ntypes\n\n</system-reminder>"
    )
    value = json.loads(
        cli(
            ctx, "prompt", "--runtime", "claude-code", "--reading", "sub/a.txt", "--format", "json"
        ).out
    )
    assert [item["path"] for item in value["sources"]] == [f"{ctx.cwd}/sub/CLAUDE.md"]


def test_an_agent_that_adds_nothing_says_so(tmp_path):
    ctx = project(tmp_path, {"AGENTS.md": "a\n"}, {})
    done = cli(ctx, "prompt", "--runtime", "codex", "--reading", "sub/app.py")
    assert (done.out, done.err) == (
        "",
        "agent-memory prompt: Codex adds nothing when it reads sub/app.py\n",
    )
    assert cli(ctx, "prompt", "--reading", "x", "--base", "y").code == 2


@pytest.mark.parametrize(
    ("runtime", "name"), [("gemini-cli", "GEMINI.md"), ("opencode", "AGENTS.md")]
)
def test_files_below_the_working_folder_are_added(runtime, name, tmp_path):
    ctx = project(tmp_path, {name: "root\n", f"a/{name}": "a\n", f"a/b/{name}": "b\n"}, {})
    value = json.loads(
        cli(ctx, "prompt", "--runtime", runtime, "--reading", "a/b/x.py", "--format", "json").out
    )
    assert {item["path"] for item in value["sources"]} == {
        f"{ctx.cwd}/a/{name}",
        f"{ctx.cwd}/a/b/{name}",
    }


def test_opencode_does_not_repeat_what_it_has(tmp_path):
    files = {
        "opencode.json": '{"instructions": ["a/AGENTS.md"]}',
        "a/AGENTS.md": "listed\n",
        "a/b/AGENTS.md": "b\n",
        "a/b/c/AGENTS.md": "c\n",
    }
    ctx = project(tmp_path, files, {})
    done = cli(ctx, "prompt", "--runtime", "opencode", "--reading", "a/b/c/AGENTS.md")
    assert done.out == (
        f"<system-reminder>\nFrom: {ctx.cwd}/a/b/AGENTS.md\nb\n\n</system-reminder>"
    )
