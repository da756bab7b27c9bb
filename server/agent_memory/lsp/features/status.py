"""``agentMemory/status``: facts for a bug report. Contains no file content."""

from __future__ import annotations

import platform
from typing import TYPE_CHECKING, Any

from agent_memory.base.version import __version__
from agent_memory.lsp.features.feature import Feature
from agent_memory.lsp.transport.params import Params

if TYPE_CHECKING:
    from pygls.lsp.server import LanguageServer


class StatusRequest(Feature):
    """Collects the status of all features."""

    def register(self, server: LanguageServer) -> None:
        """Register the request; it takes no parameters."""

        @server.feature("agentMemory/status")
        def status(params: Any) -> dict[str, Any]:
            """Return the state of the server for a bug report; it has no content of files."""
            Params(params, ())  # an error if there are any
            return {
                "version": __version__,
                "python": platform.python_version(),
                **self.events.status(),
                "encoding": self.session.capabilities.encoding,
                "pull": self.session.capabilities.pull,
                "documents": len(self.session.documents),
            }
