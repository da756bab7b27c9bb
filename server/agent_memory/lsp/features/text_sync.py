"""Open, change, close: the server's copy of the client's documents."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from agent_memory.base import text_cache
from agent_memory.config.settings import PROJECT_FILE
from agent_memory.lsp.features.feature import Feature
from agent_memory.lsp.transport.errors import BadParamsError
from agent_memory.lsp.transport.params import content_changes, document_uri, version
from agent_memory.lsp.workspace.documents import Document

if TYPE_CHECKING:
    from agent_memory.lsp.features.feature import Handler

_SETTINGS = PurePosixPath(PROJECT_FILE).name
"""The name of a project's file of settings, without its folder."""
_GENERATION = 500
"""Opened and edited documents after which cached results of unused lines are dropped.

By then they take about 1 MB."""


class TextSync(Feature):
    """Keeps the open documents of the session up to date."""

    _edits = 0  # documents opened and edits so far

    def fast_lane(self) -> dict[str, Handler]:
        """Return the handlers."""
        return {
            "textDocument/didOpen": self.opened,
            "textDocument/didChange": self.changed,
            "textDocument/didClose": self.closed,
        }

    def opened(self, params: Any) -> None:
        """Overlay the file on disk with the document.

        Raises:
            BadParamsError: the URI or the text is missing, or one of them or the version is of the
                wrong type.

        """
        uri, document_item = document_uri(params), params["textDocument"]
        text, language = document_item.get("text"), document_item.get("languageId")
        if not isinstance(text, str):
            raise BadParamsError("'textDocument.text' is missing")
        language = language if isinstance(language, str) else ""
        document = Document(uri, text, version(params), language)
        self.session.documents.open(document)
        self._after_change(document)

    def changed(self, params: Any) -> None:
        """Apply the changes to the document in order.

        Raises:
            BadParamsError: the parameters are malformed, or the document is not open.

        """
        uri, number, changes = document_uri(params), version(params), content_changes(params)
        document = self.session.documents.get(uri)
        if document is None:
            raise BadParamsError("the document is not open")
        for change in changes:
            document.apply(change, self.session.capabilities.encoding)
        document.version = number
        self._after_change(document)

    def closed(self, params: Any) -> None:
        """Close the document and read its file again: the client may have discarded changes."""
        if self.session.documents.close(document_uri(params)):
            self.session.disk_changed()
        self.events.edited()

    def _after_change(self, document: Document) -> None:
        """Schedule what depends on ``document`` after it was opened or edited.

        If its name is that of the file of settings, its text is applied although it is not saved.
        """
        self._edits += 1
        if self._edits % _GENERATION == 0:
            text_cache.next_generation()
        self.session.projects.visit(document.path)
        if document.path and document.path.name == _SETTINGS:
            self.session.disk_changed()
            self.events.changed()
        self.events.edited()
