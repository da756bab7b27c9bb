"""What the client supports, read once from its ``initialize`` request.

Works on plain JSON so that ``initialize`` is answered before pygls is imported.
"""

from __future__ import annotations

from agent_memory.base.version import RULE_PAGE

TYPE_CHECKING = False  # importing typing would delay the start: see boot.py
if TYPE_CHECKING:
    from typing import Any

    from agent_memory.base.text import Encoding

_ENCODINGS = ("utf-8", "utf-16", "utf-32")


class ClientCapabilities:
    """The capabilities of the client that sent ``params``; malformed ones count as missing."""

    def __init__(self, params: dict[str, Any]) -> None:
        caps = params.get("capabilities")
        options = params.get("initializationOptions")
        options = options if isinstance(options, dict) else {}

        def has(path: str) -> bool:
            """Whether the capability at the dotted ``path`` is set."""
            return bool(at(caps, path))

        def lists(path: str, value: str) -> bool:
            """Whether the list at the dotted ``path`` contains ``value``."""
            values = at(caps, path)
            return isinstance(values, list) and value in values

        self.encoding: Encoding = _encoding(at(caps, "general.positionEncodings"))
        # An object without members, {}, also announces a capability; `has` would be False for it.
        self.pull = at(caps, "textDocument.diagnostic") is not None
        """The client pulls diagnostics; then none are published."""
        self.hover = at(caps, "textDocument.hover") is not None
        """The client shows the advice of a finding on hover, so diagnostics have only the fact."""
        self.refresh_diagnostics = has("workspace.diagnostics.refreshSupport")
        self.refresh_lenses = has("workspace.codeLens.refreshSupport")
        self.refresh_hints = has("workspace.inlayHint.refreshSupport")
        self.configuration = has("workspace.configuration")
        self.register_configuration = has("workspace.didChangeConfiguration.dynamicRegistration")
        self.register_watching = has("workspace.didChangeWatchedFiles.dynamicRegistration")
        self.document_changes = has("workspace.workspaceEdit.documentChanges")
        self.create_files = lists("workspace.workspaceEdit.resourceOperations", "create")
        self.rename_files = lists("workspace.workspaceEdit.resourceOperations", "rename")
        self.will_rename = has("workspace.fileOperations.willRename")
        self.apply_edit = has("workspace.applyEdit")
        self.resolve_actions = lists("textDocument.codeAction.resolveSupport.properties", "edit")
        self.prepare_rename = has("textDocument.rename.prepareSupport")
        self.nested_symbols = has("textDocument.documentSymbol.hierarchicalDocumentSymbolSupport")
        self.show_document = has("window.showDocument.support")
        self.text_content = at(caps, "workspace.textDocumentContent") is not None
        """The client can show documents that the server composes: the prompt."""
        self.markdown_support = options.get("markdownSupport") is True
        """The editor itself has symbols, links and folding of Markdown."""
        command = options.get("previewCommand")
        self.preview_command = command if isinstance(command, str) else ""
        """The editor's own command that shows the prompt."""
        pages = options.get("rulePages")
        # The pages of rules in the editor itself; by default those on the web.
        self._rule_pages = RULE_PAGE
        if isinstance(pages, str) and "{code}" in pages:
            self._rule_pages = pages
        self.trusted = options.get("trusted") is not False
        """The user trusts the workspace; clients that do not say count as trusted."""

    def rule_page(self, code: str) -> str:
        """Return the address that the client opens for the page of the rule ``code``."""
        return self._rule_pages.replace("{code}", code)


def at(value: Any, path: str) -> Any:
    """Return the value at the dotted ``path`` of nested objects, None if it is missing."""
    for key in path.split("."):
        if not isinstance(value, dict):
            return None
        value = value.get(key)
    return value


def _encoding(offered: Any) -> Encoding:
    """Return the first known encoding in the client's list; LSP's default is UTF-16."""
    for name in offered if isinstance(offered, list) else ():
        if name in _ENCODINGS:
            return name  # type: ignore[no-any-return]
    return "utf-16"
