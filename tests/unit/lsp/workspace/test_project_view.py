"""A view follows several changed buffers at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.fs.reader import decode
from agent_memory.lsp.workspace.project_view import ProjectView
from kit import project

if TYPE_CHECKING:
    from pathlib import Path

    from agent_memory.config.context import Context


def edit(ctx: Context, path: Path, text: str) -> None:
    """Open ``path`` in the editor with ``text``."""
    content = decode(path, text.encode())
    ctx.store.overlay(path, lambda: content)


def test_file_edited_while_another_becomes_empty_has_its_new_source(tmp_path):
    files, home = {".deepagents/AGENTS.md": "- a\n"}, {".deepagents/agent/AGENTS.md": "- me\n"}
    ctx = project(tmp_path, files, home)
    of_user = ctx.home / ".deepagents/agent/AGENTS.md"
    of_project = ctx.cwd / ".deepagents/AGENTS.md"
    edit(ctx, of_user, "- me\n")
    edit(ctx, of_project, "- a\n")
    view = ProjectView(ctx, "deepagents-code")
    assert view.project.files[of_project].source.order == 2
    edit(ctx, of_user, "")
    edit(ctx, of_project, "- b\n")
    view.sync(of_user)
    file = view.project.files[of_project]
    assert file.lines == ["- b\n"]
    assert file.source.order == 1
    assert file.source in view.project.sources


def test_file_that_is_no_longer_read_is_not_added_again_by_its_edit(tmp_path):
    ctx = project(tmp_path, {"CLAUDE.md": "@docs/a.md\n", "docs/a.md": "- a\n"}, {})
    importing, imported = ctx.cwd / "CLAUDE.md", ctx.cwd / "docs/a.md"
    edit(ctx, importing, "@docs/a.md\n")
    edit(ctx, imported, "- a\n")
    view = ProjectView(ctx, "claude-code")
    assert view.paths() == [importing, imported]
    edit(ctx, importing, "")
    edit(ctx, imported, "- b\n")
    view.sync(importing)
    assert view.paths() == [importing]
