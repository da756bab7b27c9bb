"""The prompt as a read-only document: ``agent-memory-prompt:/prompt.md?uri=...``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, quote, urlsplit

from agent_memory.lsp.features.feature import Feature
from agent_memory.lsp.features.prompt import PROJECT_KEYS, prompt
from agent_memory.lsp.protocol.methods import PROMPT_SCHEME
from agent_memory.lsp.transport.errors import BadParamsError
from agent_memory.lsp.transport.params import Params

if TYPE_CHECKING:
    from lsprotocol import types
    from pygls.lsp.server import LanguageServer

    from agent_memory.lsp.features.feature import Events
    from agent_memory.lsp.transport.client import Client
    from agent_memory.lsp.workspace.session import Session


class PromptDocument(Feature):
    """The document, its refresh after changes, and the command that opens it."""

    def __init__(self, session: Session, client: Client, events: Events) -> None:
        super().__init__(session, client, events)
        self._requested: set[str] = set()  # URIs

    def register(self, server: LanguageServer) -> None:
        """Register the request for the text of a prompt, and the command that opens one."""

        @server.feature("workspace/textDocumentContent")
        def content(params: types.TextDocumentContentParams) -> dict[str, Any]:
            text = document_text(self.session, params.uri)
            self._requested.add(params.uri)
            return {"text": text}

        @server.command("agentMemory.server.showPrompt")
        def show(params: Any) -> None:
            """Make the client show the prompt of the project that ``params`` choose."""
            self.client.request("window/showDocument", {"uri": uri_for(params), "takeFocus": True})

    def on_prompt_changed(self) -> None:
        """Refresh the documents that the client has requested."""
        for uri in self._requested:
            self.client.request("workspace/textDocumentContent/refresh", {"uri": uri})


def document_text(session: Session, uri: str) -> str:
    """Return the text of the prompt ``uri`` as the agent receives it, with secrets masked.

    Raises:
        BadParamsError, UsageError: ``uri`` is not the URI of a prompt, or has invalid parameters.

    """
    parts = urlsplit(uri)
    if parts.scheme != PROMPT_SCHEME:
        raise BadParamsError(f"the scheme must be {PROMPT_SCHEME}")
    text: str = prompt(session, dict(parse_qsl(parts.query)))["text"]
    return text


def uri_for(value: Any) -> str:
    """Return the URI of the prompt for ``value``, an object with some of ``PROJECT_KEYS``."""
    params = Params(value, PROJECT_KEYS)
    keys_and_values = [(key, params.text(key)) for key in PROJECT_KEYS]
    query = "&".join(f"{key}={quote(text, safe='')}" for key, text in keys_and_values if text)
    return f"{PROMPT_SCHEME}:/prompt.md{'?' if query else ''}{query}"
