"""The answer to ``initialize``, as plain JSON: it is sent before pygls is imported.

A test holds that each capability has its handler and each handler its capability.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agent_memory.base.version import __version__

if TYPE_CHECKING:
    from agent_memory.lsp.protocol.client_capabilities import Client

NAME = "agent-memory"
COMMANDS = (
    "agentMemory.server.remember",
    "agentMemory.server.prompt",
    "agentMemory.server.sources",
    "agentMemory.server.recall",
    "agentMemory.server.targets",
    "agentMemory.server.showPrompt",
)
"""Also on the wire as requests; ``showPrompt`` opens the prompt as a document."""
PROMPT_SCHEME = "agent-memory-prompt"
FIX_ALL = "source.fixAll.agentMemory"
REMEMBER = "refactor.move"
TRIGGERS = ("#", ":", "(", "/", "`", "@", "-")
"""Characters that open completion: headings, values, links, skill names, imports, codes."""
TYPED = frozenset(
    {
        "textDocument/completion",
        "textDocument/hover",
        "textDocument/codeLens",
        "textDocument/inlayHint",
        "textDocument/documentSymbol",
        "workspace/symbol",
        "textDocument/foldingRange",
        "textDocument/documentLink",
        "textDocument/definition",
        "textDocument/references",
        "textDocument/prepareRename",
        "textDocument/rename",
        "workspace/willRenameFiles",
    }
)
"""Methods that are features of pygls, which is loaded when the first of them comes."""
_INCREMENTAL = 2
_MOVES = [
    {"scheme": "file", "pattern": {"glob": "**/*.md", "matches": "file"}},
    {"scheme": "file", "pattern": {"glob": "**", "matches": "folder"}},
]


def answer(client: Client) -> dict[str, Any]:
    """Return the InitializeResult for ``client``."""
    out: dict[str, Any] = {
        "positionEncoding": client.encoding,
        "textDocumentSync": {"openClose": True, "change": _INCREMENTAL, "save": True},
        "codeActionProvider": {
            "codeActionKinds": ["quickfix", FIX_ALL, REMEMBER],
            "resolveProvider": client.resolve_actions,
        },
        "completionProvider": {"triggerCharacters": list(TRIGGERS)},
        "hoverProvider": True,
        "definitionProvider": True,
        "referencesProvider": True,
        "renameProvider": {"prepareProvider": True} if client.prepare_rename else True,
        "codeLensProvider": {"resolveProvider": False},
        "inlayHintProvider": True,
        "workspaceSymbolProvider": True,
        "executeCommandProvider": {"commands": list(COMMANDS)},
        "workspace": {"workspaceFolders": {"supported": True, "changeNotifications": True}},
    }
    if not client.markdown_support:  # else the editor's own would be doubled
        out |= {
            "documentSymbolProvider": True,
            "foldingRangeProvider": True,
            "documentLinkProvider": {"resolveProvider": False},
        }
    if client.will_rename:
        out["workspace"]["fileOperations"] = {"willRename": {"filters": _MOVES}}
    if client.text_content:
        out["workspace"]["textDocumentContent"] = {"schemes": [PROMPT_SCHEME]}
    if client.pull:
        out["diagnosticProvider"] = {
            "identifier": NAME,
            "interFileDependencies": True,
            "workspaceDiagnostics": True,
        }
    return {"capabilities": out, "serverInfo": {"name": NAME, "version": __version__}}
