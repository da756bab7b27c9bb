"""Messages that arrive before there is an event loop, and what is loaded to answer them."""

from __future__ import annotations

import pytest

from agent_memory.lsp.transport.framing import encode
from kit import fresh, write
from lsp_wire import Wire

BAD = "# Notes\n\n- a\u200b\n"
PULL = {"textDocument": {"diagnostic": {}}}
OWN_MAX = 320
"""Modules of the package at the first diagnostics; it was 344. A module that few projects need is
imported by the function that needs it."""
UNUSED = {
    *("asyncio", "ssl", "watchdog", "pygls", "lsprotocol", "tomllib", "ctypes", "tempfile"),
    "agent_memory.watch.watcher",
    "agent_memory.entries.entry_file",
    "agent_memory.fs.atomic_write",
    "agent_memory.runtimes.agents.gemini_imports",
}
# Prints the modules that are loaded when the diagnostics are sent; the input is a file.
PROGRAM = """
import os, sys
os.dup2(os.open("input", os.O_RDONLY), 0)
from agent_memory.lsp.transport.client import Client
answer = Client.answer

def reported(client, msg_id, result):
    answer(client, msg_id, result)
    if msg_id == 3:
        os.write(3, "\\n".join(sys.modules).encode())

Client.answer = reported
os.dup2(os.open("modules", os.O_WRONLY | os.O_CREAT), 3)
from agent_memory.cli import main
main(["serve"])
"""


def request(msg_id, method, params):
    return encode({"jsonrpc": "2.0", "id": msg_id, "method": method, "params": params})


def notification(method, params):
    return encode({"jsonrpc": "2.0", "method": method, "params": params})


def start(root, text, **capabilities):
    """Return the bytes of the first messages: until a document with ``text`` is open."""
    folders = [{"uri": root.as_uri(), "name": "x"}]
    params = {"processId": None, "capabilities": capabilities, "workspaceFolders": folders}
    document = {"uri": uri(root), "languageId": "markdown", "version": 1, "text": text}
    return b"".join(
        [
            request(1, "initialize", params),
            notification("initialized", {}),
            notification("textDocument/didOpen", {"textDocument": document}),
        ]
    )


def uri(root):
    return (root / "AGENTS.md").as_uri()


@pytest.fixture
def root(tmp_path):
    return write(tmp_path / "ws", {".git/HEAD": "x", "AGENTS.md": "# A\n"})


@pytest.fixture
def wire(tmp_path):
    wire = Wire(write(tmp_path / "home", {".keep": ""}))
    yield wire
    assert wire.leave()[0] == 0


def test_first_diagnostics_load_only_what_they_need(root, tmp_path):
    ask = request(3, "textDocument/diagnostic", {"textDocument": {"uri": uri(root)}})
    end = request(4, "shutdown", None) + notification("exit", None)
    (tmp_path / "input").write_bytes(start(root, BAD, **PULL) + ask + end)
    assert '"AM107"' in fresh(PROGRAM, tmp_path, PATH="").stdout
    loaded = set((tmp_path / "modules").read_text().split())
    assert {name for name in loaded if name in UNUSED} == set()
    assert sum(name.startswith("agent_memory.") for name in loaded) <= OWN_MAX


def test_diagnostics_are_published_without_a_request(root, wire):
    wire.raw(start(root, BAD))
    assert wire.response(1)["result"]
    while (message := wire.receive())["params"].get("version") != 1:
        assert message["method"] == "textDocument/publishDiagnostics"  # of the file on disk
    assert [item["code"] for item in message["params"]["diagnostics"]] == ["AM107"]


def test_messages_are_handled_in_their_order(root, wire):
    """The first request that needs pygls waits for the loop, and so does all after it."""
    document = {"uri": uri(root), "version": 2}
    symbols = {"textDocument": {"uri": uri(root)}}
    change = {"textDocument": document, "contentChanges": [{"text": BAD}]}
    wire.raw(
        start(root, "# First\n", **PULL)
        + request(2, "textDocument/documentSymbol", symbols)
        + notification("textDocument/didChange", change)
        + request(3, "textDocument/diagnostic", symbols)
        + request(4, "textDocument/documentSymbol", symbols)
    )
    assert [item["name"] for item in wire.response(2)["result"]] == ["First"]
    assert [item["code"] for item in wire.response(3)["result"]["items"]] == ["AM107"]
    assert [item["name"] for item in wire.response(4)["result"]] == ["Notes"]


def test_a_large_document_is_checked_in_the_background(root, wire):
    text = BAD + "- Use tabs.\n" * 10_000
    ask = request(3, "textDocument/diagnostic", {"textDocument": {"uri": uri(root)}})
    wire.raw(start(root, text, **PULL) + ask)
    assert "AM107" in [item["code"] for item in wire.response(3)["result"]["items"]]


def test_a_canceled_request_is_answered(root, wire):
    ask = request(3, "textDocument/diagnostic", {"textDocument": {"uri": uri(root)}})
    cancel = notification("$/cancelRequest", {"id": 3})
    again = request(4, "textDocument/diagnostic", {"textDocument": {"uri": uri(root)}})
    wire.raw(start(root, BAD, **PULL) + ask + cancel + again)
    assert wire.response(3)["id"] == 3  # an error, or the result if it had been handled
    assert [item["code"] for item in wire.response(4)["result"]["items"]] == ["AM107"]
