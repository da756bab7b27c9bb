"""Settings of the editor: fetched, applied without a restart, problems reported once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agent_memory.lsp.features.feature import Feature

if TYPE_CHECKING:
    from lsprotocol import types
    from pygls.lsp.server import LanguageServer

SECTION = "agentMemory"
"""The first part of the names of our settings in an editor: ``agentMemory.codeLens``."""
_METHOD = "workspace/didChangeConfiguration"


class Configuration(Feature):
    """Keeps the session's editor settings up to date."""

    _shown: frozenset[str] = frozenset()  # the problems that the user has seen

    def register(self, server: LanguageServer) -> None:
        """Handle changes of settings; make the client send them if it needs a registration."""
        session = self.session

        @server.feature(_METHOD)
        def changed(params: types.DidChangeConfigurationParams) -> None:
            """Apply the settings: fetched from the client if it can, else those in ``params``."""
            if session.capabilities.configuration:
                self.fetch()
                return
            settings: Any = params.settings  # {"agentMemory": section}, or only the section
            section = settings.get(SECTION, settings) if isinstance(settings, dict) else None
            if isinstance(section, dict):
                session.settings.editor = {None: section}
                self.apply()

        if session.capabilities.register_configuration:
            self.client.register(_METHOD, {"section": SECTION})

    def on_start(self) -> None:
        """Load the settings."""
        self._load()

    def on_folders(self) -> None:
        """Load the settings of the new folders."""
        self._load()

    def status(self) -> dict[str, Any]:
        """Return {"settings": the problems of the settings of all folders, as text}."""
        messages: list[str] = []
        for folder in self.session.settings_folders():
            _, problems = self.session.settings.of(folder)
            messages += map(str, problems)
        return {"settings": messages}

    def _load(self) -> None:
        """Apply the settings: fetched from the client if it can, else those that it has sent."""
        if self.session.capabilities.configuration:
            self.fetch()
        else:
            self.apply()

    def fetch(self) -> None:
        """Request the settings of the user and of each folder, and apply them when they arrive."""
        folders = list(self.session.folders)
        scopes: list[dict[str, Any]] = [{"section": SECTION}]
        uri = self.session.positions.uri
        scopes += [{"section": SECTION, "scopeUri": uri(folder)} for folder in folders]

        def take(values: Any) -> None:
            """Apply ``values``, the settings for each of ``scopes``.

            If they are not a list, the settings that the client sent before are applied again.
            """
            if isinstance(values, list):
                # Under None are the settings of the user. Clients send null for an empty section,
                # and a faulty one sends fewer or more values than requested.
                self.session.settings.editor = {
                    folder: value if isinstance(value, dict) else {}
                    for folder, value in zip([None, *folders], values, strict=False)
                }
            self.apply()

        self.client.request("workspace/configuration", {"items": scopes}, take)

    def apply(self) -> None:
        """Use the new settings, show the user each problem once, and report a change."""
        session = self.session
        session.settings_changed()
        for folder in session.settings_folders():
            _, problems = session.settings.of(folder)
            for problem in problems:
                if str(problem) not in self._shown:
                    self._shown |= {str(problem)}
                    self.client.show_message(f"Agent Memory: {problem}")
        self.events.changed()
