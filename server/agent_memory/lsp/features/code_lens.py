"""Code lenses and inlay hints: the sizes of files and sections."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import types

from agent_memory.base.text import Span, without_newline
from agent_memory.lsp.features.feature import Feature
from agent_memory.lsp.features.file_summary import file_title, section_tokens, tokens_text
from agent_memory.lsp.workspace.cursor import file_at

if TYPE_CHECKING:
    from pygls.lsp.server import LanguageServer

    from agent_memory.lsp.workspace.session import Session

PREVIEW = "agentMemory.server.showPrompt"
"""The server's command that makes the client show the prompt."""


class CodeLens(Feature):
    """Shows sizes in the text, and refreshes them after changes on disk or of settings."""

    def register(self, server: LanguageServer) -> None:
        """Register the requests for code lenses and inlay hints."""

        @server.feature(types.TEXT_DOCUMENT_CODE_LENS)
        def _lenses(params: types.CodeLensParams) -> list[dict[str, Any]]:
            return lenses(self.session, params.text_document.uri)

        @server.feature(types.TEXT_DOCUMENT_INLAY_HINT)
        def _hints(params: types.InlayHintParams) -> list[dict[str, Any]]:
            first, last = params.range.start.line, params.range.end.line
            return hints(self.session, params.text_document.uri, first, last)

    def on_change(self) -> None:
        """Make the client request lenses and hints again, each if it supports that."""
        if self.session.capabilities.refresh_lenses:
            self.client.request("workspace/codeLens/refresh", None)
        if self.session.capabilities.refresh_hints:
            self.client.request("workspace/inlayHint/refresh", None)


def lenses(session: Session, uri: str) -> list[dict[str, Any]]:
    """Return [lens] above a memory file: its tokens and load order.

    The lens opens the prompt if the client can show it; otherwise its command is '' and it is only
    text. [] if ``uri`` is not a memory file, or if lenses are off in the active folder.
    """
    view_and_file = file_at(session, uri)
    if view_and_file is None or not session.settings.option(
        "codeLens", session.projects.cwd_of(None), default=True
    ):
        return []
    view, file = view_and_file
    client = session.capabilities
    # The editor's own command comes first; the server's command needs a client that can show
    # documents which the server composes. LSP requires a command: '' does nothing.
    name = client.preview_command or (PREVIEW if client.text_content else "")
    command: dict[str, Any] = {"title": file_title(view, file), "command": name}
    if name:
        command["arguments"] = [{"uri": uri}]
    first_line = session.positions.range(file.path, Span(0, 0, 0, 0))
    return [{"range": first_line, "command": command}]


def hints(session: Session, uri: str, first: int, last: int) -> list[dict[str, Any]]:
    """Return a hint after each heading on lines ``first`` to ``last`` (from 0), both included.

    It shows the tokens of the section. [] if ``uri`` is not a memory file, or if hints are off in
    the active folder.
    """
    view_and_file = file_at(session, uri)
    if view_and_file is None or not session.settings.option(
        "inlayHints", session.projects.cwd_of(None), default=False
    ):
        return []
    _, file = view_and_file
    out = []
    for heading in file.markdown.headings:
        if first <= heading.line <= last:
            end = len(without_newline(file.lines[heading.line]))
            span = Span.on_line(heading.line, end, end)
            label = tokens_text(section_tokens(file, heading))
            position = session.positions.range(file.path, span)["start"]
            out.append({"position": position, "label": label, "paddingLeft": True})
    return out
