"""The role of a path, by its name and location."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent_memory.base.model import Role, Scope, Status
from agent_memory.config.context import Context
from agent_memory.runtimes.classify import classify, is_user_file, role_of
from kit import cli, project, write


@pytest.mark.parametrize(
    ("path", "role"),
    [
        ("AGENTS.md", Role.MEMORY),
        ("sub/agent.md", Role.MEMORY),
        ("docs/agents.md", None),  # a page about agents
        ("docs/agent.md", None),
        ("docs/cli/agent.md", None),
        ("docs/plans/2.0/agent.md", None),
        ("docs/2.0/notes/first/agent.md", None),
        ("docs/.deepagents/agent.md", Role.MEMORY),
        ("CLAUDE.md", Role.MEMORY),
        (".deepagents/skills/a/SKILL.md", Role.SKILL),
        (".claude-mpm/memories/qa_agent.md", Role.MEMORY),
        (".claude-mpm/memories/README.md", Role.NOTE),
        ("memory/global/01HZX3KQ7M8N9P0R1S2T3V4W5X.md", Role.ENTRY),
        (".deepagents/architecture.md", Role.NOTE),
        ("README.md", None),
        ("agent.txt", None),
        (".clinerules/a.md", Role.MEMORY),
        (".cline/rules/a.txt", Role.MEMORY),
        (".cline/rules/a.json", None),
        (".cline/a.md", None),
        ("x.cline/rules/a.md", None),
    ],
)
def test_a_path_has_the_role_of_its_name_and_location(path, role):
    assert role_of(Path("/project") / path) == role_of(Path(path)) == role


def test_a_file_the_runtime_does_not_read_has_a_scope_and_a_reason():
    ctx = Context(Path("/home"), Path("/project"), env={})
    user = classify(Path("/home/.deepagents/x/agent.md"), ctx)
    assert (user.scope, user.status) == (Scope.USER, Status.IGNORED)
    assert classify(Path("/project/CLAUDE.md"), ctx).scope is Scope.PROJECT
    assert user.reason


@pytest.mark.parametrize(
    ("path", "scope"),
    [
        (".claude/CLAUDE.md", Scope.USER),
        (".codex/AGENTS.md", Scope.USER),
        (".config/opencode/AGENTS.md", Scope.USER),
        (".config/other/AGENTS.md", Scope.PROJECT),
        (".cline/rules/style.md", Scope.USER),
        ("code/.claude/CLAUDE.md", Scope.PROJECT),
        (".codex/worktrees/1/app/AGENTS.md", Scope.PROJECT),  # a repository
    ],
)
def test_a_file_of_another_agent_in_the_home_is_of_the_user(tmp_path, path, scope):
    (tmp_path / ".claude/.git").mkdir(parents=True)  # a history of the user's own memory
    (tmp_path / ".codex/worktrees/1/app/.git").mkdir(parents=True)
    ctx = Context(tmp_path, tmp_path / "code", env={})
    assert classify(tmp_path / path, ctx).scope is scope
    assert is_user_file((tmp_path / path).parent, tmp_path) is (scope is Scope.USER)


def test_a_path_of_one_machine_may_be_in_the_users_file_of_another_agent(tmp_path):
    ctx = project(tmp_path, {".deepagents/AGENTS.md": "# A\n"}, {})
    text = "# A\n\n- see [notes](/home/me/x/notes.md)\n"
    files = {name: ctx.home / name for name in (".claude/CLAUDE.md", ".codex/AGENTS.md")}
    write(ctx.home, dict.fromkeys(files, text))
    for path in files.values():
        ran = cli(ctx, "check", str(path), "--runtime", "deepagents-code")
        assert "no findings" in ran.out


def test_a_repository_that_is_created_later_is_a_project(tmp_path):
    path = tmp_path / ".codex/worktrees/a/AGENTS.md"
    assert is_user_file(path, tmp_path)
    write(tmp_path, {".codex/worktrees/a/.git/HEAD": "x"})
    assert not is_user_file(path, tmp_path)
