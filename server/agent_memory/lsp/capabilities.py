"""The answer to ``initialize``, as plain JSON: it is sent before pygls is imported.

A test holds that each capability has its handler and each handler its capability.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agent_memory import __version__

if TYPE_CHECKING:
    from agent_memory.lsp.client import Client

NAME = "agent-memory"
COMMANDS = (
    "agentMemory.server.remember",
    "agentMemory.server.prompt",
    "agentMemory.server.sources",
    "agentMemory.server.recall",
)
FIX_ALL = "source.fixAll.agentMemory"
REMEMBER = "refactor.move"
_INCREMENTAL = 2


def answer(client: Client) -> dict[str, Any]:
    """Return the InitializeResult for ``client``."""
    out: dict[str, Any] = {
        "positionEncoding": client.encoding,
        "textDocumentSync": {"openClose": True, "change": _INCREMENTAL, "save": True},
        "codeActionProvider": {"codeActionKinds": ["quickfix", FIX_ALL, REMEMBER]},
        "executeCommandProvider": {"commands": list(COMMANDS)},
        "workspace": {"workspaceFolders": {"supported": True, "changeNotifications": True}},
    }
    if client.pull:
        out["diagnosticProvider"] = {
            "identifier": NAME,
            "interFileDependencies": True,
            "workspaceDiagnostics": True,
        }
    return {"capabilities": out, "serverInfo": {"name": NAME, "version": __version__}}
