"""How a session detects changes on disk."""

from __future__ import annotations

import pytest

from agent_memory.lsp.workspace.session import Session
from kit import write


@pytest.fixture
def session(tmp_path):
    root = write(tmp_path / "ws", {".git/HEAD": "x", ".deepagents/AGENTS.md": "# A\n\n- one\n"})
    made = Session(write(tmp_path / "home", {".keep": ""}), {})
    made.set_folders([root])
    made.projects.views()
    return made


def test_unchanged_disk_is_no_difference(session):
    assert not session.disk_changed()


@pytest.mark.parametrize(
    "files",
    [
        {".deepagents/AGENTS.md": "# A\n\n- two\n"},
        {".deepagents/agent-memory.toml": "[rules]\nheading-only-file = 'error'\n"},
        {"pyproject.toml": "[tool.agent-memory.budget]\ntokens = 7\n"},
    ],
    ids=["memory", "settings", "pyproject"],
)
def test_change_before_watching_is_a_difference(session, files):
    write(session.folders[0], files)
    assert session.disk_changed()
    assert not session.disk_changed()
