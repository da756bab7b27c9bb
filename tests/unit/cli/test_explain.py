"""``explain`` and ``sources --all``: what each agent does with a file, in words and as JSON."""

from __future__ import annotations

import json

import pytest

from agent_memory import Memory
from kit import cli, project

FILES = {
    ".deepagents/agent-memory.toml": 'runtimes = ["claude-code", "codex"]\n',
    "AGENTS.md": "team\n",
    "CLAUDE.local.md": "mine\n",
    ".cursor/rules/a.mdc": "cursor\n",
    ".github/copilot-instructions.md": "copilot\n",
    ".clinerules": "cline\n",
    "sub/CLAUDE.md": "below\n",
    ".claude/commands/ship.md": "ship it\n",
    "QWEN.md": "qwen\n",
    "docs/guide.md": "no memory\n",
    "ignored/AGENTS.md": "a build result\n",
    "tests/fixtures/AGENTS.md": "test data\n",
    ".gitignore": "ignored/\n*.local.md\n",
}


@pytest.fixture
def ctx(tmp_path):
    return project(tmp_path, FILES, {".codex/AGENTS.md": "user\n"})


def test_explain_prints_an_answer_and_an_action_per_agent(ctx):
    out = cli(ctx, "explain", "AGENTS.md").out
    assert out.splitlines()[0] == f"AGENTS.md (agents start in {ctx.cwd})"
    assert "Claude Code  shadowed: " in out
    assert f"-> Add the line `@AGENTS.md` to {ctx.cwd}/CLAUDE.local.md" in out
    assert "Codex        loaded: file 2 of 2" in out
    assert "of the prompt, user message (own-wording)" in out


def test_explain_takes_a_line_from_1(ctx):
    assert cli(ctx, "explain", "AGENTS.md:1").out.startswith("AGENTS.md:1 ")
    done = cli(ctx, "explain", "AGENTS.md:2")
    assert done.code == 2
    assert "has 1 line, so there is no line 2" in done.err


def test_a_file_whose_name_ends_like_a_line(ctx):
    (ctx.cwd / "a.md:3").write_text("x")
    assert cli(ctx, "explain", "a.md:3").out.startswith("a.md:3 (")


def test_user_memory_is_explained_for_its_agent_unless_another_is_requested(tmp_path):
    home = {".deepagents/agent/agent.md": "mine\n", ".deepagents/writer/agent.md": "its own\n"}
    ctx = project(tmp_path, {"AGENTS.md": "team\n"}, home)
    path = ctx.home / ".deepagents/writer/agent.md"
    command = ("explain", str(path), "--runtime", "deepagentsdk")
    assert "deepagentsdk  loaded: the only file" in cli(ctx, *command).out
    assert "deepagentsdk  not-read: " in cli(ctx, *command, "--agent", "agent").out
    (answer,) = Memory(ctx.cwd, home=ctx.home, runtime="deepagentsdk").explain(path).answers
    assert str(answer.outcome) == "loaded"


def test_explain_as_json(ctx):
    value = json.loads(cli(ctx, "explain", "AGENTS.md", "--format", "json").out)
    assert [item["runtime"] for item in value["runtimes"]] == ["claude-code", "codex"]
    assert value["runtimes"][0]["by"]["path"] == str(ctx.cwd / "CLAUDE.local.md")
    assert value["runtimes"][0]["action"]["kind"] == "open"
    assert (value["shown"], value["line"], value["runtimesNote"]) == ("AGENTS.md", None, "")


def test_explain_of_one_runtime(ctx):
    value = cli(ctx, "explain", "AGENTS.md", "--format", "json", "--runtime", "opencode").out
    assert [item["runtime"] for item in json.loads(value)["runtimes"]] == ["opencode"]


def test_every_known_file_is_in_the_table_of_all_sources(ctx):
    value = json.loads(cli(ctx, "sources", "--all", "--format", "json").out)
    mine = str(ctx.cwd.parent)
    found = {item["shown"]: item for item in value["files"] if item["path"].startswith(mine)}
    assert list(found) == [
        ".claude/commands/ship.md",
        ".clinerules",
        ".cursor/rules/a.mdc",
        ".github/copilot-instructions.md",
        "AGENTS.md",
        "CLAUDE.local.md",
        "QWEN.md",
        "sub/CLAUDE.md",
        "~/.codex/AGENTS.md",
    ]
    assert found["AGENTS.md"]["readBy"] == ["codex"]
    assert found[".cursor/rules/a.mdc"]["madeFor"] == "Cursor"
    assert found[".clinerules"]["reason"]
    assert found[".clinerules"]["action"]["message"]
    assert found["sub/CLAUDE.md"]["outcome"] == "on-demand"
    assert found[".claude/commands/ship.md"]["outcome"] == "on-demand"
    assert found["~/.codex/AGENTS.md"]["scope"] == "user"
    assert value["complete"]


def test_each_unread_file_has_a_reason_and_an_action(ctx):
    lines = cli(ctx, "sources", "--all").out.splitlines()
    assert "Claude Code: the setting `runtimes`" in lines
    head = next(line for line in lines if line.startswith("file "))
    assert head.split() == ["file", "Claude", "Code", "Codex"]
    at = lines.index(".cursor/rules/a.mdc")
    assert lines[at + 1] == "  made for Cursor"
    assert lines[at + 2].startswith("  Claude Code: Claude Code does not look for this file")
    assert lines[at + 3].startswith("    -> ")


def test_the_api_answers_the_same(ctx):
    memory = Memory(ctx.cwd, home=ctx.home)
    answers = memory.explain("AGENTS.md").answers
    assert [str(item.outcome) for item in answers] == ["shadowed", "loaded"]
    table = memory.overview()
    assert {row.path for row in table.rows} >= {ctx.cwd / "AGENTS.md", ctx.cwd / ".clinerules"}
