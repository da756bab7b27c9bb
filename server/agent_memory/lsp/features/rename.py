"""Rename of a skill: its folder, its own name and all mentions of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import types

from agent_memory.base.model import Edit, Role
from agent_memory.base.text import Span
from agent_memory.l10n import t
from agent_memory.lsp.features.feature import Feature
from agent_memory.lsp.features.rename_links import Bases, PathMove, relinked
from agent_memory.lsp.features.skill_names import mentions, own_name, skill_at
from agent_memory.lsp.protocol import convert
from agent_memory.lsp.protocol.convert import real
from agent_memory.lsp.transport.errors import BadParamsError
from agent_memory.lsp.workspace.cursor import Cursor, cursor_at
from agent_memory.skills.skill_file import name_warning

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pygls.lsp.server import LanguageServer

    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lint.project import Project
    from agent_memory.lsp.workspace.session import Session


class Rename(Feature):
    """Renames skills, and updates links to moved files."""

    def register(self, server: LanguageServer) -> None:
        """Register the requests: renames of skills, and of files."""

        @server.feature(types.TEXT_DOCUMENT_PREPARE_RENAME)
        def on_prepare(params: types.PrepareRenameParams) -> dict[str, Any] | None:
            cursor = cursor_at(self.session, params.text_document.uri, params.position)
            return prepare(self.session, cursor) if cursor else None

        @server.feature(types.TEXT_DOCUMENT_RENAME)
        def on_rename(params: types.RenameParams) -> dict[str, Any] | None:
            cursor = cursor_at(self.session, params.text_document.uri, params.position)
            return rename(self.session, cursor, params.new_name) if cursor else None

        @server.feature(types.WORKSPACE_WILL_RENAME_FILES)
        def on_rename_files(params: types.RenameFilesParams) -> dict[str, Any] | None:
            """Return the edit for renames that the client is about to do itself."""
            uris = [(item.old_uri, item.new_uri) for item in params.files]
            pairs = [(convert.to_path(old), convert.to_path(new)) for old, new in uris]
            files = [(old, new) for old, new in pairs if old and new]  # URIs that are paths
            return edit_of_moves(self.session, files)


def prepare(session: Session, cursor: Cursor) -> dict[str, Any] | None:
    """Return {"range", "placeholder"} of the skill's name under the cursor, None elsewhere."""
    skill = skill_at(cursor)
    if skill is None:
        return None
    for path, span in mentions(cursor.view, skill.name):
        if path == cursor.path and cursor.is_in(span):
            return {"range": session.positions.range(path, span), "placeholder": skill.name}
    return None


def rename(session: Session, cursor: Cursor, name: str) -> dict[str, Any] | None:
    """Return the edit that renames the skill under the cursor to ``name``, None without a skill.

    The edit renames the skill's folder, unless that has the name already, and changes all mentions.

    Raises:
        BadParamsError: a runtime does not accept the name, another skill has it, or the editor
            cannot rename folders.
        UsageError: the edit would change a file outside of the folders that may be changed.

    """
    skill = skill_at(cursor)
    if skill is None:
        return None
    name = name.strip()
    folder = skill.path.parent
    target = _renamed_folder(folder, name)
    edits = [Edit(path, span, name) for path, span in mentions(cursor.view, skill.name)]
    renames: list[tuple[Path, Path]] = []
    if target != folder:  # else only `name` in SKILL.md differs from the folder's name
        if not session.capabilities.rename_files:
            raise BadParamsError(
                t(
                    "this editor cannot rename folders. Rename {0} to {1} manually and "
                    "change `name` in its SKILL.md.",
                    folder,
                    name,
                )
            )
        renames.append((folder, target))
    return session.edit(edits, renames=renames)


def _renamed_folder(folder: Path, name: str) -> Path:
    """Return the path that the ``folder`` of a skill has after the skill is renamed to ``name``.

    Raises:
        BadParamsError: a runtime does not accept the name, or another skill has it.

    """
    # The folder gets the same name. Not all runtimes accept other letters than those of ASCII.
    warning = name_warning(name, name, ascii_only=True)
    if warning:
        raise BadParamsError(t("'{0}' is not a valid skill name: {1}", name, warning))
    target = folder.with_name(name)
    # On a file system that ignores case, "review" exists already if the folder is "Review": it is
    # the same folder.
    if target.exists() and real(target) != real(folder):
        raise BadParamsError(t("a skill '{0}' already exists: {1}", name, target))
    return target


def edit_of_moves(session: Session, renames: list[tuple[Path, Path]]) -> dict[str, Any] | None:
    """Return the edit that updates names and links when files are renamed; None without changes.

    ``renames`` are (old path, new path), of files and folders.
    """
    edits: list[Edit] = []
    for old, new in renames:
        for view in session.projects.views():
            view.sync()
            for file in view.project.files.values():
                edits += _edits_of_move(view.project, file, old, new)
    if not edits:
        return None
    # Projects of nested folders can share a file: each edit is made once.
    return session.edit(list(dict.fromkeys(edits)))


def _edits_of_move(project: Project, file: MemoryFile, old: Path, new: Path) -> Iterator[Edit]:
    """Yield the edits of ``file`` when ``old``, a file or folder, is moved to ``new``.

    They change the ``name`` of a skill whose folder is renamed, and links to what is moved.
    """
    if file.source.role is Role.SKILL and file.path.parent == old:
        name_span = own_name(file)
        if name_span and file.source.name == old.name:  # another name does not follow the folder
            yield Edit(file.path, name_span, new.name)
    # Links within the moved folder stay valid; those that lead out of it are not updated.
    if file.path.is_relative_to(old):
        return
    for link in file.links:
        target = project.target_of(link, file.path)
        if target is None or not link.path:  # a URL, or a heading of the same file
            continue
        if real(target) == real(old) or real(target).is_relative_to(real(old)):
            bases = Bases(project.ctx.home, project.tree.root)
            path = relinked(file, link, target, bases, PathMove(old, new))
            end = link.start + len(link.path)  # the anchor stays
            yield Edit(file.path, Span.on_line(link.line, link.start, end), path)
