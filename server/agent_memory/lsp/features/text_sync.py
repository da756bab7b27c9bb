"""Open, change, close: keeping our own copy of the client's documents."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from agent_memory.config.settings import PROJECT_FILE
from agent_memory.lsp.workspace.documents import Document

if TYPE_CHECKING:
    from agent_memory.lsp.server import MemoryServer

_SETTINGS = PurePosixPath(PROJECT_FILE).name


class Sync:
    """The handlers, all direct: they come with every keystroke."""

    def __init__(self, server: MemoryServer) -> None:
        self.server = server
        self.session = server.session

    def opened(self, params: Any) -> None:
        """Lay the document over the disk."""
        item = params["textDocument"]
        document = Document(
            item["uri"], item["text"], item["version"], item.get("languageId") or ""
        )
        self.session.documents.open(document)
        self.session.visit(document)
        self._took_over(document)
        self.server.settle()

    def changed(self, params: Any) -> None:
        """Apply the changes in their order."""
        item = params["textDocument"]
        document = self.session.documents.get(item["uri"])
        if document is None:
            return
        for change in params["contentChanges"]:
            document.apply(change, self.session.client.encoding)
        document.version = item["version"]
        self.session.visit(document)
        self._took_over(document)
        self.server.settle()

    def closed(self, params: Any) -> None:
        """Let the disk answer again: the client may have dropped changes."""
        if self.session.documents.close(params["textDocument"]["uri"]):
            self.session.disk_changed()
        self.server.settle()

    def _took_over(self, document: Document) -> None:
        """Work under the settings that ``document`` holds now, if it is a settings file."""
        if document.path and document.path.name == _SETTINGS:
            self.session.disk_changed()
            self.server.refresh()


def register(server: MemoryServer) -> None:
    """Add the handlers."""
    handlers = Sync(server)
    server.connection.handlers |= {
        "textDocument/didOpen": handlers.opened,
        "textDocument/didChange": handlers.changed,
        "textDocument/didClose": handlers.closed,
    }
