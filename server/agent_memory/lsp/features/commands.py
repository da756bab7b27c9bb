"""Commands for clients that have no way to send our requests; each takes one object."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agent_memory.lsp.features import (
    prompt,
    prompt_document,
    recall,
    remember,
)
from agent_memory.lsp.protocol.capabilities import COMMANDS
from agent_memory.lsp.transport.params import BadParamsError

if TYPE_CHECKING:
    from collections.abc import Callable

    from agent_memory.lsp.server import MemoryServer


def register(server: MemoryServer) -> None:
    """Add ``workspace/executeCommand``."""
    session = server.session

    def show(value: Any) -> None:
        uri = prompt_document.uri_for(value)
        server.connection.ask("window/showDocument", {"uri": uri, "takeFocus": True})

    table: dict[str, Callable[[Any], Any]] = {
        "agentMemory.server.remember": lambda value: remember.run(server, value),
        "agentMemory.server.prompt": lambda value: prompt.prompt(session, value),
        "agentMemory.server.sources": lambda value: prompt.sources(session, value),
        "agentMemory.server.recall": lambda value: recall.recall(session, value),
        "agentMemory.server.targets": lambda value: remember.targets(session, value),
        "agentMemory.server.showPrompt": show,
    }

    def execute(params: Any) -> Any:
        name = params.get("command") if isinstance(params, dict) else None
        if not isinstance(name, str) or name not in table:
            raise BadParamsError(f"unknown command; known: {', '.join(COMMANDS)}")
        arguments = params.get("arguments") or []
        if not isinstance(arguments, list) or len(arguments) > 1:
            raise BadParamsError(f"{name} takes one object in 'arguments'")
        return table[name](arguments[0] if arguments else None)

    server.connection.handlers["workspace/executeCommand"] = execute
