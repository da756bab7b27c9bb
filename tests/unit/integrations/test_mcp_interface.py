"""What the MCP server declares: tools with schemas and hints, resources and prompts."""

from __future__ import annotations

import json

import pytest
from jsonschema import Draft202012Validator
from mcp import Client
from mcp.shared.exceptions import MCPError
from pydantic import BaseModel

from agent_memory.integrations.mcp_server import NOTICE, server
from kit import project, with_settings

pytestmark = pytest.mark.asyncio
READS = {"prompt", "recall", "list_entries", "get_entry"}
CHANGES = {"update_entry", "promote_entry", "forget"}


def make(tmp_path, **options):
    ctx = project(tmp_path, {".deepagents/agent.md": "# A\n\n- Use tabs\n"}, {})
    return ctx.with_(agent="w", env={"XDG_CACHE_HOME": str(tmp_path / "cache")}, **options)


async def tools(client):
    return {tool.name: tool for tool in (await client.list_tools()).tools}


async def test_every_tool_has_a_title_all_hints_and_schemas(tmp_path):
    async with Client(server(make(tmp_path))) as client:
        found = await tools(client)
    for name, tool in found.items():
        hints = tool.annotations
        assert tool.title, name
        assert hints.read_only_hint is (name in READS), name
        assert hints.destructive_hint is (name in CHANGES), name
        assert hints.idempotent_hint is True, name
        assert hints.open_world_hint is False, name
        assert tool.output_schema["properties"], name
        for key, schema in tool.input_schema["properties"].items():
            assert schema["description"].endswith("."), f"{name}.{key}"
        assert not tool.description.startswith(" "), name
        assert "\n " not in tool.description, name


async def test_values_are_enumerated(tmp_path):
    async with Client(server(make(tmp_path))) as client:
        found = await tools(client)

    def schema(tool, key):
        return found[tool].input_schema["properties"][key]

    assert schema("remember", "scope")["enum"] == ["project", "user"]
    assert schema("remember_entry", "scope")["enum"] == ["global", "agent", "run"]
    kinds = ["user", "feedback", "project", "reference"]
    assert schema("remember_entry", "kind")["enum"] == kinds
    assert schema("recall", "kinds")["items"]["enum"] == kinds
    assert schema("promote_entry", "to")["enum"] == ["project", "user"]


async def test_answers_follow_their_schemas(tmp_path):
    ctx = make(tmp_path)
    async with Client(server(ctx, "deepagentsdk", allow={"create", "forget"})) as client:
        schemas = {name: tool.output_schema for name, tool in (await tools(client)).items()}

        async def call(name, **arguments):
            result = await client.call_tool(name, arguments)
            assert not result.is_error, result.content
            assert json.loads(result.content[0].text) == result.structured_content
            Draft202012Validator(schemas[name]).validate(result.structured_content)
            return result.structured_content

        await call("prompt")
        await call("remember", text="Run make first")
        entry = await call("remember_entry", summary="no friday deploys", body="Never.", tags=["x"])
        await call("recall", query="friday")
        weak = await call("recall", query="zebra")
        await call("list_entries", unused_days=0)
        await call("get_entry", id=entry["id"])
        await call("update_entry", id=entry["id"], kind="feedback")
        await call("promote_entry", id=entry["id"], keep=True)
        await call("forget", id=entry["id"])
    assert weak["advice"].startswith("No entry matches. Search again")


async def test_invalid_arguments_are_named_without_their_values(tmp_path):
    async with Client(server(make(tmp_path))) as client:

        async def error(name, **arguments):
            result = await client.call_tool(name, arguments)
            assert result.is_error
            return result.content[0].text

        assert await error("remember") == (
            "remember: the parameter 'text' is missing. Fix the arguments, then call it again"
        )
        message = await error("list_entries", kinds=["gossip"], limit=999)
        assert "the parameter 'kinds.0' is not valid: Input should be 'user', 'feedback'" in message
        assert "the parameter 'limit' is not valid" in message
        assert "gossip" not in message
        assert "http" not in message


class Stored(BaseModel):
    kind: str


async def test_validation_error_inside_a_tool_is_not_about_its_parameters(tmp_path):
    def broken(kind: str) -> str:
        return Stored.model_validate({"type": kind}).kind

    mcp = server(make(tmp_path))
    mcp.add_tool(broken)
    async with Client(mcp) as client:
        crashed = await client.call_tool("broken", {"kind": "x"})
        invalid = await client.call_tool("broken", {})
    assert crashed.is_error
    assert crashed.content[0].text == "Error executing tool broken"
    assert invalid.content[0].text.startswith("broken: the parameter 'kind' is missing")


async def test_resources_have_the_prompt_the_sources_and_the_entries(tmp_path):
    ctx = with_settings(make(tmp_path), runtime="deepagentsdk")
    async with Client(server(ctx, allow={"create"})) as client:
        saved = await client.call_tool("remember_entry", {"summary": "deploy", "body": "No."})

        async def read(uri):
            (found,) = (await client.read_resource(uri)).contents
            assert found.mime_type == "application/json"
            answer = json.loads(found.text)
            assert (answer["notice"], answer["content"]) == (NOTICE, "data")
            return answer

        listed = {str(item.uri) for item in (await client.list_resources()).resources}
        assert listed == {"memory://prompt", "memory://sources", "memory://entries"}
        assert "- Use tabs" in (await read("memory://prompt"))["text"]
        statuses = {item["status"] for item in (await read("memory://sources"))["sources"]}
        assert "loaded" in statuses
        (entry,) = (await read("memory://entries"))["entries"]
        assert entry["summary"] == "deploy"
        one = await read(f"memory://entries/{saved.structured_content['id']}")
        assert one["entry"]["body"] == "No."
        with pytest.raises(MCPError, match="id must be a 26-char ULID"):
            await client.read_resource("memory://entries/nothing")


async def test_prompts_review_and_save(tmp_path):
    async with Client(server(make(tmp_path), allow={"create"})) as client:
        await client.call_tool("remember_entry", {"summary": "deploy", "body": "Not on Fridays."})
        prompts = (await client.list_prompts()).prompts
        assert {item.name for item in prompts} == {"review_learned", "save_session"}
        assert all(item.title and item.description for item in prompts)
        for arguments in ({}, {"topic": "deploy"}):
            (message,) = (await client.get_prompt("review_learned", arguments)).messages
            assert NOTICE in message.content.text
            assert '"summary": "deploy"' in message.content.text
        (message,) = (await client.get_prompt("save_session", {})).messages
        assert "Look back at this session" in message.content.text
