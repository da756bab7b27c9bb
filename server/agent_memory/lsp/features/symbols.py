"""Symbols: the headings of a document as a tree, those of all projects as a list."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import types

from agent_memory.base.model import Role
from agent_memory.base.text import Span
from agent_memory.l10n import t
from agent_memory.lsp.features.feature import Feature
from agent_memory.lsp.workspace.cursor import file_at
from agent_memory.markdown.parser import section_end

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pygls.lsp.server import LanguageServer

    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lsp.workspace.session import Session

_SECTION = int(types.SymbolKind.String)  # as VS Code has it for headings
_SKILL = int(types.SymbolKind.Function)
_MAX = 500
"""Symbols in one answer about the workspace."""


class Symbols(Feature):
    """Lists headings and skills."""

    def register(self, server: LanguageServer) -> None:
        """Register the requests for the symbols of a document and of the workspace."""

        @server.feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
        def of_document(params: types.DocumentSymbolParams) -> list[dict[str, Any]]:
            return document_symbols(self.session, params.text_document.uri)

        @server.feature(types.WORKSPACE_SYMBOL)
        def of_workspace(params: types.WorkspaceSymbolParams) -> list[dict[str, Any]]:
            return workspace_symbols(self.session, params.query)


def document_symbols(session: Session, uri: str) -> list[dict[str, Any]]:
    """Return the headings of a document as symbols: a tree if the client supports it, or a list.

    [] if it is not a memory file.
    """
    view_and_file = file_at(session, uri)
    if view_and_file is None:
        return []
    _, file = view_and_file
    tree = _tree(session, file)
    return tree if session.capabilities.nested_symbols else list(_flat(uri, tree))


def _flat(uri: str, tree: list[dict[str, Any]], parent: str = "") -> Iterator[dict[str, Any]]:
    """Yield the symbols of ``tree`` as a flat list, each followed by its children.

    ``parent`` is the name of the symbol that contains all of ``tree``, '' for none.
    """
    for symbol_tree in tree:
        location = {"uri": uri, "range": symbol_tree["range"]}
        symbol: dict[str, Any] = {
            "name": symbol_tree["name"],
            "kind": symbol_tree["kind"],
            "location": location,
        }
        if parent:
            symbol["containerName"] = parent
        yield symbol
        yield from _flat(uri, symbol_tree["children"], symbol_tree["name"])


def _tree(session: Session, file: MemoryFile) -> list[dict[str, Any]]:
    """Return the outermost headings as symbols; ``children`` are those of the subsections."""
    top: list[dict[str, Any]] = []
    # (level, symbol) of the sections that contain the current heading, the outermost first.
    above: list[tuple[int, dict[str, Any]]] = []
    for heading in file.markdown.headings:
        end = section_end(file.markdown, heading)
        symbol: dict[str, Any] = {
            "name": heading.text or t("(no title)"),
            "kind": _SECTION,
            "range": session.positions.range(file.path, Span(heading.line, 0, end, 0)),
            "selectionRange": session.positions.range(file.path, file.line_span(heading.line)),
            "children": [],
        }
        while above and above[-1][0] >= heading.level:
            above.pop()
        _, parent = above[-1] if above else (0, None)
        siblings = parent["children"] if parent else top
        siblings.append(symbol)
        above.append((heading.level, symbol))
    return top


def workspace_symbols(session: Session, query: str) -> list[dict[str, Any]]:
    """Return the headings and skills of all projects whose name contains ``query``.

    Case does not count. At most ``_MAX`` symbols are returned.
    """
    wanted = query.casefold()
    out: list[dict[str, Any]] = []
    for view in session.projects.views():
        view.sync()
        for path, file in view.project.files.items():
            container = f"{path.parent.name}/{path.name}"
            for name, kind, span in _names_in(file):
                if name and wanted in name.casefold():
                    location = session.positions.location(path, span)
                    symbol = {"name": name, "kind": kind, "location": location}
                    out.append({**symbol, "containerName": container})
                if len(out) >= _MAX:
                    return out
    return out


def _names_in(file: MemoryFile) -> Iterator[tuple[str, int, Span]]:
    """Yield (name, SymbolKind, span) of the skill that ``file`` defines, and of each heading.

    The name of a heading without a text is ''.
    """
    if file.source.role is Role.SKILL and file.source.name:
        yield file.source.name, _SKILL, Span(0, 0, 0, 0)
    for heading in file.markdown.headings:
        yield heading.text, _SECTION, file.line_span(heading.line)
