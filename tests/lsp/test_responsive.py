"""A large or hostile file is checked in the background: other requests go on.

The check of the hostile file takes seconds of CPU time, the other answers a tenth of it, so their
order is the same on a busy machine.
"""

from __future__ import annotations

import pytest

from kit import write
from lsp_wire import Wire

pytestmark = pytest.mark.slow

HOSTILE = "".join(f"- `src/app/mod{n}/file{n}.py` is never `make x{n}`\n" for n in range(12_000))
PLAIN = "".join(f"- Item {n} says where the thing number {n * 7} is used\n" for n in range(6_000))
SMALL = "# Small\n\n- a \u200b\n"


@pytest.fixture
def large(request, tmp_path):
    """A project with a large file; its content is the parameter, or PLAIN."""
    text = getattr(request, "param", PLAIN)
    files = {".git/HEAD": "x", "src/app/main.py": "", "Makefile": "a:\n", "sub/AGENTS.md": SMALL}
    root = write(tmp_path / "ws", {**files, "AGENTS.md": f"# Large\n\n{text}- b \u200b\n"})
    wire = Wire(write(tmp_path / "home", {".keep": ""}))
    yield root, wire
    wire.process.kill()
    wire.process.communicate()


def opened(root, wire, name):
    uri = (root / name).as_uri()
    item = {"uri": uri, "languageId": "markdown", "version": 1, "text": (root / name).read_text()}
    wire.notify("textDocument/didOpen", {"textDocument": item})
    return {"textDocument": {"uri": uri}}


def started(root, wire, **more):
    wire.initialize(root, textDocument={"diagnostic": {}}, **more)
    small = opened(root, wire, "sub/AGENTS.md")
    at = {**small, "position": {"line": 2, "character": 4}}
    wire.request("textDocument/hover", at, "loads pygls")
    return small, opened(root, wire, "AGENTS.md")


@pytest.mark.parametrize("large", [HOSTILE], ids=["hostile"], indirect=True)
@pytest.mark.parametrize("refresh", [False, True])
def test_other_requests_are_answered_while_a_large_file_is_checked(large, refresh):
    root, wire = large
    small, big = started(root, wire, workspace={"diagnostics": {"refreshSupport": refresh}})
    pull = {"jsonrpc": "2.0", "method": "textDocument/diagnostic"}
    wire.send({**pull, "id": "big", "params": big})
    at = {**small, "position": {"line": 2, "character": 4}}
    assert "result" in wire.request("textDocument/hover", at, "hover")
    assert "result" in wire.request("textDocument/documentSymbol", small, "symbols")
    prompt = wire.request("agentMemory/prompt", {}, "prompt")
    assert prompt["result"]["sources"]
    before = {message.get("id") for message in wire.others}
    assert "big" not in before, "the check was finished before the other answers"
    report = wire.response("big")["result"]
    assert "AM107" in {item["code"] for item in report["items"]}


@pytest.mark.parametrize("large", [HOSTILE], ids=["hostile"], indirect=True)
def test_shutdown_does_not_wait_for_a_check(large):
    root, wire = large
    _, big = started(root, wire)
    for name, method in (("big", "textDocument/diagnostic"), ("all", "workspace/diagnostic")):
        params = {**big, "previousResultIds": []}
        wire.send({"jsonrpc": "2.0", "id": name, "method": method, "params": params})
    assert "error" not in wire.request("shutdown", None, "down")
    assert {message["error"]["code"] for message in wire.others if "id" in message} == {-32800}
    wire.notify("exit")
    assert wire.process.wait(30) == 0


def test_canceled_pull_is_answered_at_once(large):
    root, wire = large
    _, big = started(root, wire)
    method = "textDocument/diagnostic"
    wire.send({"jsonrpc": "2.0", "id": "big", "method": method, "params": big})
    wire.request("textDocument/foldingRange", big, "the pull is running")
    wire.notify("$/cancelRequest", {"id": "big"})
    assert wire.response("big")["error"]["code"] == -32800


def test_findings_follow_an_edit_during_the_check(large):
    root, wire = large
    _, big = started(root, wire)
    method = "textDocument/diagnostic"
    wire.send({"jsonrpc": "2.0", "id": "big", "method": method, "params": big})
    change = {"range": span(0, 0, 0, 0), "text": "- c \u200b\n"}
    document = {**big["textDocument"], "version": 2}
    wire.notify("textDocument/didChange", {"textDocument": document, "contentChanges": [change]})
    wire.response("big")
    report = wire.request(method, big, "again")["result"]
    found = [item["range"]["start"]["line"] for item in report["items"] if item["code"] == "AM107"]
    last = (root / "AGENTS.md").read_text().count("\n")
    assert found == [0, last]


def test_client_without_pull_gets_the_findings_published(tmp_path, large):
    root, wire = large
    wire.initialize(root)
    big = opened(root, wire, "AGENTS.md")["textDocument"]["uri"]
    while True:
        message = wire.receive()
        if message.get("method") == "textDocument/publishDiagnostics":
            params = message["params"]
            if params["uri"] == big and params["diagnostics"]:
                break
    assert "AM107" in {item["code"] for item in params["diagnostics"]}


def span(line, start, end_line, end):
    return {
        "start": {"line": line, "character": start},
        "end": {"line": end_line, "character": end},
    }
