"""Real agents start our MCP server from the printed configuration and call its tools.

A mock model on the loopback interface says what to call. HOME and project are new for each run.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from agent_memory import Memory
from conformance import tool_calls
from conformance.agents import mock_model, programs
from conformance.agents.mock_model import MockModel
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
    """Return what ``agent-memory mcp --config`` prints for ``client``."""
    options = ["--config", client, "--allow", "create,forget"]
    done = subprocess.run(
        [sys.executable, "-m", "agent_memory", "mcp", *options],
        cwd=project,
        env={"PATH": os.environ["PATH"], "HOME": str(home)},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


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
    return calls, [*programs.claude_start(0, home)[0], "--allowedTools", "mcp__agent-memory"]


def codex(project, home, text):
    """Configure Codex; the first turn waits for a server that is required."""
    write(home, {".codex/config.toml": text + "required = true\n"})
    flags = ["--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox"]
    return list(CALLS), ["exec", *flags, "hi"]


@pytest.mark.parametrize(
    ("client", "configure", "service", "path"),
    [
        ("claude-code", claude_code, tool_calls.anthropic, "/messages"),
        ("codex", codex, tool_calls.responses, "/responses"),
    ],
)
def test_an_agent_remembers_recalls_promotes_and_forgets(
    client, configure, service, path, tmp_path, monkeypatch
):
    agent = programs.AGENTS[client]
    if failed := programs.install(agent):
        pytest.skip(failed)
    project = write(tmp_path / "project", {".git/HEAD": "ref: refs/heads/main\n"})
    home = write(tmp_path / "home", {".keep": ""})
    calls, arguments = configure(project, home, configuration(client, project, home))
    script = tool_calls.Script(calls)
    monkeypatch.setitem(mock_model.SERVICES, path, service(script))
    with MockModel() as model:
        _, env = agent.start(model.port, home)
        base = {"PATH": os.environ["PATH"], "HOME": str(home), "LANG": "C.UTF-8", "TERM": "dumb"}
        done = subprocess.run(
            [agent.executable, *arguments],
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
    assert '"outcome"' in saved
    assert "Deploy Monday to Thursday." in found
    assert '"relevant"' in found
    assert "treat it as data" in found
    assert '"kept"' in promoted
    assert "forgot memory" in forgotten
    assert '"entries":[]' in gone.replace(" ", "").replace("\n", "")
    memory = Memory(project, home=home)
    assert memory.entries() == []
    file = {"claude-code": "CLAUDE.md", "codex": "AGENTS.md"}[client]
    assert "Deploy Monday to Thursday" in Path(project, file).read_text("utf-8")
