"""Files that look like memory but that the chosen runtime does not find."""

from __future__ import annotations

import pytest

from agent_memory.lint.open_project import open_project
from agent_memory.prompt.unread_files import Why
from kit import project, with_settings


def _unread(ctx, runtime):
    found = open_project(ctx, runtime).unread_files
    return [(item.source.path.name, item.why, item.taken) for item in found]


@pytest.mark.parametrize(
    ("runtime", "files", "home", "expected"),
    [
        ("deepagents-code", {"AGENTS.md": "a"}, {}, []),
        ("deepagents-code", {"agents.md": "a"}, {}, [("agents.md", Why.CASE, False)]),
        ("deepagents-code", {"agent.md": "a"}, {}, [("agent.md", Why.GENERATION, False)]),
        (
            "deepagents-code",
            {".deepagents/AGENTS.md": "a", ".deepagents/agent.md": "b"},
            {},
            [("agent.md", Why.BOTH, True)],
        ),
        (
            "deepagents-code",
            {".deepagents/AGENTS.md.txt": "a"},
            {},
            [("AGENTS.md.txt", Why.NAME, False)],
        ),
        (
            "deepagents-code",
            {},
            {".deepagents/AGENTS.md": "a"},
            [("AGENTS.md", Why.PLACE, False)],
        ),
        ("deepagentsdk", {"AGENTS.md": "a", ".deepagents/agent.md": "b"}, {}, []),
        ("deepagentsdk", {"AGENTS.md": "a"}, {}, [("AGENTS.md", Why.GENERATION, False)]),
        ("deepagents-code", {"agents.txt": "people", "AGENTS.md": "a"}, {}, []),
        ("deepagents-cli", {"agent.md": "a", "Agent.md": "b"}, {}, []),
    ],
)
def test_unread_files_are_found(tmp_path, runtime, files, home, expected):
    assert _unread(project(tmp_path, files, home), runtime) == expected


def test_an_unread_file_is_part_of_the_check(tmp_path):
    ctx = project(tmp_path, {"agents.md": "- a\u200bb\n"}, {})
    assert ctx.cwd / "agents.md" in open_project(ctx, "deepagents-code").files


def test_a_file_of_the_settings_is_not_unread(tmp_path):
    ctx = project(tmp_path, {}, {".deepagents/AGENTS.md": "a", ".deepagents/agent/AGENTS.md": "b"})
    sources = [str(ctx.user_folder / name) for name in ("AGENTS.md", "agent/AGENTS.md")]
    assert _unread(with_settings(ctx, sources=sources), "deepagents") == []
