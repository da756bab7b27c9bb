"""Files of agents without a runtime are recognized by their name and folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent_memory.base.model import Role
from agent_memory.config.context import Context
from agent_memory.runtimes.classify import classify, role_of
from agent_memory.runtimes.instruction_files import agent_of_instructions
from kit import cli, project

READ = {
    ".cursorrules": "Cursor",
    "web/.cursor/rules/ui/forms.mdc": "Cursor",
    ".claude/rules/tests.md": "Claude Code",
    ".claude/agents/reviewer.md": "Claude Code",
    ".claude/commands/git/release.md": "Claude Code",
    ".windsurf/rules/style.md": "Windsurf",
    ".clinerules": "Cline",
}


@pytest.mark.parametrize(("path", "agent"), READ.items())
def test_file_of_another_agent_is_instructions(path, agent):
    assert agent_of_instructions(Path("/p", path)) == agent
    assert role_of(Path("/p", path)) is Role.INSTRUCTIONS


@pytest.mark.parametrize(
    ("path", "agent"),
    [
        (".github/copilot-instructions.md", "GitHub Copilot"),
        (".github/instructions/python.instructions.md", "GitHub Copilot"),
        (".clinerules/style.md", "Cline"),
    ],
)
def test_file_of_an_agent_with_a_runtime_is_memory(path, agent):
    assert agent_of_instructions(Path("/p", path)) == agent
    assert role_of(Path("/p", path)) is Role.MEMORY


@pytest.mark.parametrize(
    "path",
    [
        "docs/rules/style.md",
        "copilot-instructions.md",
        ".claude/settings.json",
        ".claude/docs/tests.md",
        ".claude/agents/README.md",
        ".github/pull_request_template.md",
        "cursorrules.md",
    ],
)
def test_other_files_are_not(path):
    assert agent_of_instructions(Path("/p", path)) == ""
    assert role_of(Path("/p", path)) is None


def test_reason_names_the_agent():
    ctx = Context(Path("/h"), Path("/p"), env={})
    assert "GitHub Copilot" in classify(Path("/p/.github/copilot-instructions.md"), ctx).reason


def test_check_of_a_folder_finds_them(tmp_path):
    bad = "See [the guide](gone.md).\n"
    ctx = project(tmp_path, {path: bad for path in READ if path != ".clinerules"}, {})
    ran = cli(ctx, "check", ".")
    assert ran.out.count("AM502") == len(READ) - 1
    assert "deepagents" not in ran.out
