"""``agentMemory/status``: what somebody needs who is asked why the server does what it does."""

from __future__ import annotations

import platform
from typing import TYPE_CHECKING, Any

from agent_memory.base.version import __version__
from agent_memory.lsp.transport.params import Params

if TYPE_CHECKING:
    from agent_memory.lsp.server import MemoryServer


def register(server: MemoryServer) -> None:
    """Add the request."""

    def status(params: Any) -> dict[str, Any]:
        Params(params, ())
        session = server.session
        problems = [
            str(item) for folder in session.places_asked() for item in session.settings(folder)[1]
        ]
        return {
            "version": __version__,
            "python": platform.python_version(),
            "watching": server.watching.status(),
            "settings": problems,
            "encoding": session.client.encoding,
            "pull": session.client.pull,
            "documents": len(session.documents),
        }

    server.connection.handlers["agentMemory/status"] = status
