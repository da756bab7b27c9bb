"""What the client can do, read once from its ``initialize`` request.

Works on plain JSON so that ``initialize`` is answered before pygls is imported.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from agent_memory.text import Encoding

_ENCODINGS = ("utf-8", "utf-16", "utf-32")


@dataclass(frozen=True, slots=True)
class Client:
    """The abilities of a client that change what it is sent."""

    encoding: Encoding = "utf-16"
    pull: bool = False  # asks for diagnostics itself; then nothing is pushed
    refresh_diagnostics: bool = False
    refresh_lenses: bool = False
    refresh_hints: bool = False
    configuration: bool = False  # answers workspace/configuration
    register_configuration: bool = False
    register_watching: bool = False
    document_changes: bool = False
    create_files: bool = False
    rename_files: bool = False
    apply_edit: bool = False
    resolve_actions: bool = False
    prepare_rename: bool = False
    snippets: bool = False
    show_document: bool = False
    text_content: bool = False
    will_rename: bool = False
    markdown_support: bool = False  # the editor itself has symbols, links and folding of markdown
    preview_command: str = ""  # the editor's own command that shows the prompt
    nested_symbols: bool = True
    trusted: bool = True


def read(params: dict[str, Any]) -> Client:
    """Return the client that sent ``params`` of ``initialize``; what is odd counts as absent."""
    caps = params.get("capabilities")
    options = params.get("initializationOptions")
    options = options if isinstance(options, dict) else {}

    def has(path: str) -> bool:
        return bool(at(caps, path))

    def lists(path: str, value: str) -> bool:
        found = at(caps, path)
        return isinstance(found, list) and value in found

    return Client(
        encoding=_encoding(at(caps, "general.positionEncodings")),
        pull=at(caps, "textDocument.diagnostic") is not None,
        refresh_diagnostics=has("workspace.diagnostics.refreshSupport"),
        refresh_lenses=has("workspace.codeLens.refreshSupport"),
        refresh_hints=has("workspace.inlayHint.refreshSupport"),
        configuration=has("workspace.configuration"),
        register_configuration=has("workspace.didChangeConfiguration.dynamicRegistration"),
        register_watching=has("workspace.didChangeWatchedFiles.dynamicRegistration"),
        document_changes=has("workspace.workspaceEdit.documentChanges"),
        create_files=lists("workspace.workspaceEdit.resourceOperations", "create"),
        rename_files=lists("workspace.workspaceEdit.resourceOperations", "rename"),
        apply_edit=has("workspace.applyEdit"),
        resolve_actions=lists("textDocument.codeAction.resolveSupport.properties", "edit"),
        prepare_rename=has("textDocument.rename.prepareSupport"),
        snippets=has("textDocument.completion.completionItem.snippetSupport"),
        show_document=has("window.showDocument.support"),
        text_content=at(caps, "workspace.textDocumentContent") is not None,
        will_rename=has("workspace.fileOperations.willRename"),
        markdown_support=options.get("markdownSupport") is True,
        preview_command=_text(options.get("previewCommand")),
        nested_symbols=has("textDocument.documentSymbol.hierarchicalDocumentSymbolSupport"),
        trusted=options.get("trusted") is not False,
    )


def at(value: Any, path: str) -> Any:
    """Return what stands at the dotted ``path`` of nested objects, None where nothing does."""
    for key in path.split("."):
        if not isinstance(value, dict):
            return None
        value = value.get(key)
    return value


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _encoding(offered: Any) -> Encoding:
    """Return the first encoding of the client's list that we know; LSP's default is UTF-16."""
    for name in offered if isinstance(offered, list) else ():
        if name in _ENCODINGS:
            return name  # type: ignore[no-any-return]
    return "utf-16"
