"""Texts that the client shows to the user are sentences."""

import json

import pytest

from agent_memory.base.errors import UsageError
from agent_memory.lsp.transport.client import Client
from agent_memory.lsp.transport.errors import BadParamsError


@pytest.fixture
def sent():
    return []


@pytest.fixture
def client(sent):
    client = Client()
    client.write = lambda data: sent.append(json.loads(data.partition(b"\r\n\r\n")[2]))
    return client


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("2 items were added", "2 items were added."),
        ("Create it?", "Create it?"),
        ("It is read-only. Make it writable", "It is read-only. Make it writable."),
    ],
)
def test_a_message_ends_with_punctuation(client, sent, text, shown):
    client.show_message(text)
    client.ask(text, ["Create"], print)
    assert [item["params"]["message"] for item in sent] == [shown, shown]


def test_the_button_of_a_question_is_passed_on(client, sent):
    chosen = []
    client.ask("Create it", ["Show", "Create"], chosen.append)
    [question] = sent
    assert question["params"]["actions"] == [{"title": "Show"}, {"title": "Create"}]
    client.take_response({"id": question["id"], "result": {"title": "Create"}})
    client.ask("Create it", ["Create"], chosen.append)
    client.take_response({"id": sent[-1]["id"], "result": None})
    assert chosen == ["Create", None]


def answer_with(client, sent, error):
    """Answer a question of ``client``; what follows the answer raises ``error``."""

    def fail(_title):
        raise error

    client.ask("Create it", ["Create"], fail)
    client.take_response({"id": sent[-1]["id"], "result": {"title": "Create"}})
    return sent[1:]


@pytest.mark.parametrize("error", [UsageError, BadParamsError])
def test_a_request_refused_after_an_answer_is_shown(client, sent, error):
    [shown] = answer_with(client, sent, error("it is outside of the workspace"))
    assert shown["method"] == "window/showMessage"
    assert shown["params"]["message"] == "it is outside of the workspace."


def test_an_internal_error_after_an_answer_is_only_logged(client, sent, caplog):
    assert answer_with(client, sent, ZeroDivisionError("a secret")) == []
    assert "ZeroDivisionError" in caplog.text
    assert "a secret" not in caplog.text
