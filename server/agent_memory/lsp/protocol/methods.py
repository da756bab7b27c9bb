"""The table of methods: who handles each, and the capability that announces it.

A new language feature is one module in ``features`` and its rows here: the registration on
pygls and the answer to ``initialize`` are derived from them. Plain data, because ``initialize``
is answered before anything else is imported.
"""

from __future__ import annotations

TYPE_CHECKING = False  # importing typing would delay the start: see boot.py
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from agent_memory.lsp.protocol.client_capabilities import ClientCapabilities

    Value = Callable[[ClientCapabilities], Any]

NAME = "agent-memory"
COMMANDS = (
    "agentMemory.server.remember",
    "agentMemory.server.prompt",
    "agentMemory.server.sources",
    "agentMemory.server.explain",
    "agentMemory.server.recall",
    "agentMemory.server.targets",
    "agentMemory.server.entries",
    "agentMemory.server.promote",
    "agentMemory.server.forget",
    "agentMemory.server.restore",
    "agentMemory.server.showPrompt",
)
"""For clients that cannot send our requests; each takes one object."""
PROMPT_SCHEME = "agent-memory-prompt"
"""The scheme of URIs of the composed prompt as a document."""
FIX_ALL = "source.fixAll.agentMemory"
REMEMBER = "refactor.move"
MOVE_SECTION = "refactor.move.section"
"""Kinds of code actions. Moves to the other scope or to a note also have the kind ``REMEMBER``."""
TRIGGERS = ("#", ":", "(", "/", "`", "@", "-")
"""Characters that open completion: headings, values, links, skill names, imports, codes."""

FAST, SENT, PYGLS = "fast", "sent", "pygls"
"""``FAST``: handled as plain JSON, without pygls. ``SENT``: sent by the server on its own, also
without pygls. ``PYGLS``: handled by pygls. Features with a ``FAST`` or ``SENT`` row are created
at start, all others when pygls is loaded."""

_INCREMENTAL = 2  # TextDocumentSyncKind
# The renames that a client reports before it does them: of Markdown files and of folders.
_MOVES = [
    {"scheme": "file", "pattern": {"glob": "**/*.md", "matches": "file"}},
    {"scheme": "file", "pattern": {"glob": "**", "matches": "folder"}},
]


class Method:
    """One row.

    ``feature``: module and class in ``features``, "" if pygls itself handles the method.
    ``params``: the type in ``lsprotocol.types``, None for plain JSON that the feature validates.
    ``lane``: ``FAST``, ``SENT`` or ``PYGLS``. ``capability``: the dotted path in
    ServerCapabilities. ``value`` returns what to announce there, None if this client is not offered
    the method. A method that announces nothing of its own, such as ``shutdown``, has neither.
    """

    def __init__(
        self,
        name: str,
        feature: str,
        params: str | None,
        lane: str = PYGLS,
        capability: str = "",
        value: Value | None = None,
    ) -> None:
        self.name = name
        self.feature = feature
        self.params = params
        self.lane = lane
        self.capability = capability
        self.value = value


def _always(_client: ClientCapabilities) -> bool:
    """Return True: the method is offered to each client."""
    return True


def _without_markdown_support(client: ClientCapabilities) -> bool | None:
    """Return True, or None if the editor itself has the feature and would show it twice."""
    return None if client.markdown_support else True


def _code_actions(client: ClientCapabilities) -> dict[str, Any]:
    """Return the options of code actions: their kinds, and whether the client resolves them."""
    # ``REMEMBER`` includes ``MOVE_SECTION``, a subkind.
    kinds = ["quickfix", FIX_ALL, REMEMBER]
    return {"codeActionKinds": kinds, "resolveProvider": client.resolve_actions}


def _pull(client: ClientCapabilities) -> dict[str, Any] | None:
    """Return the options of pulled diagnostics, None if the client does not pull."""
    options = {"identifier": NAME, "interFileDependencies": True, "workspaceDiagnostics": True}
    return options if client.pull else None


def _links(client: ClientCapabilities) -> dict[str, Any] | None:
    """Return the options of document links, None if the editor itself has links of Markdown."""
    return None if client.markdown_support else {"resolveProvider": False}


def _rename(client: ClientCapabilities) -> Any:
    """Return the options of rename; True without ``prepareRename``, where LSP allows no options."""
    return {"prepareProvider": True} if client.prepare_rename else True


def _will_rename(client: ClientCapabilities) -> dict[str, Any] | None:
    """Return which renames the client should report, None if it reports none."""
    return {"filters": _MOVES} if client.will_rename else None


def _prompt_document(client: ClientCapabilities) -> dict[str, Any] | None:
    """Return the schemes of the server's documents, None if the client cannot show them."""
    return {"schemes": [PROMPT_SCHEME]} if client.text_content else None


_LIFECYCLE, _SYNC = "lifecycle.Lifecycle", "text_sync.TextSync"
_WATCHING, _DIAGNOSTICS = "file_watching.FileWatching", "diagnostics.Diagnostics"
_ACTIONS, _LENSES = "code_actions.CodeActions", "code_lens.CodeLens"
_NAVIGATION, _SYMBOLS = "definition_references.Navigation", "symbols.Symbols"
_RENAME, _PROMPT, _REMEMBER = "rename.Rename", "prompt.PromptRequests", "remember.Remember"

TABLE = (
    # The fast lane: all that comes before the first diagnostics and on every keystroke.
    Method("initialize", _LIFECYCLE, "InitializeParams", FAST),
    Method("initialized", _LIFECYCLE, "InitializedParams", FAST),
    Method("shutdown", _LIFECYCLE, None, FAST),
    Method("exit", _LIFECYCLE, None, FAST),
    Method(
        "textDocument/didOpen",
        _SYNC,
        "DidOpenTextDocumentParams",
        FAST,
        "textDocumentSync.openClose",
        _always,
    ),
    Method(
        "textDocument/didChange",
        _SYNC,
        "DidChangeTextDocumentParams",
        FAST,
        "textDocumentSync.change",
        lambda _client: _INCREMENTAL,
    ),
    Method("textDocument/didClose", _SYNC, "DidCloseTextDocumentParams", FAST),
    Method("workspace/configuration", "configuration.Configuration", None, SENT),
    Method(
        "textDocument/didSave",
        _WATCHING,
        "DidSaveTextDocumentParams",
        FAST,
        "textDocumentSync.save",
        _always,
    ),
    Method(
        "textDocument/diagnostic",
        _DIAGNOSTICS,
        "DocumentDiagnosticParams",
        FAST,
        "diagnosticProvider",
        _pull,
    ),
    Method("workspace/diagnostic", _DIAGNOSTICS, "WorkspaceDiagnosticParams", FAST),
    Method("textDocument/publishDiagnostics", _DIAGNOSTICS, None, SENT),
    Method("agentMemory/changed", "prompt_changed.PromptChanged", None, SENT),
    # On pygls.
    Method("$/setTrace", "", "SetTraceParams"),
    Method(
        "workspace/didChangeWorkspaceFolders",
        _LIFECYCLE,
        "DidChangeWorkspaceFoldersParams",
        capability="workspace.workspaceFolders",
        value=lambda _client: {"supported": True, "changeNotifications": True},
    ),
    Method(
        "workspace/didChangeConfiguration",
        "configuration.Configuration",
        "DidChangeConfigurationParams",
    ),
    Method("workspace/didChangeWatchedFiles", _WATCHING, "DidChangeWatchedFilesParams"),
    Method(
        "workspace/executeCommand",
        "",
        "ExecuteCommandParams",
        capability="executeCommandProvider",
        value=lambda _client: {"commands": list(COMMANDS)},
    ),
    Method(
        "textDocument/codeAction",
        _ACTIONS,
        "CodeActionParams",
        capability="codeActionProvider",
        value=_code_actions,
    ),
    Method("codeAction/resolve", _ACTIONS, "CodeAction"),
    Method(
        "textDocument/completion",
        "completion.Completion",
        "CompletionParams",
        capability="completionProvider",
        value=lambda _client: {"triggerCharacters": list(TRIGGERS)},
    ),
    Method(
        "textDocument/hover",
        "hover.Hover",
        "HoverParams",
        capability="hoverProvider",
        value=_always,
    ),
    Method(
        "textDocument/codeLens",
        _LENSES,
        "CodeLensParams",
        capability="codeLensProvider",
        value=lambda _client: {"resolveProvider": False},
    ),
    Method(
        "textDocument/inlayHint",
        _LENSES,
        "InlayHintParams",
        capability="inlayHintProvider",
        value=_always,
    ),
    Method(
        "textDocument/documentSymbol",
        _SYMBOLS,
        "DocumentSymbolParams",
        capability="documentSymbolProvider",
        value=_without_markdown_support,
    ),
    Method(
        "workspace/symbol",
        _SYMBOLS,
        "WorkspaceSymbolParams",
        capability="workspaceSymbolProvider",
        value=_always,
    ),
    Method(
        "textDocument/foldingRange",
        "folding.Folding",
        "FoldingRangeParams",
        capability="foldingRangeProvider",
        value=_without_markdown_support,
    ),
    Method(
        "textDocument/documentLink",
        _NAVIGATION,
        "DocumentLinkParams",
        capability="documentLinkProvider",
        value=_links,
    ),
    Method(
        "textDocument/definition",
        _NAVIGATION,
        "DefinitionParams",
        capability="definitionProvider",
        value=_always,
    ),
    Method(
        "textDocument/references",
        _NAVIGATION,
        "ReferenceParams",
        capability="referencesProvider",
        value=_always,
    ),
    Method(
        "textDocument/rename",
        _RENAME,
        "RenameParams",
        capability="renameProvider",
        value=_rename,
    ),
    Method("textDocument/prepareRename", _RENAME, "PrepareRenameParams"),
    Method(
        "workspace/willRenameFiles",
        _RENAME,
        "RenameFilesParams",
        capability="workspace.fileOperations.willRename",
        value=_will_rename,
    ),
    Method(
        "workspace/textDocumentContent",
        "prompt_document.PromptDocument",
        "TextDocumentContentParams",
        capability="workspace.textDocumentContent",
        value=_prompt_document,
    ),
    Method("agentMemory/prompt", _PROMPT, None),
    Method("agentMemory/sources", _PROMPT, None),
    Method("agentMemory/explain", "explain.ExplainRequest", None),
    Method("agentMemory/verify", "verify.VerifyRequest", None),
    Method("agentMemory/remember", _REMEMBER, None),
    Method("agentMemory/targets", _REMEMBER, None),
    Method("agentMemory/recall", "recall.RecallRequest", None),
    Method("agentMemory/entries", "entries.Entries", None),
    Method("agentMemory/status", "status.StatusRequest", None),
)
METHODS = {row.name: row for row in TABLE if row.lane != SENT}
"""The methods that a client may send, by name."""


def features(*, early: bool) -> list[str]:
    """Return the features in the order of the table: those created at start, or all others.

    A feature is "module.Class" in ``features``, for example "hover.Hover".
    """
    created_at_start = {row.feature for row in TABLE if row.lane != PYGLS}
    names = dict.fromkeys(row.feature for row in TABLE if row.feature)
    return [name for name in names if (name in created_at_start) is early]
