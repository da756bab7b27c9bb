"""Real agents start our MCP server from the printed configuration and call its tools.

A mock model on the loopback interface says what to call. HOME and project are new for each run.
"""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from agent_memory import Memory
from agent_memory.verify import mock_model
from agent_memory.verify.mock_model import MockModel
from conformance import tool_calls
from conformance.agents import first_starts as first
from conformance.agents import programs
from kit import write

pytestmark = [pytest.mark.conformance, pytest.mark.slow]

CALLS = (
    ("remember_entry", {"summary": "no friday deploys", "body": "Deploy Monday to Thursday."}),
    ("recall", {"query": "when may I deploy?"}),
    ("promote_entry", {"id": "ID", "keep": True}),
    ("forget", {"id": "ID"}),
    ("list_entries", {}),
)


def configuration(client, project, home):
    """Return what ``agent-memory mcp --config`` prints for ``client``, and its advice."""
    options = ["--config", client, "--allow", "create,forget"]
    done = subprocess.run(
        [sys.executable, "-m", "agent_memory", "mcp", *options],
        cwd=project,
        env={"PATH": os.environ["PATH"], "HOME": str(home)},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout, done.stderr


def claude_code(project, home, text):
    """Configure Claude Code; return the script and further arguments."""
    write(
        project,
        {
            ".mcp.json": text,
            ".claude/settings.local.json": '{"enableAllProjectMcpServers": true}',
        },
    )
    names = [f"mcp__{tool_calls.SERVER}__{name}" for name, _ in CALLS]
    search = ("ToolSearch", {"query": f"select:{','.join(dict.fromkeys(names))}", "max_results": 9})
    calls = [search, *((name, given) for name, (_, given) in zip(names, CALLS, strict=True))]
    return calls, [*first.claude(0, home, project)[0], "--allowedTools", "mcp__agent-memory"]


def codex(project, home, text):
    """Configure Codex; the first turn waits for a server that is required."""
    write(home, {".codex/config.toml": text + "required = true\n"})
    flags = ["--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox"]
    return list(CALLS), ["exec", *flags, "hi"]


def gemini_cli(project, home, text):
    """Configure Gemini CLI, which may call tools without a question."""
    write(project, {".gemini/settings.json": text})
    return list(CALLS), [*first.gemini(0, home, project)[0], "--approval-mode", "yolo"]


@pytest.mark.parametrize(
    ("client", "configure", "service", "path"),
    [
        ("claude-code", claude_code, tool_calls.anthropic, "/messages"),
        ("codex", codex, tool_calls.responses, "/responses"),
        ("gemini-cli", gemini_cli, tool_calls.gemini, "enerateContent"),
    ],
)
def test_an_agent_remembers_recalls_promotes_and_forgets(
    client, configure, service, path, tmp_path, monkeypatch
):
    agent = programs.AGENTS[client]
    if failed := programs.install(agent):
        pytest.fail(failed)
    project = write(tmp_path / "project", {".git/HEAD": "ref: refs/heads/main\n"})
    home = write(tmp_path / "home", {".keep": ""})
    calls, arguments = configure(project, home, configuration(client, project, home)[0])
    script = tool_calls.Script(calls)
    monkeypatch.setitem(mock_model.SERVICES, path, service(script))
    with MockModel() as model:
        _, env = agent.start(model.port, home, project)
        base = {"PATH": os.environ["PATH"], "HOME": str(home), "LANG": "C.UTF-8", "TERM": "dumb"}
        done = subprocess.run(
            agent.argv(arguments),
            cwd=project,
            env={**base, **env},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=90,
        )
    assert len(script.results) == len(calls), done.stdout + done.stderr
    saved, found, promoted, forgotten, gone = script.results[-5:]
    assert "outcome" in saved
    assert "Deploy Monday to Thursday." in found
    assert "relevant" in found
    assert "treat it as data" in found
    assert "kept" in promoted
    assert "forgot memory" in forgotten
    assert '"entries":[]' in "".join(gone.split())
    memory = Memory(project, home=home)
    assert memory.entries() == []
    file = {"claude-code": "CLAUDE.md", "codex": "AGENTS.md", "gemini-cli": "GEMINI.md"}[client]
    assert "Deploy Monday to Thursday" in Path(project, file).read_text("utf-8")


@pytest.mark.parametrize(
    ("client", "written"),
    [
        ("claude-code", "project/.mcp.json"),
        ("codex", "home/.codex/config.toml"),
        ("gemini-cli", "project/.gemini/settings.json"),
    ],
)
def test_the_line_of_the_client_writes_the_same_configuration(client, written, tmp_path):
    agent = programs.AGENTS[client]
    if failed := programs.install(agent):
        pytest.fail(failed)
    project = write(tmp_path / "project", {".git/HEAD": "ref: refs/heads/main\n"})
    home = write(tmp_path / "home", {".keep": ""})
    text, advice = configuration(client, project, home)
    _, env = agent.start(0, home, project)
    (home / ".codex/config.toml").unlink(missing_ok=True)
    line = shlex.split(advice.partition("Or run: ")[2])
    assert line[0] == agent.command
    subprocess.run(
        agent.argv(line[1:]),
        cwd=project,
        env={"PATH": os.environ["PATH"], "HOME": str(home), "TERM": "dumb", **env},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=True,
        timeout=90,
    )
    read = tomllib.loads if client == "codex" else json.loads
    expected, found = read(text), read((tmp_path / written).read_text("utf-8"))
    ((table, servers),) = expected.items()
    mine, theirs = servers[tool_calls.SERVER], found[table][tool_calls.SERVER]
    assert (theirs["command"], theirs["args"]) == (mine["command"], mine["args"])
