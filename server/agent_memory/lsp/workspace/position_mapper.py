"""Positions in the client's terms: URIs as the client wrote them, columns in its units."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agent_memory.base.text import BOM, Span
from agent_memory.lsp.protocol import convert

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from agent_memory.base.model import Edit
    from agent_memory.base.text import Encoding
    from agent_memory.fs.overlay import Store
    from agent_memory.lsp.workspace.documents import Documents


class PositionMapper:
    """Translates the core's paths and spans for one client.

    ``encoding`` is the unit of the client's columns; ``folders`` are the workspace folders.
    """

    def __init__(self, store: Store, documents: Documents) -> None:
        self.store = store
        self.documents = documents
        self.encoding: Encoding = "utf-16"
        self.folders: list[Path] = []

    def uri(self, path: Path) -> str:
        """Return the URI that the client uses for ``path``.

        For an open document that is the URI with which the client opened it. Runtimes return real
        paths, so any other path in a workspace folder that is a symlink gets a URI through the
        symlink.
        """
        document = self.documents.at(path)
        if document:
            return document.uri
        for folder in self.folders:
            real_folder = convert.real(folder)
            if real_folder != folder and path.is_relative_to(real_folder):
                return (folder / path.relative_to(real_folder)).as_uri()
        return path.as_uri()

    def lines(self, path: Path) -> Sequence[str]:
        """Return the lines of ``path``, from its buffer if it is open."""
        return self.store.read(path).lines

    def range(self, path: Path, span: Span) -> dict[str, Any]:
        """Return ``span`` of ``path`` as an LSP range; without its BOM if the file is not open."""
        lines = self.lines(path)
        if lines and lines[0].startswith(BOM) and not self.store.is_open(path):
            lines = [lines[0][1:], *lines[1:]]  # editors do not show a BOM
            span = _without_bom(span)
        return convert.to_range(span, lines, self.encoding)

    def span(self, path: Path, value: Any) -> Span:
        """Return the span of an LSP range of ``path``.

        Raises:
            KeyError, TypeError: ``value`` is not a range.

        """
        return convert.to_span(value, self.lines(path), self.encoding)

    def location(self, path: Path, span: Span) -> dict[str, Any]:
        """Return ``span`` of ``path`` as an LSP location."""
        return {"uri": self.uri(path), "range": self.range(path, span)}

    def text_edits(self, edits: Iterable[Edit]) -> list[dict[str, Any]]:
        """Return ``edits`` of one file as LSP text edits."""
        return [
            {"range": self.range(edit.path, edit.span), "newText": self._text_for_client(edit)}
            for edit in edits
        ]

    def _text_for_client(self, edit: Edit) -> str:
        """Return the text of ``edit``, without a BOM if the file is not open.

        An editor keeps the BOM of a file on disk and does not count it as text.
        """
        return edit.text if self.store.is_open(edit.path) else edit.text.removeprefix(BOM)


def _without_bom(span: Span) -> Span:
    """Return ``span`` in a text without its BOM, which is one code point of line 0."""
    start = max(0, span.start - 1) if span.line == 0 else span.start
    end = max(0, span.end - 1) if span.end_line == 0 else span.end
    return Span(span.line, start, span.end_line, end)
