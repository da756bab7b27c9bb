"""Folding: sections, fenced code, front matter and multi-line comments."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import types

from agent_memory.lsp.features.feature import Feature
from agent_memory.lsp.workspace.cursor import file_at
from agent_memory.markdown.model import LineKind
from agent_memory.markdown.parser import section_end

if TYPE_CHECKING:
    from pygls.lsp.server import LanguageServer

    from agent_memory.markdown.model import Markdown


class Folding(Feature):
    """Finds the parts of a document that fold."""

    def register(self, server: LanguageServer) -> None:
        """Register the request."""

        @server.feature(types.TEXT_DOCUMENT_FOLDING_RANGE)
        def folding(params: types.FoldingRangeParams) -> list[dict[str, Any]]:
            view_and_file = file_at(self.session, params.text_document.uri)
            if view_and_file is None:
                return []
            _, file = view_and_file
            return ranges(file.markdown)


def ranges(scan: Markdown) -> list[dict[str, Any]]:
    """Return the LSP folding ranges of a scanned file, by first line, the larger ones first."""
    out: list[dict[str, Any]] = []

    def fold(first: int, last: int, kind: str = "") -> None:
        """Add the range of the lines ``first`` to ``last``, both included, counted from 0.

        ``kind`` is a FoldingRangeKind of LSP, '' for none.
        """
        # Blank lines at the end stay visible; a single line does not fold.
        while last > first and scan.kinds[last] is LineKind.BLANK:
            last -= 1
        if last > first:
            folding_range: dict[str, Any] = {"startLine": first, "endLine": last}
            if kind:
                folding_range["kind"] = kind
            out.append(folding_range)

    if scan.front_matter:
        fold(*scan.front_matter, "region")
    for heading in scan.headings:
        fold(heading.line, section_end(scan, heading) - 1)
    last_line = len(scan.kinds) - 1
    for fence in scan.fences:  # a fence that is not closed extends to the end of the file
        fold(fence.open, last_line if fence.close is None else fence.close)
    for comment in scan.comments:
        fold(comment.span.line, comment.span.end_line, "comment")
    return sorted(out, key=lambda folding: (folding["startLine"], -folding["endLine"]))
