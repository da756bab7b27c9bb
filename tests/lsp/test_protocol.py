"""Every request gets an answer, and only the client ends the server."""

import re
import time

import pytest

from agent_memory.lsp.host import Host
from agent_memory.lsp.transport.framing import encode
from kit import write
from lsp_wire import Wire

NO_REPLY = "textDocument/didChange"
CUSTOM = ("agentMemory/prompt", "agentMemory/sources", "agentMemory/remember", "agentMemory/status")


@pytest.fixture(scope="module")
def wire(tmp_path_factory):
    base = tmp_path_factory.mktemp("wire")
    root = write(base / "ws", {".git/HEAD": "x", ".deepagents/agent.md": "# Notes\n"})
    wire = Wire(write(base / "home", {".keep": ""}))
    wire.root = root
    wire.initialize(root)
    yield wire
    assert wire.leave()[0] == 0


@pytest.mark.parametrize("method", CUSTOM)
@pytest.mark.parametrize(
    "params",
    [5, "text", [1], {"unknown": 1}, {"uri": 7}, {"agent": ["a"]}, {"nested": {"jsonrpc": 1}}],
)
def test_malformed_custom_parameters_get_an_explanation(wire, method, params):
    error = wire.request(method, params)["error"]
    assert error["code"] == -32602
    assert re.search("[a-z]{4}", error["message"])
    assert "Traceback" not in str(error)


def test_message_without_method_and_result_gets_an_error(wire):
    wire.send({"jsonrpc": "2.0", "id": "odd"})
    assert wire.response("odd")["error"]["code"] == -32600


@pytest.mark.parametrize("method", ["agentMemory/prompt", "agentMemory/status"])
def test_a_request_without_params_is_answered(wire, method):
    wire.send({"jsonrpc": "2.0", "id": "none", "method": method})
    assert "result" in wire.response("none")


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("textDocument/diagnostic", {"textDocument": 5}),
        ("textDocument/diagnostic", None),
        ("textDocument/codeAction", {"textDocument": {"uri": "file:///a.md"}}),
        ("textDocument/codeAction", {"textDocument": {"uri": 5}, "range": {}, "context": {}}),
        ("codeAction/resolve", {"title": "x"}),
        ("workspace/executeCommand", {"command": "rm"}),
        ("workspace/executeCommand", {"command": "agentMemory.server.prompt", "arguments": [1, 2]}),
        ("workspace/executeCommand", {"command": "agentMemory.server.remember"}),
        ("textDocument/hover", {"textDocument": 5}),
        ("textDocument/rename", None),
    ],
)
def test_malformed_standard_parameters_get_an_error(wire, method, params):
    assert wire.request(method, params)["error"]["code"] == -32602


def test_params_may_contain_the_key_jsonrpc(wire):
    params = {"textDocument": {"uri": "file:///x.md", "jsonrpc": "2.0"}, "jsonrpc": {"id": 1}}
    assert wire.request("textDocument/diagnostic", params)["result"]["items"] == []


def test_error_names_an_unknown_method(wire):
    error = wire.request("agentMemory/nothing", {})["error"]
    assert (error["code"], "agentMemory/nothing" in error["message"]) == (-32601, True)


def test_error_suggests_the_correct_parameter(wire):
    error = wire.request("agentMemory/prompt", {"agnet": "a"})["error"]
    assert "Did you mean 'agent'?" in error["message"]


def test_agent_id_with_path_traversal_is_refused(wire):
    error = wire.request("agentMemory/prompt", {"agent": "../../etc"})["error"]
    assert error["code"] == -32602
    assert "is not an agent id" in error["message"]


def test_invalid_json_is_answered(wire):
    wire.raw(b"Content-Length: 7\r\n\r\n{broken")
    assert wire.response(None)["error"]["code"] == -32700
    assert "result" in wire.request("agentMemory/status")


@pytest.mark.parametrize("message", [[], 5, None, "text"])
def test_message_that_is_not_an_object_is_answered(wire, message):
    wire.send(message)
    assert wire.response(None)["error"]["code"] == -32600


@pytest.mark.parametrize(
    "params",
    [
        None,
        {},
        {"textDocument": {"uri": "file:///none.md", "version": 2}, "contentChanges": []},
        {"textDocument": {"uri": "file:///none.md"}, "contentChanges": [{"range": 5}]},
    ],
)
def test_malformed_notification_is_ignored(wire, params):
    wire.notify(NO_REPLY, params)
    assert "result" in wire.request("agentMemory/status")


def test_unexpected_responses_are_ignored(wire):
    wire.send({"jsonrpc": "2.0", "id": "stranger", "result": 1})
    wire.send({"jsonrpc": "2.0", "id": ["odd"], "error": {"code": 1, "message": "x"}})
    assert "result" in wire.request("agentMemory/status")


def test_messages_may_be_split_and_joined(wire):
    body = b'{"jsonrpc":"2.0","id":"cut","method":"agentMemory/status"}'
    frame = b"Content-Type: x\r\ncontent-length: %d\r\n\r\n" % len(body) + body
    for part in (frame[:3], frame[3:30], frame[30:] + frame[:10], frame[10:]):
        wire.raw(part)
    assert "result" in wire.response("cut")
    assert "result" in wire.response("cut")


def test_a_request_before_initialize_is_refused(tmp_path):
    wire = Wire(tmp_path)
    assert wire.request("agentMemory/status")["error"]["code"] == -32002
    assert "capabilities" in wire.initialize()["result"]
    assert wire.leave()[0] == 0


def test_a_request_after_shutdown_is_refused(tmp_path):
    wire = Wire(tmp_path)
    wire.initialize()
    wire.request("shutdown")
    assert wire.request("agentMemory/status")["error"]["code"] == -32600
    wire.notify("exit")
    assert wire.end()[0] == 0


def test_nothing_is_sent_after_shutdown(tmp_path):
    root = write(tmp_path / "ws", {".git/HEAD": "x", ".deepagents/agent.md": "# Notes\n"})
    wire = Wire(tmp_path)
    wire.initialize(root, workspace={"diagnostics": {"refreshSupport": True}})
    while wire.receive().get("method") != "agentMemory/changed":
        pass
    (root / ".deepagents" / "agent.md").write_text("# Notes\n\n- more\n")
    wire.request("shutdown")
    wire.others.clear()
    time.sleep(1.5)
    wire.request("agentMemory/status")
    assert wire.others == []
    wire.notify("exit")
    assert wire.end()[0] == 0


def test_exit_without_shutdown_is_a_failure(tmp_path):
    wire = Wire(tmp_path)
    wire.initialize()
    wire.notify("exit")
    assert wire.end()[0] == 1


def test_end_of_input_ends_the_server(tmp_path):
    wire = Wire(tmp_path)
    wire.initialize()
    assert wire.end()[0] == 1


def test_unframed_input_ends_the_server_with_a_reason(tmp_path):
    wire = Wire(tmp_path)
    wire.initialize()
    wire.raw(b"GET / HTTP/1.1\r\nHost: here\r\n\r\n")
    code, log = wire.end()
    assert code == 1
    assert "not a language client" in log


def test_nothing_of_a_document_is_logged(tmp_path):
    root = write(tmp_path / "ws", {".git/HEAD": "x"})
    wire = Wire(tmp_path)
    wire.initialize(root, textDocument={"diagnostic": {}})
    uri = (root / "AGENTS.md").as_uri()
    marker = "a marker of the document's own text"
    item = {"uri": uri, "languageId": "markdown", "version": 1, "text": f"# {marker}\n"}
    wire.notify("textDocument/didOpen", {"textDocument": item})
    wire.request("textDocument/diagnostic", {"textDocument": {"uri": uri}})
    wire.request("agentMemory/remember", {"text": marker, "scope": marker})
    wire.notify("textDocument/didChange", {"textDocument": {"uri": uri}, "contentChanges": marker})
    assert marker not in wire.leave()[1]


def test_state_does_not_grow_with_messages(tmp_path):
    """pygls keeps two futures per notification."""
    server = Host(tmp_path)
    server.client.initialized = True
    for number in range(200):
        body = b'{"jsonrpc":"2.0","method":"$/setTrace","params":{"value":"off"}}'
        server.fast_lane.receive(body)
        request = b'{"jsonrpc":"2.0","id":%d,"method":"agentMemory/status"}' % number
        server.fast_lane.receive(request)
    assert server.client._pending == {}
    assert server.server().protocol._request_futures == {}


def test_canceled_request_is_not_handled(wire):
    def message(msg_id, method, params):
        return encode({"jsonrpc": "2.0", "id": msg_id, "method": method, "params": params})

    cancel = encode({"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": 71}})
    strange = encode({"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": [72]}})
    first, second = (message(number, "agentMemory/prompt", {}) for number in (71, 72))
    wire.raw(first + second + strange + cancel)
    assert wire.response(71)["error"]["code"] == -32800
    assert wire.response(72)["result"]["hash"]
