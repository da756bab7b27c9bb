"""Each correction of pygls, on a server in this process."""

from __future__ import annotations

import json
import logging
from concurrent.futures import Future

import pytest

from agent_memory.lsp.host import Host
from agent_memory.lsp.transport.framing import Frames
from kit import write

MARK = "a marker of the user's own text"


class Session:
    """A host with its messages."""

    def __init__(self, home):
        self.host = Host(home)
        self.sent: list[dict] = []
        frames = Frames()
        self.host.client.write = lambda data: self.sent.extend(map(json.loads, frames.feed(data)))
        self.host.client.initialized = True
        self.server = self.host.server()

    def send(self, method, params, **more):
        message = {"jsonrpc": "2.0", "method": method, "params": params, **more}
        self.host.fast_lane.receive(json.dumps(message).encode())

    def request(self, method, params):
        """Return the answer to a request."""
        self.sent.clear()
        self.send(method, params, id=7)
        [answer] = self.sent
        assert answer["id"] == 7
        return answer


@pytest.fixture
def session(tmp_path, caplog):
    caplog.set_level(logging.DEBUG)
    return Session(write(tmp_path, {".keep": ""}))


@pytest.mark.parametrize("params", [None, 5, {"textDocument": MARK}, {"position": {"line": MARK}}])
def test_malformed_parameters_are_answered_and_not_logged(session, caplog, params):
    error = session.request("textDocument/hover", params)["error"]
    assert error["code"] == -32602
    assert MARK not in error["message"] + caplog.text


def test_malformed_parameters_of_a_notification_are_ignored(session):
    session.send("workspace/didChangeWatchedFiles", {"changes": 5})
    assert session.sent == []


def test_parameters_of_custom_methods_stay_plain_json(session):
    seen = []
    session.server.protocol.fm.features["agentMemory/status"] = seen.append
    given = {"nested": [{"type_name": "x", "class": 1}], "jsonrpc": "1.0"}
    session.request("agentMemory/status", given)
    assert seen == [given]


def test_an_internal_error_is_answered_without_its_message(session, caplog):
    def fail(_params):
        raise RuntimeError(MARK)

    session.server.protocol.fm.features["agentMemory/status"] = fail
    error = session.request("agentMemory/status", {})["error"]
    assert (error["code"], "RuntimeError" in error["message"]) == (-32603, True)
    assert MARK not in str(error) + caplog.text
    assert "RuntimeError" in caplog.text


def test_futures_of_notifications_are_dropped(session):
    for _ in range(20):
        session.send("$/setTrace", {"value": "verbose"})
        session.send("workspace/didChangeConfiguration", {"settings": {"agentMemory": 5}})
    assert session.server.protocol.trace.value == "verbose"
    assert session.server.protocol._request_futures == {}


def test_a_canceled_notification_is_dropped_and_not_logged(session, caplog):
    protocol = session.server.protocol
    future = Future()
    protocol._request_futures["id"] = future
    future.add_done_callback(protocol._check_handler_result)
    future.cancel()
    assert protocol._request_futures == {}
    assert caplog.text == ""


def test_nothing_of_a_message_is_logged(session, caplog):
    assert "result" in session.request("textDocument/hover", at(MARK))
    assert "result" in session.request("workspace/symbol", {"query": MARK})
    session.send("workspace/didChangeConfiguration", {"settings": {"agentMemory": {MARK: 1}}})
    assert MARK not in caplog.text


def at(name):
    """Return the parameters for the start of a document."""
    position = {"line": 0, "character": 0}
    return {"textDocument": {"uri": f"untitled:{name}"}, "position": position}


def test_messages_of_pygls_share_the_stream(session):
    session.server.protocol.notify("custom/notification", {"a": 1})
    assert session.sent == [{"jsonrpc": "2.0", "method": "custom/notification", "params": {"a": 1}}]


def test_an_error_inside_pygls_is_logged_and_not_shown(session, caplog):
    session.server._report_server_error(RuntimeError(MARK), RuntimeError)
    assert session.sent == []
    assert "RuntimeError" in caplog.text
    assert MARK not in caplog.text


def test_an_unknown_command_is_answered_with_the_known_ones(session):
    error = session.request("workspace/executeCommand", {"command": "rm"})["error"]
    assert error["code"] == -32602
    assert "agentMemory.server.recall" in error["message"]


def test_a_command_takes_one_argument(session):
    command = {"command": "agentMemory.server.prompt", "arguments": [{}, {}]}
    assert session.request("workspace/executeCommand", command)["error"]["code"] == -32602
    assert "result" in session.request("workspace/executeCommand", {**command, "arguments": [{}]})
