"""The cursor in a memory file, with the file and its project."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from agent_memory.base.text import from_units, without_newline
from agent_memory.lsp.protocol import convert

if TYPE_CHECKING:
    from pathlib import Path

    from lsprotocol import types

    from agent_memory.base.text import Span
    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lsp.workspace.project_view import ProjectView
    from agent_memory.lsp.workspace.session import Session


@dataclass(frozen=True, slots=True)
class Cursor:
    """A position in a memory file.

    ``line`` counts from 0, ``column`` in code points; ``text`` is the line without its newline.
    """

    view: ProjectView
    file: MemoryFile
    line: int
    column: int
    text: str

    @property
    def path(self) -> Path:
        """The path of the file."""
        return self.file.path

    @property
    def before(self) -> str:
        """The part of the line before the cursor."""
        return self.text[: self.column]

    def is_in(self, span: Span) -> bool:
        """Whether the cursor is in ``span`` of its file, or at the start or the end of ``span``."""
        start, end = (span.line, span.start), (span.end_line, span.end)
        return start <= (self.line, self.column) <= end


def file_at(session: Session, uri: str) -> tuple[ProjectView, MemoryFile] | None:
    """Return (project, file) of ``uri``, both up to date.

    None if it is not a memory file (``Projects.is_memory_file``), or does not exist.
    """
    path = convert.to_path(uri)
    if path is None or not session.projects.is_memory_file(path):
        return None
    view = session.projects.view_of(path)
    view.sync(path)
    file = view.project.files.get(path)
    return (view, file) if file else None


def cursor_at(session: Session, uri: str, position: types.Position) -> Cursor | None:
    """Return the cursor at ``position`` of ``uri``, None if :func:`file_at` returns None.

    A column after the end of the line counts as its end. After a final newline, the cursor is on an
    empty line that ``lines`` of the file do not have.
    """
    view_and_file = file_at(session, uri)
    if view_and_file is None:
        return None
    view, file = view_and_file
    line = position.line
    text = file.lines[line] if line < len(file.lines) else ""
    column = from_units(text, position.character, session.positions.encoding)
    return Cursor(view, file, line, column, without_newline(text))
