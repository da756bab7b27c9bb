"""The language server: a pygls ``LanguageServer`` with all features registered on it.

Importing this module imports pygls, so :mod:`agent_memory.lsp.host` does it when the client is
idle or needs it. The methods of the fast lane are handled before they reach pygls.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.lsp.protocol.methods import features
from agent_memory.lsp.transport.pygls_adapter import AdaptedServer

if TYPE_CHECKING:
    from agent_memory.lsp.features.feature import Events
    from agent_memory.lsp.transport.client import Client
    from agent_memory.lsp.workspace.session import Session


class AgentMemoryServer(AdaptedServer):
    """The server of one client. ``events`` already has the features created at start."""

    def __init__(self, session: Session, client: Client, events: Events) -> None:
        super().__init__(client)
        for name in features(early=False):
            events.add(name, session, client)
        for feature in events.features:
            feature.register(self)
