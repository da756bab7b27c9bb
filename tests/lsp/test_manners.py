"""What the server does with messages that break the protocol, and when its client disappears."""

import json
import subprocess
import sys
import threading

import pytest

from agent_memory.lsp.transport import framing
from agent_memory.lsp.transport.framing import encode
from agent_memory.lsp.workspace import client_process
from kit import write
from lsp_wire import Wire

pytestmark = pytest.mark.slow

LONG = "x" * 300
DEEP = b"[" * 100_000
DIGITS = b"1" * 5000
SECONDS = 10


@pytest.fixture(scope="module")
def wire(tmp_path_factory):
    base = tmp_path_factory.mktemp("manners")
    root = write(base / "ws", {".git/HEAD": "x", "AGENTS.md": "# Notes\n\n- a \u200b\n"})
    wire = Wire(write(base / "home", {".keep": ""}))
    wire.root = root
    wire.initialize(root, textDocument={"diagnostic": {}})
    yield wire
    code, log = wire.leave()
    assert code == 0
    assert "Traceback" not in log
    assert 'File "' not in log


def frame(body):
    return b"Content-Length: %d\r\n\r\n" % len(body) + body


def alive(wire):
    return "result" in wire.request("agentMemory/status")


# -- the client's process


def started(tmp_path, process_id):
    wire = Wire(tmp_path)
    wire.request("initialize", {"processId": process_id, "capabilities": {}}, 1)
    wire.notify("initialized", {})
    return wire


def test_server_ends_when_the_process_of_the_client_is_gone(tmp_path):
    client = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    wire = started(tmp_path, client.pid)
    assert alive(wire)
    client.communicate()
    assert wire.process.wait(SECONDS) == 1
    assert "the client's process has ended" in wire.end()[1]


@pytest.mark.parametrize("process_id", [None, "1", True, -1, 0, 10**30, 2**22 + 5])
def test_without_an_existing_process_nothing_is_watched(process_id):
    """A process id of another container does not exist here."""
    before = threading.active_count()
    client_process.watch(process_id, lambda: pytest.fail("it was watched"))
    assert threading.active_count() == before


# -- the life cycle


def test_a_second_initialize_is_an_error(wire):
    error = wire.request("initialize", {"capabilities": {}, "workspaceFolders": []})["error"]
    assert error["code"] == -32600
    assert "once" in error["message"]
    assert alive(wire)


def test_folders_are_unchanged_by_a_second_initialize(wire):
    wire.request("initialize", {"capabilities": {}, "workspaceFolders": []})
    reports = wire.request("workspace/diagnostic", {"previousResultIds": []})["result"]["items"]
    assert (wire.root / "AGENTS.md").as_uri() in [item["uri"] for item in reports]


@pytest.mark.parametrize(
    "params",
    [
        {"workspaceFolders": 5},
        {"workspaceFolders": [{"uri": 5}, 7, {"uri": f"file:///{LONG}"}]},
        {"locale": [1], "rootUri": 7, "initializationOptions": {"settings": {"rules": [1]}}},
        {"capabilities": {"general": {"positionEncodings": [[], {}]}}},
    ],
)
def test_odd_values_in_initialize_count_as_missing(tmp_path, params):
    wire = Wire(tmp_path)
    assert "result" in wire.request("initialize", {"capabilities": {}, **params}, 1)
    wire.notify("initialized", {})
    assert alive(wire)
    code, log = wire.leave()
    assert (code, "Traceback" in log) == (0, False)


def test_notification_before_initialize_is_ignored_with_one_line(tmp_path):
    wire = Wire(tmp_path)
    wire.notify("textDocument/didOpen", {"textDocument": {}})
    wire.initialize()
    log = wire.leave()[1]
    assert log.count("\n") == 1
    assert "didOpen" in log


# -- framing


@pytest.mark.parametrize(
    ("first", "code"), [(DEEP, -32700), (b"{", -32700), (b"[]", -32600), (b"1" * 5000, -32700)]
)
def test_first_message_that_is_not_a_request_is_answered(tmp_path, first, code):
    wire = Wire(tmp_path)
    wire.raw(frame(first))
    assert wire.response(None)["error"]["code"] == code
    assert "result" in wire.initialize()
    assert wire.leave() == (0, "")


@pytest.mark.parametrize("header", [b"Content-Length: " + DIGITS, b"Content-Length: 99999999999"])
@pytest.mark.parametrize("at_start", [True, False])
def test_impossible_length_ends_the_server_with_a_reason(tmp_path, header, at_start):
    wire = Wire(tmp_path)
    if not at_start:
        wire.initialize()
    wire.raw(header + b"\r\n\r\n{}")
    assert wire.process.wait(SECONDS) == 1
    log = wire.end()[1]
    assert "not a language client" in log
    assert log.count("\n") == 1


def test_messages_before_an_impossible_length_are_answered(tmp_path):
    wire = Wire(tmp_path)
    first = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}}}
    second = {"jsonrpc": "2.0", "id": 2, "method": "agentMemory/status"}
    wire.raw(encode(first) + encode(second) + b"Content-Length: 99999999999\r\n\r\n")
    assert "result" in wire.response(1)
    assert "result" in wire.response(2)
    assert wire.process.wait(SECONDS) == 1
    assert wire.end()[1].count("not a language client") == 1


def test_the_longest_message_holds_the_longest_file():
    """Each character of a file of 16 MiB can take six bytes of JSON."""
    assert framing.BODY_CAP > 6 * 16 * 2**20


# -- ids


@pytest.mark.parametrize("msg_id", [None, [1], {"a": 1}, True, 1.5])
def test_request_with_an_invalid_id_is_an_error(wire, msg_id):
    wire.send({"jsonrpc": "2.0", "id": msg_id, "method": "agentMemory/status"})
    assert wire.response(None)["error"]["code"] == -32600


def test_nan_is_not_returned_as_an_id(wire):
    wire.raw(frame(b'{"jsonrpc":"2.0","id":NaN,"method":"agentMemory/status"}'))
    assert wire.response(None)["error"]["code"] == -32600


# -- parameters

URIS = ["file:///" + LONG, "file:///" + "a/" * 3000, "file:///%00", "file:///\ud800", "untitled:1"]


@pytest.mark.parametrize("uri", URIS, ids=range(len(URIS)))
def test_document_with_an_impossible_path_hides_no_other_file(wire, uri):
    item = {"uri": uri, "languageId": "markdown", "version": 1, "text": "# A\n"}
    wire.notify("textDocument/didOpen", {"textDocument": item})
    document = {"textDocument": {"uri": uri}}
    assert wire.request("textDocument/diagnostic", document)["result"]["items"] == []
    reports = wire.request("workspace/diagnostic", {"previousResultIds": []})["result"]["items"]
    assert any(item["items"] for item in reports)
    wire.notify("textDocument/didClose", document)


@pytest.mark.parametrize(
    "given", [5, [5], [{"uri": 5, "value": "x"}], [{"uri": []}], [{"value": "x"}], {"uri": "x"}]
)
def test_previous_results_without_uri_are_invalid_parameters(wire, given):
    error = wire.request("workspace/diagnostic", {"previousResultIds": given})["error"]
    assert error["code"] == -32602


POSITION = {"line": 0, "character": 0}
NOTIFICATIONS = [
    ("textDocument/didOpen", None),
    ("textDocument/didOpen", {"textDocument": {"uri": 5, "text": "", "version": 1}}),
    ("textDocument/didOpen", {"textDocument": {"uri": "file:///a.md", "text": 5, "version": 1}}),
    ("textDocument/didOpen", {"textDocument": {"uri": "file:///a", "text": "", "version": "1"}}),
    ("textDocument/didChange", [1]),
    ("textDocument/didChange", {"textDocument": {"uri": "{open}", "version": 2}}),
    *(
        (
            "textDocument/didChange",
            {"textDocument": {"uri": "{open}", "version": 2}, "contentChanges": changes},
        )
        for changes in (
            5,
            [5],
            [{}],
            [{"text": 5}],
            [{"text": "", "range": 5}],
            [{"text": "", "range": {"start": POSITION}}],
            [{"text": "", "range": {"start": POSITION, "end": {"line": "0", "character": 0}}}],
            [{"text": "lost"}, {"text": 5}],
        )
    ),
    ("textDocument/didClose", {"textDocument": []}),
    ("workspace/didChangeWorkspaceFolders", {"event": 5}),
    ("workspace/didChangeConfiguration", 5),
    ("workspace/didChangeWatchedFiles", {"changes": 5}),
    ("$/setTrace", {"value": 5}),
]


def test_malformed_notifications_are_ignored_with_one_line_each(tmp_path):
    root = write(tmp_path / "ws", {".git/HEAD": "x", "AGENTS.md": "# Notes\n"})
    wire = Wire(tmp_path)
    wire.initialize(root)
    uri = (root / "AGENTS.md").as_uri()
    item = {"uri": uri, "languageId": "markdown", "version": 1, "text": "# Typed\n"}
    wire.notify("textDocument/didOpen", {"textDocument": item})
    for method, params in NOTIFICATIONS:
        wire.notify(method, json.loads(json.dumps(params).replace("{open}", uri)))
    prompt = wire.request("agentMemory/prompt", {"uri": uri})["result"]
    assert "# Typed" in prompt["text"], "the text is unchanged"
    code, log = wire.leave()
    assert code == 0
    assert [line.split("'")[1] for line in log.splitlines()] == [row[0] for row in NOTIFICATIONS]


def test_unknown_notification_is_ignored_without_a_line(wire):
    """LSP: a notification that begins with ``$/`` may be ignored; others have an unknown method."""
    wire.notify("$/unknown", {})
    assert alive(wire)
