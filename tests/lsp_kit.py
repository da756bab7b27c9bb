"""A real server on real pipes, driven by pytest-lsp with the capabilities of three editors."""

from __future__ import annotations

import asyncio
import copy
import os
import sys
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any

from lsprotocol import converters, types
from pygls.protocol import JsonRPCNotification, JsonRPCResponseMessage
from pytest_lsp import ClientServerConfig

from kit import NOBODY

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_lsp import LanguageClient

_CONVERTER = converters.get_converter()
_EDITS = {"documentChanges": True, "resourceOperations": ["create", "rename", "delete"]}
PRESETS: dict[str, dict[str, Any]] = {
    "vscode": {
        "general": {"positionEncodings": ["utf-16"]},
        "workspace": {
            "applyEdit": True,
            "configuration": True,
            "workspaceFolders": True,
            "workspaceEdit": _EDITS,
            "didChangeConfiguration": {"dynamicRegistration": True},
            "didChangeWatchedFiles": {"dynamicRegistration": True},
            "diagnostics": {"refreshSupport": True},
            "codeLens": {"refreshSupport": True},
            "inlayHint": {"refreshSupport": True},
            "fileOperations": {"willRename": True},
            "textDocumentContent": {"dynamicRegistration": True},
        },
        "textDocument": {
            "diagnostic": {"dynamicRegistration": True, "relatedDocumentSupport": False},
            "codeAction": {
                "dataSupport": True,
                "resolveSupport": {"properties": ["edit"]},
                "codeActionLiteralSupport": {"codeActionKind": {"valueSet": [""]}},
            },
            "completion": {"completionItem": {"snippetSupport": True}},
            "hover": {},
            "rename": {"prepareSupport": True},
            "documentSymbol": {"hierarchicalDocumentSymbolSupport": True},
        },
        "window": {"showDocument": {"support": True}},
    },
    "neovim": {
        "general": {"positionEncodings": ["utf-8", "utf-16", "utf-32"]},
        "workspace": {
            "applyEdit": True,
            "configuration": True,
            "workspaceFolders": True,
            "workspaceEdit": {"resourceOperations": ["rename", "create", "delete"]},
            "didChangeConfiguration": {"dynamicRegistration": False},
        },
        "textDocument": {
            "codeAction": {
                "codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["", "quickfix"]}},
            },
            "publishDiagnostics": {"relatedInformation": True, "dataSupport": True},
            "completion": {"completionItem": {"snippetSupport": True}},
            "hover": {},
            "rename": {"prepareSupport": True},
        },
    },
    "emacs": {
        "general": {"positionEncodings": ["utf-32", "utf-8", "utf-16"]},
        "workspace": {
            "applyEdit": True,
            "configuration": True,
            "workspaceFolders": True,
            "workspaceEdit": {"documentChanges": True},
        },
        "textDocument": {
            "codeAction": {
                "resolveSupport": {"properties": ["edit", "command"]},
                "codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix"]}},
            },
            "publishDiagnostics": {"codeDescriptionSupport": True},
            "hover": {},
            "rename": {"prepareSupport": True},
        },
    },
}
"""The capabilities that the editors send, as far as the server reads them."""

UNITS = {"vscode": "utf-16", "neovim": "utf-8", "emacs": "utf-32"}
UNREADABLE = ("textDocument/codeAction",)
"""Methods with results that lsprotocol cannot distinguish: an action with a command."""
MANY = 60.0
"""Seconds; a longer wait is a failure."""
_AS_NOBODY = f"""
import importlib, os, pkgutil
from agent_memory import lsp, secrets
from agent_memory.cli import main, serve
for module in pkgutil.walk_packages(lsp.__path__, "agent_memory.lsp."):
    importlib.import_module(module.name)  # while this user can read the program
secrets.find("")
os.setgroups([])
os.setgid({NOBODY})
os.setuid({NOBODY})
raise SystemExit(main(["serve"]))
"""


class Editor:
    """One editor with one server. ``root`` is a git project, ``home`` the user's folder."""

    def __init__(self, client: LanguageClient, root: Path, home: Path) -> None:
        self.client = client
        self.root = root
        self.home = home
        self.applied: list[dict[str, Any]] = []
        self.asked: list[dict[str, Any]] = []
        self.choose: str | None = None  # the button selected in the next question
        self.takes = True  # whether the editor applies edits
        self.changes: list[Any] = []
        self._versions: dict[str, int] = {}
        self._sent: list[str] = []
        self.result: Any = None
        converter = client.protocol._converter
        converter.register_structure_hook(JsonRPCResponseMessage, _raw_response)
        converter.register_structure_hook(JsonRPCNotification, _raw_notification)

        @client.feature(types.WORKSPACE_APPLY_EDIT)
        def apply(params: types.ApplyWorkspaceEditParams) -> types.ApplyWorkspaceEditResult:
            self.applied.append(plain(params.edit))
            return types.ApplyWorkspaceEditResult(applied=self.takes)

        @client.feature(types.WINDOW_SHOW_MESSAGE_REQUEST)
        def ask(params: types.ShowMessageRequestParams) -> types.MessageActionItem | None:
            self.asked.append(plain(params))
            return types.MessageActionItem(self.choose) if self.choose else None

        @client.feature("agentMemory/changed")
        def changed(params: Any) -> None:
            self.changes.append(params)

        for method in (types.CLIENT_REGISTER_CAPABILITY, types.WORKSPACE_CODE_LENS_REFRESH):
            client.feature(method)(lambda *_: None)

    def uri(self, name: str) -> str:
        """Return the URI of a file of the project."""
        return (self.root / name).as_uri()

    def open(self, name: str, text: str | None = None, language: str = "markdown") -> str:
        """Open a file of the project, or an absolute path; return its URI."""
        path = self.root / name
        uri = path.as_uri()
        shown = path.read_bytes().decode() if text is None else text
        self._versions[uri] = 1
        self.client.text_document_did_open(
            types.DidOpenTextDocumentParams(types.TextDocumentItem(uri, language, 1, shown))
        )
        return uri

    def change(self, uri: str, text: str, where: Any = None) -> None:
        """Replace ``where`` (None: all) by ``text``."""
        self._versions[uri] += 1
        change: dict[str, Any] = {"text": text}
        if where is not None:
            change["range"] = where
        self.notify(
            "textDocument/didChange",
            {
                "textDocument": {"uri": uri, "version": self._versions[uri]},
                "contentChanges": [change],
            },
        )

    def close(self, uri: str) -> None:
        """Close a document."""
        self.notify("textDocument/didClose", {"textDocument": {"uri": uri}})

    def notify(self, method: str, params: Any) -> None:
        """Send a notification as plain JSON."""
        self.client.protocol._send_data({"jsonrpc": "2.0", "method": method, "params": params})

    async def request(self, method: str, params: Any = None) -> Any:
        """Send a request as plain JSON and return the plain result.

        The result of a standard method must also be valid for lsprotocol. Raises the
        error of the response.
        """
        protocol = self.client.protocol
        msg_id = f"{method} {len(self._sent)}"
        self._sent.append(msg_id)
        future: Future[Any] = Future()
        protocol._request_futures[msg_id] = future
        protocol._result_types[msg_id] = JsonRPCResponseMessage
        protocol._send_data({"jsonrpc": "2.0", "id": msg_id, "method": method, "params": params})
        result = await asyncio.wait_for(asyncio.wrap_future(future), MANY)
        known = types.METHOD_TO_TYPES.get(method)
        if known and known[1] and method not in UNREADABLE:
            message = {"jsonrpc": "2.0", "id": 1, "result": copy.deepcopy(result)}
            _CONVERTER.structure(message, known[1])
        return result

    async def pull(self, uri: str) -> list[dict[str, Any]]:
        """Return the pulled diagnostics of a document."""
        report = await self.request("textDocument/diagnostic", {"textDocument": {"uri": uri}})
        return report["items"]

    async def until(self, done: Any, what: str = "it") -> Any:
        """Wait until ``done()`` returns a true value; return it."""
        for _ in range(int(MANY / 0.02)):
            value = done()
            if value:
                return value
            await asyncio.sleep(0.02)
        raise AssertionError(f"{what} did not happen within {MANY:.0f} s")


def _raw_response(message: dict[str, Any], _type: Any) -> JsonRPCResponseMessage:
    return JsonRPCResponseMessage(message["id"], "2.0", message.get("result"))


def _raw_notification(message: dict[str, Any], _type: Any) -> JsonRPCNotification:
    return JsonRPCNotification(message["method"], "2.0", message.get("params"))


def plain(value: Any) -> Any:
    """Return ``value``, typed or not, as plain JSON."""
    if hasattr(value, "__attrs_attrs__"):
        return _CONVERTER.unstructure(value)
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return value


async def connect(  # noqa: PLR0913 -- what editors differ in
    kind: str,
    root: Path,
    home: Path,
    *,
    options: dict[str, Any] | None = None,
    settings: dict[str, Any] | None = None,
    folders: list[Path] | None = None,
    capabilities: dict[str, Any] | None = None,
    nobody: bool = False,
    locale: str | None = None,
    command: list[str] | None = None,
) -> Editor:
    """Start a server and initialize it as an editor of ``kind`` would.

    With ``nobody`` the server runs as a user without access to all files, also if root
    runs the tests; the folders must be accessible to that user.
    """
    environment = {**os.environ, "HOME": str(home), "USERPROFILE": str(home)}
    environment["PYTHONPATH"] = os.pathsep.join(path for path in sys.path if path)
    for name in ("VIRTUAL_ENV", "PYTHONSTARTUP"):
        environment.pop(name, None)
    command = command or [sys.executable, "-m", "agent_memory", "serve"]
    if nobody and os.geteuid() == 0:
        command = [sys.executable, "-c", _AS_NOBODY]
    client = await ClientServerConfig(command, server_env=environment).start()
    client.set_configuration({"agentMemory": settings or {}})
    editor = Editor(client, root, home)
    given = copy.deepcopy(capabilities if capabilities is not None else PRESETS[kind])
    structured = _CONVERTER.structure(given, types.ClientCapabilities)
    opened = [root] if folders is None else folders
    params = types.InitializeParams(
        capabilities=structured,
        process_id=os.getpid(),
        workspace_folders=[types.WorkspaceFolder(path.as_uri(), path.name) for path in opened],
        initialization_options=options,
        locale=locale,
    )
    editor.result = await asyncio.wait_for(client.initialize_session(params), MANY)
    return editor


async def disconnect(editor: Editor) -> int | None:
    """Shut the server down; return its exit code."""
    await editor.client.shutdown_session()
    code = editor.client._server.returncode if editor.client._server else None
    await editor.client.stop()
    return code
