"""From ``initialize`` to ``exit``, and the workspace's folders between."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agent_memory import l10n
from agent_memory.lsp.protocol import capabilities, convert
from agent_memory.lsp.protocol.client_capabilities import Client
from agent_memory.lsp.transport.params import BadParamsError

if TYPE_CHECKING:
    from pathlib import Path

    from agent_memory.lsp.server import MemoryServer


class Lifecycle:
    """The handlers, all direct: they are the first that a client waits for."""

    def __init__(self, server: MemoryServer) -> None:
        self.server = server
        self.session = server.session

    def initialize(self, params: Any) -> dict[str, Any]:
        """Take over what the client is and what it has open; answer what we can."""
        if not isinstance(params, dict):
            raise BadParamsError("'initialize' needs an object with 'capabilities'")
        session = self.session
        l10n.use(params.get("locale"))
        session.client = Client(params)
        session.places.encoding = session.client.encoding
        session.set_folders(_folders(params))
        options = params.get("initializationOptions")
        given = options.get("settings") if isinstance(options, dict) else None
        if isinstance(given, dict):
            session.editor_settings[None] = given
        self.server.connection.initialized = True
        return capabilities.answer(session.client)

    def initialized(self, _params: Any) -> None:
        """Start what talks to the client by itself."""
        for call in self.server.on_start:
            call()

    def shutdown(self, _params: Any) -> None:
        """Take nothing but ``exit`` from now on."""
        self.server.connection.shutting_down = True

    def exit(self, _params: Any) -> None:
        """End with 0 after ``shutdown``, else with 1, as LSP says."""
        self.server.exit_code = 0 if self.server.connection.shutting_down else 1
        self.server.hang_up()

    def folders_changed(self, params: Any) -> None:
        """Take over folders that were added and removed."""
        event = params["event"]
        gone = {convert.to_path(item["uri"]) for item in event.get("removed", ())}
        new = [convert.to_path(item["uri"]) for item in event.get("added", ())]
        kept = [folder for folder in self.session.folders if folder not in gone]
        self.session.set_folders([*kept, *(folder for folder in new if folder)])
        for call in self.server.on_folders:
            call()


def _folders(params: dict[str, Any]) -> list[Path]:
    """Return the paths of the workspace's folders; a client without folders names one root."""
    given = params.get("workspaceFolders")
    uris = [item.get("uri") for item in given if isinstance(item, dict)] if given else []
    uris = uris or [params.get("rootUri")]
    paths = [convert.to_path(uri) for uri in uris if isinstance(uri, str)]
    return [path for path in paths if path]


def register(server: MemoryServer) -> None:
    """Add the handlers."""
    handlers = Lifecycle(server)
    server.connection.handlers |= {
        "initialize": handlers.initialize,
        "initialized": handlers.initialized,
        "shutdown": handlers.shutdown,
        "exit": handlers.exit,
        "workspace/didChangeWorkspaceFolders": handlers.folders_changed,
        "$/cancelRequest": lambda _params: None,  # what waits: Connection.receive_all
        "$/setTrace": lambda _params: None,
    }
