"""From ``initialize`` to ``exit``, and the workspace folders."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agent_memory import l10n
from agent_memory.lsp.features.feature import Feature
from agent_memory.lsp.protocol import capabilities, convert
from agent_memory.lsp.protocol.client_capabilities import ClientCapabilities
from agent_memory.lsp.transport.errors import BadParamsError
from agent_memory.lsp.workspace import client_process

if TYPE_CHECKING:
    from pathlib import Path

    from lsprotocol import types
    from pygls.lsp.server import LanguageServer

    from agent_memory.lsp.features.feature import Handler


class Lifecycle(Feature):
    """Starts and ends the session."""

    def fast_lane(self) -> dict[str, Handler]:
        """Return the handlers of the messages that begin and end a session."""
        return {
            "initialize": self.initialize,
            "initialized": self.initialized,
            "shutdown": self.shutdown,
            "exit": self.exit,
        }

    def register(self, server: LanguageServer) -> None:
        """Register the notification that the workspace folders have changed."""

        @server.feature("workspace/didChangeWorkspaceFolders")
        def folders_changed(params: types.DidChangeWorkspaceFoldersParams) -> None:
            """Update the workspace folders: those that remain first, then the added ones.

            A URI that is not a ``file:`` URI has no path and is ignored.
            """
            removed = {convert.to_path(item.uri) for item in params.event.removed}
            added = [convert.to_path(item.uri) for item in params.event.added]
            remaining = [folder for folder in self.session.folders if folder not in removed]
            self.session.set_folders([*remaining, *(folder for folder in added if folder)])
            self.events.folders_changed()

    def initialize(self, params: Any) -> dict[str, Any]:
        """Store what the client supports, its folders and settings; return the InitializeResult.

        From now on messages are in the client's language, and the server ends with the client.
        Members of the wrong type count as missing.

        Raises:
            BadParamsError: the parameters are not an object.

        """
        if not isinstance(params, dict):
            raise BadParamsError("'initialize' needs an object with 'capabilities'")
        session = self.session
        l10n.use(params.get("locale"))
        session.capabilities = ClientCapabilities(params)
        session.positions.encoding = session.capabilities.encoding
        session.set_folders(_folders(params))
        options = params.get("initializationOptions")
        settings = options.get("settings") if isinstance(options, dict) else None
        if isinstance(settings, dict):
            session.settings.editor[None] = settings  # None: of the user, for every folder
        self.client.initialized = True
        stop = self.events.stop
        client_process.watch(params.get("processId"), lambda: self.events.call_soon(stop))
        return capabilities.answer(session.capabilities)

    def initialized(self, _params: Any) -> None:
        """Start the features that send messages on their own."""
        self.events.start()

    def shutdown(self, _params: Any) -> None:
        """Accept only ``exit`` from now on."""
        self.client.shutting_down = True
        self.events.is_ending = True

    def exit(self, _params: Any) -> None:
        """End with 0 after ``shutdown``, else with 1, as LSP says."""
        self.events.exit_code = 0 if self.client.shutting_down else 1
        self.events.stop()


def _folders(params: dict[str, Any]) -> list[Path]:
    """Return the paths of the workspace folders; without any, that of the root, if it is sent.

    Older clients send only the one root. Folders that are not ``file:`` URIs are left out.
    """
    folders = params.get("workspaceFolders")
    uris: list[Any] = []
    if isinstance(folders, list):
        uris = [folder.get("uri") for folder in folders if isinstance(folder, dict)]
    if not uris:
        uris = [params.get("rootUri")]
    paths = [convert.to_path(uri) for uri in uris if isinstance(uri, str)]
    return [path for path in paths if path]
