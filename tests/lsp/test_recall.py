"""``agentMemory/recall`` returns matches, and never entries of another agent."""

import pytest

from agent_memory.entries.markdown_store import MarkdownEntries
from agent_memory.entries.validation import Draft
from kit import write
from lsp_wire import Wire


@pytest.fixture(scope="module")
def wire(tmp_path_factory):
    base = tmp_path_factory.mktemp("recall")
    root = write(base / "ws", {".git/HEAD": "x"})
    store = MarkdownEntries(root / ".memory")
    for agent, summary in (("qa", "tests use ninja"), ("ops", "ninja deploys")):
        store.put(Draft("agent", "project", summary, f"{summary} in full", agent))
    store.put(Draft("global", "user", "likes tabs", "tabs, not spaces"))
    wire = Wire(write(base / "home", {".keep": ""}))
    wire.root = root
    wire.initialize(root)
    yield wire
    assert wire.leave()[0] == 0


def found(wire, **params):
    result = wire.request("agentMemory/recall", params)["result"]
    return [item["summary"] for item in result["entries"]]


def test_match_has_the_uri_of_its_file(wire):
    answer = wire.request("agentMemory/recall", {"query": "ninja", "agent": "qa"})["result"]
    [entry] = answer["entries"]
    assert entry["summary"] == "tests use ninja"
    assert entry["uri"].startswith(wire.root.as_uri())
    assert entry["score"] > 0
    assert entry["relevant"] is True
    assert 0 < entry["relevance"] <= 1


def test_entries_of_another_agent_are_never_found(wire):
    assert found(wire, query="ninja", agent="ops") == ["ninja deploys"]
    assert "ninja deploys" not in found(wire, query="", agent="qa")


def test_word_forms_are_found_except_by_the_ranking_of_drover(wire):
    assert found(wire, query="deploying", agent="ops") == ["ninja deploys"]
    assert found(wire, query="deploying", agent="ops", ranking="drover") == []


def test_empty_query_lists_the_latest_entries(wire):
    assert found(wire, query="", scopes=["global"]) == ["likes tabs"]


def test_new_and_changed_entries_are_found(wire):
    store = MarkdownEntries(wire.root / ".memory")
    entry = store.put(Draft("global", "user", "walrus", "b"))
    assert found(wire, query="walrus") == ["walrus"]
    store.put(Draft("global", "user", "narwhal", "b", id=entry.id))
    assert found(wire, query="narwhal") == ["narwhal"]
    assert found(wire, query="walrus") == []
    store.forget(entry.id)
    assert found(wire, query="narwhal") == []


def test_command_returns_the_same(wire):
    params = {"query": "tabs"}
    command = {"command": "agentMemory.server.recall", "arguments": [params]}
    direct = wire.request("agentMemory/recall", params)["result"]
    assert wire.request("workspace/executeCommand", command)["result"] == direct


@pytest.mark.parametrize(
    "params",
    [
        {"query": 5},
        {"limit": 0},
        {"limit": 99},
        {"scopes": ["run"]},
        {"kinds": ["x"]},
        {"a": 1},
        {"ranking": "x"},
    ],
)
def test_invalid_parameters_get_an_explanation(wire, params):
    error = wire.request("agentMemory/recall", params)["error"]
    assert error["code"] == -32602
    assert error["message"]


def test_project_without_entries_returns_none(tmp_path):
    wire = Wire(tmp_path)
    wire.initialize(write(tmp_path / "ws", {".git/HEAD": "x"}))
    assert found(wire, query="ninja") == []
    assert wire.leave()[0] == 0
