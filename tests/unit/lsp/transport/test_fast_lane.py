"""Requests of the fast lane whose result is sent later."""

from __future__ import annotations

import json

import pytest

from agent_memory.lsp.transport.client import Client
from agent_memory.lsp.transport.errors import INTERNAL_ERROR, REQUEST_CANCELLED
from agent_memory.lsp.transport.fast_lane import FastLane
from agent_memory.lsp.transport.framing import Frames
from agent_memory.lsp.transport.pending import Pending

PULL = "textDocument/diagnostic"


class Lane:
    """A fast lane with one handler; ``answers`` are the results to come."""

    def __init__(self, *answers: object) -> None:
        self.answers = list(answers)
        self.sent: list[dict[str, object]] = []
        frames = Frames()
        client = Client()
        client.initialized = True
        client.write = lambda data: self.sent.extend(map(json.loads, frames.feed(data)))
        self.lane = FastLane(client, lambda _message: None)
        self.lane.handlers = {PULL: self.handle, "shutdown": lambda _params: None}

    def handle(self, _params: object) -> object:
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    def send(self, method: str, msg_id: object = None, **params: object) -> None:
        message = {"method": method, "params": params}
        self.lane.receive(json.dumps(message | ({"id": msg_id} if msg_id else {})).encode())


def test_pending_result_is_sent_when_it_is_known():
    first, second = Pending(), Pending()
    lane = Lane(first, second, {"items": []})
    lane.send(PULL, 1)
    first.resume()
    assert lane.sent == []
    second.resume()
    assert lane.sent == [{"jsonrpc": "2.0", "id": 1, "result": {"items": []}}]
    second.resume()
    assert len(lane.sent) == 1


def test_failure_of_a_resumed_request_is_its_answer():
    pending = Pending()
    lane = Lane(pending, ZeroDivisionError())
    lane.send(PULL, 1)
    pending.resume()
    assert lane.sent[0]["error"]["code"] == INTERNAL_ERROR


@pytest.mark.parametrize(
    ("method", "msg_id", "params"), [("$/cancelRequest", None, {"id": 1}), ("shutdown", 2, {})]
)
def test_pending_request_is_canceled(method, msg_id, params):
    pending = Pending()
    lane = Lane(pending)
    lane.send(PULL, 1)
    lane.send(method, msg_id, **params)
    assert lane.sent[0]["id"] == 1
    assert lane.sent[0]["error"]["code"] == REQUEST_CANCELLED
    pending.resume()
    assert [message["id"] for message in lane.sent[1:]] == ([2] if msg_id else [])


def test_pending_result_of_a_notification_is_dropped():
    pending = Pending()
    lane = Lane(pending)
    lane.send(PULL)
    pending.resume()
    assert lane.sent == []


def test_pending_request_with_the_id_1_0_is_answered():
    pending = Pending()
    lane = Lane(pending, {"items": []})
    lane.send(PULL, 1.0)
    pending.resume()
    assert lane.sent == [{"jsonrpc": "2.0", "id": 1.0, "result": {"items": []}}]


@pytest.mark.parametrize("together", [False, True])
def test_request_with_the_id_1_0_is_canceled(together):
    lane = Lane(Pending())
    request = {"method": PULL, "id": 1.0}
    cancel = {"method": "$/cancelRequest", "params": {"id": 1.0}}
    for messages in [[request, cancel]] if together else [[request], [cancel]]:
        lane.lane.handle_all(messages)
    assert lane.sent[0]["error"]["code"] == REQUEST_CANCELLED


def test_cancellation_of_true_is_not_that_of_1():
    pending = Pending()
    lane = Lane(pending, {"items": []})
    lane.send(PULL, 1)
    lane.send("$/cancelRequest", id=True)
    pending.resume()
    assert lane.sent == [{"jsonrpc": "2.0", "id": 1, "result": {"items": []}}]
