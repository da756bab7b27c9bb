"""Settings of the editor: asked for, taken over without a restart, bad ones reported once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from agent_memory.lsp.server import MemoryServer

SECTION = "agentMemory"


class Configuration:
    """Keeps the session's editor settings current."""

    def __init__(self, server: MemoryServer) -> None:
        self.server = server
        self._warned: set[str] = set()

    def fetch(self) -> None:
        """Ask the client for the section, for each folder and for no folder."""
        folders = list(self.server.session.folders)
        scopes: list[dict[str, Any]] = [{"section": SECTION}]
        uri = self.server.session.places.uri
        scopes += [{"section": SECTION, "scopeUri": uri(folder)} for folder in folders]

        def take(values: Any) -> None:
            if isinstance(values, list):
                self.server.session.editor_settings = {
                    folder: value if isinstance(value, dict) else {}
                    for folder, value in zip([None, *folders], values, strict=False)
                }
            self.apply()

        self.server.connection.ask("workspace/configuration", {"items": scopes}, take)

    def apply(self) -> None:
        """Work under the new settings and tell the user which of them cannot be used."""
        session = self.server.session
        session.settings_changed()
        for folder in session.places_asked():
            for problem in session.settings(folder)[1]:
                if str(problem) not in self._warned:
                    self._warned.add(str(problem))
                    self.server.tell(f"Agent Memory: {problem}")
        self.server.refresh()


def register(server: MemoryServer) -> None:
    """Add the handlers."""
    configuration = Configuration(server)
    session, handlers = server.session, server.connection.handlers

    def load() -> None:
        if session.client.configuration:
            configuration.fetch()
        else:
            configuration.apply()

    def start() -> None:
        if session.client.register_configuration:
            register_capability(server, "workspace/didChangeConfiguration", {"section": SECTION})
        load()

    def changed(params: Any) -> None:
        if session.client.configuration:
            configuration.fetch()
            return
        settings = params.get("settings") if isinstance(params, dict) else None
        section = settings.get(SECTION, settings) if isinstance(settings, dict) else None
        if isinstance(section, dict):
            session.editor_settings = {None: section}
            configuration.apply()

    server.on_start.append(start)
    server.on_folders.append(load)
    handlers["workspace/didChangeConfiguration"] = changed


def register_capability(server: MemoryServer, method: str, options: Any) -> None:
    """Register a capability the client lets servers register while they run."""
    item = {"id": method, "method": method, "registerOptions": options}
    server.connection.ask("client/registerCapability", {"registrations": [item]})
