"""The command line, the Python API, MCP and the functions for frameworks find the same entries."""

from __future__ import annotations

import json

import pytest
from mcp import Client

from agent_memory import AsyncMemory, Memory, serialize
from agent_memory.entries.markdown_store import MarkdownEntries
from agent_memory.entries.validation import Draft
from agent_memory.integrations.agent_tools import agent_tools
from agent_memory.integrations.mcp_server import server
from kit import cli, project

pytestmark = pytest.mark.asyncio
ENTRIES = (
    ("global", "project", "No deploys on Fridays", "Deploy Monday to Thursday.", ("ops",)),
    ("global", "feedback", "Use tabs", "Spaces break the Makefile.", ("style", "make")),
    ("agent", "feedback", "Ask before a deploy", "The person wants to know.", ()),
    ("agent", "user", "Short answers", "No lists.", ()),
)
QUERIES = (
    ("when may I deploy?", {}),
    ("deploys", {"kinds": ["project"]}),
    ("tabs or spaces", {"tags": ["STYLE"]}),
    ("deploy", {"scopes": ["agent"]}),
    ("zebra", {}),
    ("", {}),
    ("instructions of the project", {"limit": 1}),
)


@pytest.fixture
def ctx(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    ctx = project(tmp_path, {"AGENTS.md": "# Rules\n\nInstructions of the project.\n"}, {})
    store = MarkdownEntries(ctx.cwd / ".memory", clock=iter(range(1, 99)).__next__)
    for scope, kind, summary, body, tags in ENTRIES:
        store.put(Draft(scope, kind, summary, body, "w" if scope == "agent" else None, None, tags))
    store.put(Draft("agent", "project", "Deploy at night", "Not ours.", "other"))
    return ctx.with_(agent="w")


def on_command_line(ctx, query, options):
    args = ["recall", query, "--agent", "w", "--format", "json"]
    for name, value in options.items():
        values = value if isinstance(value, list) else [value]
        args += [part for item in values for part in (f"--{name.removesuffix('s')}", str(item))]
    return json.loads(cli(ctx, *args).out)


@pytest.mark.parametrize(("query", "options"), QUERIES)
async def test_a_search_gives_the_same_answer_everywhere(ctx, query, options):
    expected = on_command_line(ctx, query, options)
    memory = Memory(ctx.cwd, home=ctx.home, agent="w")
    answers = [
        serialize.recall_json(memory.recall(query, **options)),
        serialize.recall_json(await AsyncMemory(memory).recall(query, **options)),
    ]
    tools = {tool.__name__: tool for tool in agent_tools(memory)}
    answers.append(tools["recall"](query=query, **options))
    async with Client(server(ctx)) as client:
        result = await client.call_tool("recall", {"query": query, **options})
    answers.append(result.structured_content)
    for answer in answers:
        framed = {key: value for key, value in answer.items() if key not in ("notice", "content")}
        assert framed == expected
    assert "Deploy at night" not in json.dumps(expected)


async def test_a_list_has_the_same_entries_everywhere(ctx):
    own = json.loads(cli(ctx, "entries", "list", "--agent", "w", "--format", "json").out)
    shared = json.loads(cli(ctx, "entries", "list", "--scope", "global", "--format", "json").out)
    rows = sorted(own["entries"] + shared["entries"], key=lambda row: row["changed"], reverse=True)
    memory = Memory(ctx.cwd, home=ctx.home, agent="w")
    (tool,) = (item for item in agent_tools(memory) if item.__name__ == "list_entries")
    async with Client(server(ctx)) as client:
        listed = (await client.call_tool("list_entries", {})).structured_content["entries"]
    assert listed == tool()["entries"]
    assert [row["id"] for row in listed] == [row["id"] for row in rows]
    for mine, theirs in zip(listed, rows, strict=True):
        assert mine == {key: theirs[key] for key in mine}
