r"""Open documents: the text of each as a list of lines, edited in place.

pygls' own store splits lines at U+2028, form feeds and others when it applies a change and so
corrupts documents; this one splits at ``\r\n``, ``\n`` and ``\r`` only, as LSP says.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agent_memory.base.text import from_units, split_lines
from agent_memory.fs.reader import FileText
from agent_memory.lsp.protocol import convert

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from agent_memory.base.text import Encoding
    from agent_memory.fs.overlay import Store


class Document:
    """One open document. ``path`` is None if it is not a file, for example an unsaved buffer.

    ``real`` is the path without symlinks. ``lines`` include their line endings; joined they are
    the text.
    """

    def __init__(self, uri: str, text: str, version: int, language: str = "") -> None:
        self.uri = uri
        self.path = convert.to_path(uri)
        self.real = convert.real(self.path) if self.path else None
        self.version = version
        self.language = language
        self.lines = split_lines(text)
        self._contents: dict[Path, FileText] = {}  # by path: see content

    @property
    def text(self) -> str:
        """The whole text."""
        return "".join(self.lines)

    def content(self, path: Path) -> FileText:
        """Return the text as the content of ``path``; the same object until the next edit."""
        cached = self._contents.get(path)
        if cached:
            return cached
        text = self.text
        size = len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))
        content = FileText(path, text, size, symlink=path.is_symlink())
        # A cached property: this saves splitting again. A copy, because edits change `self.lines`.
        content.__dict__["lines"] = list(self.lines)
        self._contents[path] = content
        return content

    def apply(self, change: dict[str, Any], encoding: Encoding) -> None:
        """Apply one content change of ``textDocument/didChange``: {"text"} or {"text", "range"}.

        Without a range, the text replaces the whole document.

        Raises:
            KeyError, TypeError: the change is malformed.

        """
        text = change["text"]
        if not isinstance(text, str):
            raise TypeError("a change's text is not a string")
        self._contents.clear()
        lsp_range = change.get("range")
        if lsp_range is None:
            self.lines = split_lines(text)
            return
        first = self._position(lsp_range["start"], encoding)
        last = self._position(lsp_range["end"], encoding)
        if last < first:  # not valid in LSP; the same text is meant
            first, last = last, first
        self._splice(first, last, text)

    def _position(self, position: dict[str, int], encoding: Encoding) -> tuple[int, int]:
        r"""Return (line, column in code points) of an LSP position, clamped to the text.

        The end of a text with a final newline is column 0 of the line after the last one.

        Raises:
            TypeError: a coordinate is not an integer.

        """
        line, units = position["line"], position["character"]
        if not (isinstance(line, int) and isinstance(units, int)):
            raise TypeError("a position's line or character is not a number")
        lines = self.lines
        if 0 <= line < len(lines):
            return line, from_units(lines[line], units, encoding)
        if line < 0:
            return 0, 0
        if lines and not lines[-1].endswith(("\n", "\r")):  # the text ends in its last line
            return len(lines) - 1, len(lines[-1])
        return len(lines), 0

    def _splice(self, first: tuple[int, int], last: tuple[int, int], text: str) -> None:
        """Replace the text from ``first`` to ``last`` (exclusive), both (line, column)."""
        lines = self.lines
        (first_line, first_column), (last_line, last_column) = first, last
        # A position after a final newline is in a line that `lines` do not have.
        head = lines[first_line][:first_column] if first_line < len(lines) else ""
        tail = lines[last_line][last_column:] if last_line < len(lines) else ""
        changed = head + text + tail
        if changed.startswith("\n") and first_line and lines[first_line - 1].endswith("\r"):
            first_line -= 1  # "\r" and "\n" become one line ending
            changed = lines[first_line] + changed
        lines[first_line : last_line + 1] = split_lines(changed)


class Documents:
    """All open documents; each overlays its file on disk in the store."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._by_uri: dict[str, Document] = {}

    def __iter__(self) -> Iterator[Document]:
        return iter(self._by_uri.values())

    def __len__(self) -> int:
        return len(self._by_uri)

    def get(self, uri: str) -> Document | None:
        """Return the document ``uri``, None if it is not open."""
        return self._by_uri.get(uri)

    def at(self, path: Path) -> Document | None:
        """Return the document of ``path``, also if it was opened through a symlink.

        None if it is not open.
        """
        for document in self._by_uri.values():
            if path in (document.path, document.real):
                return document
        return None

    def open(self, document: Document) -> None:
        """Overlay the file with ``document``."""
        self._by_uri[document.uri] = document
        for path in _paths_of(document):
            self._overlay(document, path)

    def close(self, uri: str) -> Document | None:
        """Close the document ``uri`` and return it, None if it was not open.

        Its overlay is removed. If the same file is also open under another name, the overlay is
        that document from now on.
        """
        document = self._by_uri.pop(uri, None)
        for path in _paths_of(document) if document else ():
            other = self.at(path)
            if other:
                self._overlay(other, path)
            else:
                self._store.uncover(path)
        return document

    def _overlay(self, document: Document, path: Path) -> None:
        """Make each read of ``path`` from the store return the current text of ``document``."""
        self._store.overlay(path, lambda: document.content(path))


def _paths_of(document: Document) -> set[Path]:
    """Return the document's paths: as it was opened, and without symlinks."""
    return {path for path in (document.path, document.real) if path}
