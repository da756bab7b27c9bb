"""Code lenses and inlay hints: sizes where they are looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import types

from agent_memory.base.text import Span, body
from agent_memory.l10n import t
from agent_memory.lsp.features.file_summary import file_title, section_tokens
from agent_memory.lsp.workspace.cursor import file_at

if TYPE_CHECKING:
    from agent_memory.lsp.transport.pygls_adapter import Features
    from agent_memory.lsp.workspace.session import Session

PREVIEW = "agentMemory.server.showPrompt"


def lenses(session: Session, uri: str) -> list[dict[str, Any]]:
    """Return the lens above a document: tokens, place in the load order; it opens the prompt."""
    found = file_at(session, uri)
    if found is None or not session.option("codeLens", default=True):
        return []
    view, file = found
    where = session.places.range(file.path, Span(0, 0, 0, 0))
    title = file_title(view, file)
    command = session.client.preview_command or (PREVIEW if session.client.text_content else "")
    shown = {"title": title, "command": command}
    return [{"range": where, "command": shown | ({"arguments": [{"uri": uri}]} if command else {})}]


def hints(session: Session, uri: str, first: int, last: int) -> list[dict[str, Any]]:
    """Return the tokens of each section behind its heading, for lines ``first`` to ``last``."""
    found = file_at(session, uri)
    if found is None or not session.option("inlayHints", default=False):
        return []
    _, file = found
    out = []
    for heading in file.markdown.headings:
        if first <= heading.line <= last:
            end = len(body(file.lines[heading.line]))
            span = Span.on_line(heading.line, end, end)
            label = t("{0:,} tokens", section_tokens(file, heading))
            place = session.places.range(file.path, span)["start"]
            out.append({"position": place, "label": label, "paddingLeft": True})
    return out


def register(features: Features) -> None:
    """Add the requests, and bring what they show up to date after changes on disk."""
    session = features.session

    @features.feature(types.TEXT_DOCUMENT_CODE_LENS)
    def _lenses(params: types.CodeLensParams) -> list[dict[str, Any]]:
        return lenses(session, params.text_document.uri)

    @features.feature(types.TEXT_DOCUMENT_INLAY_HINT)
    def _hints(params: types.InlayHintParams) -> list[dict[str, Any]]:
        first, last = params.range.start.line, params.range.end.line
        return hints(session, params.text_document.uri, first, last)

    def refresh() -> None:
        if session.client.refresh_lenses:
            features.memory.connection.ask("workspace/codeLens/refresh", None)
        if session.client.refresh_hints:
            features.memory.connection.ask("workspace/inlayHint/refresh", None)

    features.memory.on_refresh.append(refresh)
