"""The tools as plain functions for agent frameworks."""

from __future__ import annotations

import inspect
import json
import sys

import pytest

from agent_memory import Memory, UsageError
from agent_memory.integrations.agent_tools import agent_tools
from kit import github_token, write


@pytest.fixture
def memory(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    root = write(tmp_path / "p", {".git/HEAD": "", ".deepagents/agent.md": "# A\n\n- Use tabs\n"})
    return Memory(root, home=tmp_path / "h", runtime="deepagentsdk", agent="w")


def named(memory, *allow):
    return {tool.__name__: tool for tool in agent_tools(memory, allow=allow)}


def test_a_fact_is_saved_found_promoted_and_removed(memory):
    tools = named(memory, "create", "forget")
    entry = tools["remember_entry"](summary="no friday deploys", body="Never on Fridays.")
    (hit,) = tools["recall"](query="deploy on friday")["entries"]
    assert (hit["id"], hit["relevant"]) == (entry["id"], True)
    assert tools["promote_entry"](id=entry["id"], keep=True)["outcome"] == "ready"
    assert "Never on Fridays" in tools["prompt"]()["text"]
    assert tools["forget"](id=entry["id"])["message"].startswith("forgot memory")
    assert tools["list_entries"]()["entries"] == []


@pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse such a name")
def test_a_path_that_is_not_utf8_is_escaped(tmp_path):
    root = write(tmp_path / "caf\udce9", {".git/HEAD": "", ".deepagents/agent.md": "# A\n"})
    memory = Memory(root, home=tmp_path / "h", runtime="deepagentsdk", agent="w")
    paths = [source["path"] for source in named(memory)["prompt"]()["sources"]]
    assert any("/caf\\udce9/" in path for path in paths)
    json.dumps(paths, ensure_ascii=False).encode()


def test_a_refusal_is_an_answer_that_says_what_to_do(memory):
    tools = named(memory)
    refused = tools["remember_entry"](summary="s", body="b")["error"]
    assert "--allow create" in refused
    assert not (memory.context.cwd / ".memory").exists()
    token = github_token(8)
    refused = tools["remember"](text=f"Use {token}")["error"]
    assert "redact=true" in refused
    assert token not in refused


def test_functions_declare_what_frameworks_read(memory):
    for tool in agent_tools(memory):
        signature = inspect.signature(tool)
        assert "granted" not in signature.parameters
        assert str(signature.return_annotation) == "dict[str, typing.Any]"
        assert inspect.getdoc(tool)
        for parameter in signature.parameters.values():
            assert parameter.annotation.__metadata__[0].description


def test_an_agent_cannot_grant_itself_anything(memory):
    with pytest.raises(TypeError):
        named(memory)["forget"](id="x", granted=True)


def test_unknown_power_is_an_error(memory):
    with pytest.raises(UsageError, match="unknown: everything"):
        agent_tools(memory, allow=["everything"])
