"""The configuration of each documented MCP client starts a server that works in a fresh project."""

from __future__ import annotations

import json
import os
import shlex
import sys
import tomllib
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from mcp import Client, StdioServerParameters

from agent_memory.integrations import mcp_clients
from agent_memory.integrations.mcp_clients import CLIENTS, NAME
from kit import cli, project, unprivileged

pytestmark = pytest.mark.slow

TEXT = {"type": "string"}
TEXTS = {"type": "array", "items": TEXT}
SERVER = {"command": TEXT, "args": TEXTS, "env": {"type": "object"}}


def servers(key, more=None, required=("command",)):
    """Return the schema of a file with ``key`` above servers with these fields."""
    fields = {"properties": {**SERVER, **(more or {})}, "required": list(required)}
    server = {"type": "object", "additionalProperties": False, **fields}
    table = {"type": "object", "additionalProperties": server}
    return {"type": "object", "properties": {key: table}, "required": [key]}


STDIO = {"type": {"const": "stdio"}}
NUMBER, FLAG = {"type": "number"}, {"type": "boolean"}
SCHEMAS = {
    "claude-code": servers("mcpServers", STDIO),
    "claude-desktop": servers("mcpServers"),
    "codex": servers(
        "mcp_servers",
        {
            "cwd": TEXT,
            "enabled": FLAG,
            "required": FLAG,
            "startup_timeout_sec": NUMBER,
            "tool_timeout_sec": NUMBER,
            "enabled_tools": TEXTS,
            "disabled_tools": TEXTS,
        },
    ),
    "vscode": servers("servers", {**STDIO, "envFile": TEXT}, ("type", "command")),
    "gemini-cli": servers(
        "mcpServers",
        {
            "cwd": TEXT,
            "timeout": NUMBER,
            "trust": FLAG,
            "includeTools": TEXTS,
            "excludeTools": TEXTS,
        },
    ),
    "cursor": servers("mcpServers", {**STDIO, "envFile": TEXT}),
}
"""The fields that the documentation of each client names, for servers on standard streams."""
FILES = {"claude-code": "CLAUDE.md", "claude-desktop": "CLAUDE.md", "gemini-cli": "GEMINI.md"}


def read(client, text):
    """Return the configuration ``text`` as the client reads it."""
    return (tomllib.loads if client == "codex" else json.loads)(text)


def configured(ctx, client, *options):
    """Return the printed configuration of ``client``, and the advice."""
    ran = cli(ctx, "mcp", "--config", client, *options)
    assert ran.code == 0, ran.err
    return read(client, ran.out), ran.err


@pytest.mark.parametrize("client", CLIENTS)
def test_configuration_has_the_documented_form(client, tmp_path):
    value, _ = configured(project(tmp_path, {}, {}), client)
    Draft202012Validator(SCHEMAS[client]).validate(value)
    ((table, entries),) = value.items()
    assert table == CLIENTS[client].table
    assert list(entries) == [NAME]
    assert "_" not in NAME  # Gemini CLI splits names of tools there


def test_shared_files_have_no_path_of_this_machine(tmp_path, monkeypatch):
    ctx = project(tmp_path, {}, {})
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent))
    monkeypatch.chdir(ctx.cwd)
    for client, facts in CLIENTS.items():
        text = mcp_clients.configuration(client, ctx.cwd)
        assert (str(tmp_path) in text) is (client == "claude-desktop")
        assert (sys.prefix in text) is not facts.shared


def test_given_options_are_part_of_the_configuration(tmp_path):
    ctx = project(tmp_path, {}, {})
    options = ["--allow", "forget,create", "--agent", "w", "--runtime", "opencode"]
    value, advice = configured(ctx, "claude-code", *options)
    args = value["mcpServers"][NAME]["args"]
    assert args[args.index("--allow") + 1] == "create,forget"
    assert args[args.index("--agent") + 1] == "w"
    assert args[args.index("--runtime") + 1] == "opencode"
    assert args.count("--runtime") == args.count("--cwd") == 1
    own = shlex.split(advice.partition("claude mcp add --scope project agent-memory -- ")[2])
    assert own == [value["mcpServers"][NAME]["command"], *args]


def test_unknown_client_is_refused(tmp_path):
    ran = cli(project(tmp_path, {}, {}), "mcp", "--config", "notepad")
    assert ran.code == 2
    assert "claude-desktop" in ran.err


@pytest.mark.slow
@pytest.mark.asyncio
@pytest.mark.parametrize("client", CLIENTS)
async def test_configured_server_remembers_recalls_promotes_and_forgets(client, tmp_path):
    ctx = project(tmp_path, {}, {})
    value = read(client, mcp_clients.configuration(client, ctx.cwd, ["--allow", "create,forget"]))
    found = value[CLIENTS[client].table][NAME]
    args = [text.replace("${workspaceFolder}", str(ctx.cwd)) for text in found["args"]]
    env = {"HOME": str(ctx.home), "PATH": os.environ["PATH"], "PYTHONPATH": ":".join(sys.path)}
    command = StdioServerParameters(command=found["command"], args=args, env=env, cwd=str(ctx.cwd))
    async with Client(command) as session:

        async def call(name, **arguments):
            result = await session.call_tool(name, arguments)
            assert not result.is_error, result.content
            return result.structured_content

        entry = await call(
            "remember_entry", summary="no friday deploys", body="Monday to Thursday."
        )
        (hit,) = (await call("recall", query="may I deploy on friday?"))["entries"]
        assert (hit["id"], hit["relevant"]) == (entry["id"], True)
        done = await call("promote_entry", id=entry["id"])
        assert Path(done["path"]) == ctx.cwd / FILES.get(client, "AGENTS.md")
        other = await call("remember_entry", summary="indent", body="Tabs.")
        await call("forget", id=other["id"])
        assert (await call("list_entries"))["count"] == 0
        assert "Monday to Thursday" in (await call("prompt"))["text"]


@pytest.mark.parametrize("client", ["codex", "claude-code"])
def test_path_that_is_not_utf8_is_refused(client, tmp_path):
    ctx = project(tmp_path, {}, {})
    done = cli(ctx, "mcp", "--config", client, "--store", "caf\udce9")  # the byte 0xE9
    assert (done.code, done.out) == (2, "")
    assert "a path that is not UTF-8" in done.err


def test_folder_of_path_that_may_not_be_searched_is_skipped(tmp_path, monkeypatch):
    locked = tmp_path / "locked"
    locked.mkdir(mode=0)
    monkeypatch.setenv("PATH", str(locked))
    with unprivileged(tmp_path):
        assert mcp_clients.command(CLIENTS["codex"]) == mcp_clients.own_command()
        assert mcp_clients.command(CLIENTS["claude-code"]) == mcp_clients.own_command()
