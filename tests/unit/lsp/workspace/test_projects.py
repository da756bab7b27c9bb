"""Which files are checked in which project, and which folder is the active one."""

from __future__ import annotations

import pytest

from agent_memory.lsp.workspace.documents import Document
from agent_memory.lsp.workspace.session import Session
from kit import write


@pytest.fixture
def session(tmp_path):
    root = write(tmp_path / "ws", {".git/HEAD": "x", ".deepagents/AGENTS.md": "# A\n\n- one\n"})
    made = Session(write(tmp_path / "home", {".keep": ""}), {})
    made.set_folders([root])
    return made


def test_only_files_that_are_not_read_are_other_files(session, tmp_path):
    files = {".deepagents/agent.md": "# A\n", "AGENTS.md": "# B\n"}
    settings = {".deepagents/agent-memory.toml": 'runtimes = ["deepagentsdk"]\n'}
    root = write(tmp_path / "ws", {".git/HEAD": "x", **files, **settings})
    session.set_folders([root])
    read, other = root / ".deepagents/agent.md", root / "AGENTS.md"
    assert not session.set_other_files({root: [read]})
    assert session.set_other_files({root: [read, other]})
    assert session.all_paths().count(other) == 1
    assert not session.set_other_files({root: [read, other]})
    assert session.set_other_files({root: [read]})
    assert other not in session.all_paths()


def test_file_that_was_open_during_the_search_is_another_file(session):
    [root] = session.folders
    path = write(root, {"sub/AGENTS.md": "# B\n"}) / "sub/AGENTS.md"
    document = Document(path.as_uri(), "# B\n", 1)
    session.documents.open(document)
    session.findings(path)
    assert session.set_other_files({root: [path]})
    session.documents.close(document.uri)
    session.disk_changed()
    assert path in session.all_paths()


def test_nested_project_is_active_again_after_folders_change(session, tmp_path):
    [root] = session.folders
    nested = {".git/HEAD": "x", ".deepagents/AGENTS.md": "# B\n"}
    path = write(root / "sub", nested) / ".deepagents/AGENTS.md"
    session.projects.visit(path)
    assert session.projects.active == root / "sub"
    session.set_folders([root, write(tmp_path / "other", {})])
    session.projects.visit(path)
    assert session.projects.active == root / "sub"


@pytest.mark.parametrize("name", [".deepagents/agent.md", "CLAUDE.md"])
def test_recreated_file_that_a_runtime_reads_is_no_other_file(session, tmp_path, name):
    settings = 'runtimes = ["deepagentsdk", "claude-code"]\n'
    files = {".deepagents/agent.md": "# A\n", ".deepagents/agent-memory.toml": settings}
    root = write(tmp_path / "ws", {**files, "CLAUDE.md": "# B\n"})
    session.set_folders([root])
    path = root / name
    session.findings(path)
    path.unlink()
    session.store.forget(path)
    session.disk_changed()
    assert path not in session.all_paths()
    path.write_text("# A\n\n- two\n", "utf-8")
    session.store.forget(path)
    session.findings(path)  # a pull, before the watcher reports the file
    assert not session.set_other_files({root: [path]})
    assert session.projects.paths().count(path) == 1
