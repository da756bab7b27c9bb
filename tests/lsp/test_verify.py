"""``agentMemory/verify``: the server starts the installed agent, without blocking anything."""

from __future__ import annotations

import asyncio
import json
import os
from pathlib import Path

import pytest
from pygls.exceptions import JsonRpcException

from kit import github_token, project
from lsp_kit import connect, disconnect
from verify_kit import PROGRAM, SEND, install_agent

pytestmark = pytest.mark.asyncio(loop_scope="function")
FILES = {"CLAUDE.md": "Use tabs.\n"}
HOME = {".claude/CLAUDE.md": "Answer briefly.\n"}
ABOUT = {"runtime": "claude-code"}
SLEEPING = """
from pathlib import Path
import os, time
Path({started!r}).write_text(str(os.getpid()))
time.sleep(600)
"""


@pytest.fixture
def start(tmp_path, monkeypatch):
    """Return a function that connects an editor while ``program`` is installed as the agent."""

    async def connected(program=PROGRAM + SEND, files=FILES, **options):
        ctx = install_agent(tmp_path, project(tmp_path, files, HOME), program)
        scratch = tmp_path / "scratch"
        scratch.mkdir()
        for name, value in {**ctx.env, "TMPDIR": str(scratch)}.items():
            monkeypatch.setenv(name, value)
        return await connect("vscode", ctx.cwd, ctx.home, **options)

    return connected


async def exactness(editor):
    """Return the exactness of the preview when the texts of the program have been read."""
    for _ in range(500):
        answer = await editor.request("agentMemory/prompt", ABOUT)
        if answer["exactness"] != "own-wording":
            break
        await asyncio.sleep(0.05)
    return answer["exactness"]


@pytest.fixture
def sleeping(start, tmp_path):
    """Return a function that connects an editor and starts an agent that never answers.

    It returns the editor, the request, and the file with the number of the agent's process.
    """

    async def started():
        process = tmp_path / "started"
        editor = await start(SLEEPING.format(started=str(process)))
        task = asyncio.create_task(editor.request("agentMemory/verify", ABOUT))
        await editor.until(process.exists, "the start of the agent")
        return editor, task, process

    return started


def is_alive(process: Path) -> bool:
    try:
        os.kill(int(process.read_text()), 0)
    except ProcessLookupError:
        return False
    return True


async def test_equal_makes_the_preview_exact(start):
    editor = await start()
    assert await exactness(editor) == "unverified"
    answer = await editor.request("agentMemory/verify", ABOUT)
    assert (answer["equal"], answer["recorded"], answer["remarks"]) == (True, True, [])
    assert answer["outcome"].startswith("Claude Code 2.1.330 sends exactly what the preview shows")
    assert await exactness(editor) == "exact"
    assert await disconnect(editor) == 0


async def test_a_difference_has_both_texts_without_secrets(start):
    token = github_token()
    files = {"CLAUDE.md": f"Use {token} here.\n"}
    editor = await start(PROGRAM + 'block += "and more"\n' + SEND, files)
    answer = await editor.request("agentMemory/verify", ABOUT)
    assert not answer["equal"]
    preview, sent = answer["texts"]
    assert sent == f"{preview}and more"
    assert token not in json.dumps(answer)
    assert "Use " in preview
    assert await disconnect(editor) == 0


async def test_other_requests_are_answered_and_a_second_agent_is_refused(sleeping, tmp_path):
    editor, task, process = await sleeping()
    assert (await editor.request("agentMemory/prompt", ABOUT))["text"]
    with pytest.raises(JsonRpcException, match="an agent is already running"):
        await editor.request("agentMemory/verify", ABOUT)
    editor.notify("$/cancelRequest", {"id": "agentMemory/verify 0"})
    with pytest.raises(JsonRpcException, match="canceled"):
        await task
    await editor.until(lambda: not is_alive(process), "the end of the agent")
    await editor.until(lambda: not [*(tmp_path / "scratch").iterdir()], "an empty folder")
    assert await disconnect(editor) == 0


async def test_the_agent_ends_with_the_server(sleeping, tmp_path):
    editor, task, process = await sleeping()
    assert await disconnect(editor) == 0
    assert not is_alive(process)
    assert not [*(tmp_path / "scratch").iterdir()]
    task.cancel()


async def test_an_agent_is_started_only_in_a_trusted_workspace(start):
    editor = await start(options={"trusted": False})
    with pytest.raises(JsonRpcException, match="only in a trusted workspace"):
        await editor.request("agentMemory/verify", ABOUT)
    assert await disconnect(editor) == 0


async def test_a_project_names_no_program(start):
    editor = await start(
        files={**FILES, ".deepagents/agent-memory.toml": '[agents.claude-code]\npath = "x"\n'}
    )
    answer = await editor.request("agentMemory/verify", ABOUT)
    assert Path(answer["program"]).name == "claude.exe"
    assert await disconnect(editor) == 0
