"""The prompt as a read-only document: ``agent-memory-prompt:/prompt.md?uri=...``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, quote, urlsplit

from agent_memory.lsp.features.prompt import PLACE, prompt
from agent_memory.lsp.protocol.capabilities import PROMPT_SCHEME
from agent_memory.lsp.transport.params import BadParamsError, Params

if TYPE_CHECKING:
    from agent_memory.lsp.server import MemoryServer
    from agent_memory.lsp.workspace.session import Session


def content(session: Session, value: Any) -> dict[str, Any]:
    """Answer ``workspace/textDocumentContent``: the block as the agent receives it, masked."""
    uri = Params(value, ("uri",)).needed("uri")
    parts = urlsplit(uri)
    if parts.scheme != PROMPT_SCHEME:
        raise BadParamsError(f"the scheme must be {PROMPT_SCHEME}")
    return {"text": prompt(session, dict(parse_qsl(parts.query)))["text"]}


def uri_for(value: Any) -> str:
    """Return the URI of the prompt that the parameters ``value`` ask for."""
    params = Params(value, PLACE)
    given = [(key, params.text(key)) for key in PLACE]
    query = "&".join(f"{key}={quote(text, safe='')}" for key, text in given if text)
    return f"{PROMPT_SCHEME}:/prompt.md{'?' if query else ''}{query}"


def register(server: MemoryServer) -> None:
    """Add the request; shown prompts follow every change."""
    session = server.session
    shown: set[str] = set()

    def answer(value: Any) -> dict[str, Any]:
        out = content(session, value)
        shown.add(value["uri"])
        return out

    def refresh() -> None:
        for uri in shown:
            server.connection.ask("workspace/textDocumentContent/refresh", {"uri": uri})

    server.connection.handlers["workspace/textDocumentContent"] = answer
    server.on_prompt.append(refresh)
