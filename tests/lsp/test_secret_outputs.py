"""No message or log line of the server contains a planted secret, or a half of one."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from agent_memory.lsp.protocol.methods import METHODS
from lsp_wire import Wire
from planted import Planted, project

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.slow

EXACT = (
    *("uri", "uris", "oldUri", "newUri", "targetUri", "scopeUri", "baseUri", "target", "href"),
    *("newText", "pattern", "globPattern"),
)
"""What a client needs as it is: URIs that it knows, and edits of its documents."""
RUNTIMES = ("deepagents-code", "deepagentsdk", "claude-mpm", "drover")
CALLED = frozenset({"initialize", "initialized", "shutdown", "exit", "$/setTrace"})
"""Methods that the life of every server uses."""


@pytest.fixture
def served(tmp_path) -> Iterator[tuple[Planted, Wire, Path]]:
    values, root, home = project(tmp_path)
    wire = Wire(home)
    wire.initialize(
        root,
        textDocument={
            "diagnostic": {},
            "rename": {"prepareSupport": True},
            "codeAction": {
                "codeActionLiteralSupport": {"codeActionKind": {"valueSet": [""]}},
            },
            "documentSymbol": {"hierarchicalDocumentSymbolSupport": True},
        },
        workspace={
            "applyEdit": True,
            "workspaceEdit": {
                "documentChanges": True,
                "resourceOperations": ["create", "rename", "delete"],
            },
            "fileOperations": {"willRename": True},
            "textDocumentContent": {},
        },
    )
    yield values, wire, root
    wire.process.kill()
    wire.process.wait()
    for stream in (wire.process.stdin, wire.process.stdout, wire.process.stderr):
        stream.close()


def without_exact(value: Any) -> Any:
    """Return ``value`` without the fields that a client needs as they are."""
    if isinstance(value, dict):
        return {
            "" if key.startswith("file:") else key: without_exact(item)
            for key, item in value.items()
            if key not in EXACT or isinstance(item, dict)
        }
    return [without_exact(item) for item in value] if isinstance(value, list) else value


def said(value: Any) -> str:
    return json.dumps(without_exact(value), ensure_ascii=False)


def requests(values: Planted, root: Path) -> Iterator[tuple[str, Any]]:
    """Yield calls of every method, with a secret in each parameter that takes a text."""
    files = sorted(root.rglob("*.md"))
    for path in files:
        yield from of_document(path, values["new_name"])
    yield from of_project(values, root)
    renamed = {"oldUri": files[0].as_uri(), "newUri": (root / values["moved"]).as_uri()}
    yield "workspace/willRenameFiles", {"files": [renamed]}
    yield "workspace/diagnostic", {"previousResultIds": []}
    yield "workspace/symbol", {"query": ""}
    yield "workspace/symbol", {"query": values["symbol_query"]}


def of_document(path: Path, new_name: str) -> Iterator[tuple[str, Any]]:
    """Yield calls for the file, for all of it and for each line that is not plain text."""
    document = {"textDocument": {"uri": path.as_uri()}}
    lines = path.read_text("utf-8").split("\n")
    end = {"line": len(lines) - 1, "character": 0}
    whole = {"range": {"start": {"line": 0, "character": 0}, "end": end}}
    for method in ("diagnostic", "documentSymbol", "foldingRange", "documentLink", "codeLens"):
        yield f"textDocument/{method}", document
    yield "textDocument/inlayHint", {**document, **whole}
    yield "textDocument/codeAction", {**document, **whole, "context": {"diagnostics": []}}
    for number, line in enumerate(lines):
        if len(line) > 300 or not {":", "`", "#"} & set(line):
            continue
        at = {**document, "position": {"line": number, "character": min(6, len(line))}}
        for method in ("hover", "completion", "definition", "prepareRename"):
            yield f"textDocument/{method}", at
        yield "textDocument/references", {**at, "context": {"includeDeclaration": True}}
        yield "textDocument/rename", {**at, "newName": new_name}


def of_project(values: Planted, root: Path) -> Iterator[tuple[str, Any]]:
    """Yield the calls of our own methods and commands, also with wrong parameters."""
    memory = (root / "AGENTS.md").as_uri()
    for runtime in (*RUNTIMES, values["runtime_parameter"]):
        for given in ({}, {"since": ""}, {"saved": True}, {"committed": True}):
            yield "agentMemory/prompt", {"uri": memory, "runtime": runtime, **given}
        yield "agentMemory/sources", {"uri": memory, "runtime": runtime}
        yield "agentMemory/sources", {"uri": memory, "runtime": runtime, "all": True}
        for path in sorted(root.rglob("*.md")):
            yield "agentMemory/explain", {"uri": path.as_uri(), "runtime": runtime}
            yield "agentMemory/explain", {"uri": path.as_uri(), "line": 4, "runtime": runtime}
        yield "agentMemory/targets", {"uri": memory, "runtime": runtime}
        yield "agentMemory/remember", {"text": "a fact", "scope": "project", "runtime": runtime}
    yield "agentMemory/prompt", {"uri": memory, "agent": values["agent_parameter"] + "/"}
    yield "agentMemory/prompt", {values["parameter"]: 1}
    yield "agentMemory/verify", {"uri": memory, "runtime": values["runtime_parameter"]}
    for more in (
        {"text": values["text"]},
        {"text": values["text"], "redact": True},
        {"text": "a fact", "section": values["section"]},
        {"text": "a fact", "file": (root / values["file"]).as_uri()},
        {"text": "a fact", "scope": values["scope"]},
        {"text": "a fact", "scope": "global", "summary": values["summary_parameter"]},
    ):
        yield "agentMemory/remember", {"scope": "project", **more}
    for query in ("note", "", values["recalled"]):
        yield "agentMemory/recall", {"query": query, "uri": memory}
    yield "agentMemory/recall", {"query": "x", "kinds": [values["kind"]]}
    for given in ({"uri": memory}, {"uri": memory, "kinds": [values["kind"]]}):
        yield "agentMemory/entries", given
    yield "agentMemory/status", None
    yield "workspace/textDocumentContent", {"uri": "agent-memory-prompt:/prompt.md"}
    yield "workspace/textDocumentContent", {"uri": f"{values['scheme']}:/x"}
    for command in ("remember", "prompt", "sources", "recall", "targets", "showPrompt"):
        arguments = [{"text": "a fact", "scope": "project"}] if command == "remember" else [{}]
        params = {"command": f"agentMemory.server.{command}", "arguments": arguments}
        yield "workspace/executeCommand", params
    yield "workspace/executeCommand", {"command": values["command_name"], "arguments": []}
    yield "codeAction/resolve", {"title": "x", "data": {"uri": values["data"]}}
    yield "textDocument/hover", {"textDocument": {"uri": 1}, "position": values["position"]}
    yield values["method"], {}


def notifications(values: Planted, root: Path) -> Iterator[tuple[str, Any]]:
    """Yield every notification, valid and with a secret in the place of a parameter."""
    for path in sorted(root.rglob("*.md")):
        item = {"uri": path.as_uri(), "languageId": "markdown", "version": 1}
        text = path.read_text("utf-8")
        yield "textDocument/didOpen", {"textDocument": {**item, "text": text}}
        version = {"uri": path.as_uri(), "version": 2}
        changed = [{"text": f"{text}\n## {values['typed']}\n\n- [x](docs/{values['typed']}.md)\n"}]
        yield "textDocument/didChange", {"textDocument": version, "contentChanges": changed}
        yield "textDocument/didSave", {"textDocument": {"uri": path.as_uri()}}
    settings = {
        "agentMemory": {"runtime": values["editor"], values["editor_key"]: 1, "agent": "../x"}
    }
    yield "workspace/didChangeConfiguration", {"settings": settings}
    watched = {"changes": [{"uri": (root / values["watched"]).as_uri(), "type": 1}]}
    yield "workspace/didChangeWatchedFiles", watched
    folder = {"uri": (root / values["workspace_folder"]).as_uri(), "name": values["folder_title"]}
    yield "workspace/didChangeWorkspaceFolders", {"event": {"added": [folder], "removed": []}}
    for method in METHODS:
        if method.startswith(("textDocument/did", "workspace/did")):
            yield method, {"textDocument": values["malformed"], "event": values["malformed"]}
    yield "textDocument/didClose", {"textDocument": {"uri": (root / "AGENTS.md").as_uri()}}


def test_no_message_of_the_server_contains_a_secret(served):
    values, wire, root = served
    leaks: dict[str, set[str]] = {}
    called = set(CALLED)

    def look(method: str, message: Any) -> None:
        if found := values.leaks(said({**message, "id": 0})):
            leaks.setdefault(method, set()).update(found)

    def call_all() -> None:
        for number, (method, params) in enumerate(requests(values, root)):
            called.add(method)
            look(method, wire.request(method, params, f"{len(called)}-{number}"))

    call_all()
    for method, params in notifications(values, root):
        called.add(method)
        wire.notify(method, params)
    call_all()
    for message in wire.others:
        look(message.get("method", "response"), message)
        if message.get("method") == "window/showMessageRequest":
            wire.send({"jsonrpc": "2.0", "id": message["id"], "result": None})
    assert leaks == {}
    assert METHODS.keys() - called == set()
    code, log = wire.leave()
    assert code == 0
    assert values.leaks(log) == []


def test_an_edit_contains_the_text_of_the_document(served):
    values, wire, root = served
    lines = (root / "AGENTS.md").read_text("utf-8").split("\n")
    start = {"line": lines.index(f"## Deploy with {values['heading']}"), "character": 4}
    document = {"textDocument": {"uri": (root / "AGENTS.md").as_uri()}}
    params = {**document, "range": {"start": start, "end": start}, "context": {"diagnostics": []}}
    actions = wire.request("textDocument/codeAction", params)["result"]
    (moved,) = (item for item in actions if item["title"] == "Move this section to its own note")
    changes = moved["edit"]["documentChanges"]
    assert values["heading"] in json.dumps(changes)
    assert values["heading"].lower() not in changes[0]["uri"].lower()
