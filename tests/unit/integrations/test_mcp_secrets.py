"""No answer or error of the MCP server contains a planted secret, or a half of one."""

from __future__ import annotations

import json
import sys

import pytest
from mcp import Client, StdioServerParameters
from mcp.shared.exceptions import MCPError

from agent_memory.config.context import Context
from agent_memory.integrations.mcp_server import server
from planted import Planted, project

pytestmark = pytest.mark.asyncio
RUNTIMES = ("deepagents-code", "deepagentsdk", "claude-mpm", "drover")


@pytest.fixture
def planted(tmp_path) -> tuple[Planted, Context]:
    values, root, home = project(tmp_path)
    env = {"XDG_CACHE_HOME": str(tmp_path / "cache")}
    return values, Context(home, root, env=env, entries=root / ".memory")


def calls(values: Planted):
    """Yield calls of every tool: valid, refused and malformed."""
    yield "prompt", {}
    for more in (
        {"text": values["text"]},
        {"text": f"The password is {values['cell']}"},
        {"text": "a fact", "section": values["section"]},
        {"text": "a fact", "file": f"{values['file']}.md"},
        {"text": "a fact", "scope": values["scope"]},
        {"text": [values["list"]]},
        {"text": {values["key_of_a_table"]: values["of_a_table"]}},
        {"text": "a fact", "create": f"{values['create']} {'x' * 80} {values['end']}"},
        {values["parameter"]: 1},
    ):
        yield "remember", more
    yield "remember_entry", {"summary": values["summary"], "body": "b"}
    yield "remember_entry", {"summary": "s", "body": values["body"], "tags": [values["tag_new"]]}
    yield "remember_entry", {"summary": "s", "body": "b", "kind": values["kind"]}
    yield "remember_entry", {"summary": "s", "body": "b", "id": values["id"]}
    yield "remember_entry", {"summary": "s", "body": "b", "tags": [values["tag_new"]]}
    for query in ("note", "", values["query"], "api_key"):
        yield "recall", {"query": query}
    yield "recall", {"query": "x", "scopes": [values["scopes"]]}
    yield "recall", {"query": "x", "limit": values["limit"]}
    yield "forget", {"id": values["forgotten"]}
    yield values["tool"], {}


@pytest.mark.parametrize("runtime", [*RUNTIMES, "unknown"])
async def test_no_answer_contains_a_secret(planted, runtime):
    values, ctx = planted
    runtime = values["runtime_option"] if runtime == "unknown" else runtime
    leaks = {}
    async with Client(server(ctx, runtime, allow={"forget"})) as client:
        for name, arguments in calls(values):
            try:
                result = await client.call_tool(name, arguments)
                said = result.model_dump_json()
            except MCPError as error:
                said = json.dumps([error.message, error.data])
            if found := values.leaks(said):
                leaks[f"{name} {list(arguments)}"] = found
    assert leaks == {}


async def test_log_of_the_process_contains_no_secret(planted, tmp_path):
    values, ctx = planted
    log = tmp_path / "log"
    command = ["-m", "agent_memory", "mcp", "--cwd", str(ctx.cwd), "--home", str(ctx.home)]
    environment = {"PYTHONPATH": ":".join(sys.path), "HOME": str(ctx.home)}
    with log.open("w", encoding="utf-8") as stream:
        parameters = StdioServerParameters(command=sys.executable, args=command, env=environment)
        async with Client(_transport(parameters, stream)) as client:
            for name, arguments in calls(values):
                try:
                    await client.call_tool(name, arguments)
                except MCPError:
                    continue
    assert log.read_text("utf-8").strip()
    assert values.leaks(log.read_text("utf-8")) == []


def _transport(parameters, stream):
    from mcp.client.stdio import stdio_client  # noqa: PLC0415 -- only here

    return stdio_client(parameters, errlog=stream)
