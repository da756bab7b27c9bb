"""Code lenses and inlay hints: the sizes of files and sections."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import types

from agent_memory.base.text import Span, without_newline
from agent_memory.l10n import t
from agent_memory.lsp.features.feature import Feature
from agent_memory.lsp.features.file_summary import file_title, section_tokens
from agent_memory.lsp.workspace.cursor import file_at

if TYPE_CHECKING:
    from pygls.lsp.server import LanguageServer

    from agent_memory.lsp.workspace.session import Session

PREVIEW = "agentMemory.server.showPrompt"


class CodeLens(Feature):
    """Shows sizes in the text, and refreshes them after changes on disk."""

    def register(self, server: LanguageServer) -> None:
        """Register the requests."""

        @server.feature(types.TEXT_DOCUMENT_CODE_LENS)
        def _lenses(params: types.CodeLensParams) -> list[dict[str, Any]]:
            return lenses(self.session, params.text_document.uri)

        @server.feature(types.TEXT_DOCUMENT_INLAY_HINT)
        def _hints(params: types.InlayHintParams) -> list[dict[str, Any]]:
            first, last = params.range.start.line, params.range.end.line
            return hints(self.session, params.text_document.uri, first, last)

    def on_change(self) -> None:
        """Make the client request both again."""
        if self.session.capabilities.refresh_lenses:
            self.client.request("workspace/codeLens/refresh", None)
        if self.session.capabilities.refresh_hints:
            self.client.request("workspace/inlayHint/refresh", None)


def lenses(session: Session, uri: str) -> list[dict[str, Any]]:
    """Return the lens above a document: its tokens and load order.

    It opens the prompt if the client can show it; otherwise it has no command and is only text.
    """
    found = file_at(session, uri)
    if found is None or not session.option("codeLens", default=True):
        return []
    view, file = found
    where = session.positions.range(file.path, Span(0, 0, 0, 0))
    title = file_title(view, file)
    client = session.capabilities
    command = client.preview_command or (PREVIEW if client.text_content else "")
    shown = {"title": title, "command": command}
    return [{"range": where, "command": shown | ({"arguments": [{"uri": uri}]} if command else {})}]


def hints(session: Session, uri: str, first: int, last: int) -> list[dict[str, Any]]:
    """Return a hint after each heading on lines ``first`` to ``last`` (from 0): its tokens."""
    found = file_at(session, uri)
    if found is None or not session.option("inlayHints", default=False):
        return []
    _, file = found
    out = []
    for heading in file.markdown.headings:
        if first <= heading.line <= last:
            end = len(without_newline(file.lines[heading.line]))
            span = Span.on_line(heading.line, end, end)
            label = t("{0:,} tokens", section_tokens(file, heading))
            place = session.positions.range(file.path, span)["start"]
            out.append({"position": place, "label": label, "paddingLeft": True})
    return out
