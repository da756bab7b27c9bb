"""The role of a path, by its name and location."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent_memory.base.model import Role, Scope, Status
from agent_memory.config.context import Context
from agent_memory.runtimes.classify import classify, role_of


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
