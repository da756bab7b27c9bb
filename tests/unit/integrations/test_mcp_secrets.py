"""No answer or error of the MCP server contains a planted secret, or a half of one."""

from __future__ import annotations

import contextlib
import json
import sys

import pytest
from mcp import Client, StdioServerParameters
from mcp.shared.exceptions import MCPError

from agent_memory.config.context import Context
from agent_memory.integrations.mcp_server import server
from planted import ULIDS, Planted, project

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]
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
    yield "recall", {"query": values["found"], "kinds": [values["kinds"]]}
    yield "list_entries", {}
    yield "list_entries", {"tags": [values["tag_listed"]], "scopes": [values["scopes_listed"]]}
    for number in (0, 1, 7, 15):
        yield "get_entry", {"id": ULIDS[number]}
        yield "promote_entry", {"id": ULIDS[number], "section": values["section_promoted"]}
        yield "update_entry", {"id": ULIDS[number], "body": values["body_updated"]}
        yield "update_entry", {"id": ULIDS[number], "summary": values["summary_updated"]}
    yield "update_entry", {"id": values["id_updated"], "tags": values["tags_updated"]}
    yield "promote_entry", {"id": values["promoted"], "to": values["to"]}
    yield "get_entry", {"id": values["read"]}
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
        for uri in ("prompt", "sources", "entries", f"entries/{ULIDS[0]}", values["uri"]):
            with contextlib.suppress(MCPError):
                said = (await client.read_resource(f"memory://{uri}")).model_dump_json()
                leaks[uri] = values.leaks(said)
        for topic in ("", "note", values["topic"]):
            said = (await client.get_prompt("review_learned", {"topic": topic})).model_dump_json()
            leaks[f"review {topic}"] = values.leaks(said)
    assert {name: found for name, found in leaks.items() if found} == {}


async def test_no_tool_writes_a_secret(planted, tmp_path):
    values, ctx = planted
    texts = {name: values[name] for name in ("one", "two", "three", "four", "five")}
    before = contents(tmp_path)
    powers = {"user", "create", "evict", "forget"}
    async with Client(server(ctx, "deepagents-code", powers)) as client:
        saved = await client.call_tool("remember_entry", {"summary": "s", "body": "b"})
        entry_id = saved.structured_content["id"]
        for redact in (False, True):
            for name, arguments in (
                ("remember", {"text": f"Use {texts['one']}"}),
                ("remember", {"text": "a fact", "section": texts["two"]}),
                ("remember_entry", {"summary": texts["three"], "body": "b"}),
                ("remember_entry", {"summary": "t", "body": texts["four"]}),
                ("remember_entry", {"summary": "u", "body": "b", "tags": [texts["five"]]}),
                ("update_entry", {"id": entry_id, "summary": texts["three"]}),
                ("update_entry", {"id": entry_id, "body": texts["four"]}),
                ("update_entry", {"id": entry_id, "tags": [texts["five"]]}),
            ):
                await client.call_tool(name, {**arguments, "redact": redact})
        for number in (0, 1, 7):  # entries that another program wrote with a secret
            for name in ("promote_entry", "forget"):
                await client.call_tool(name, {"id": ULIDS[number]})
    for path, content in contents(tmp_path).items():
        if content != before.get(path):
            new = "".join(
                set(content.splitlines(True)) - set(before.get(path, "").splitlines(True))
            )
            assert values.leaks(new) == [], path


def contents(folder):
    """Return the text of every file below ``folder``."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path: path.read_bytes().decode("latin-1") for path in files}


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
