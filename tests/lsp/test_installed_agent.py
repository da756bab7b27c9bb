"""The prompt of an installed agent: its texts are found in the background."""

from __future__ import annotations

import os

import pytest

from agent_memory.prompt.compose import compose
from agents_kit import install_claude
from kit import project
from lsp_kit import connect, disconnect

pytestmark = [pytest.mark.slow, pytest.mark.asyncio]


async def test_client_is_notified_when_the_texts_are_found(tmp_path, monkeypatch):
    ctx = install_claude(tmp_path, project(tmp_path, {"CLAUDE.md": "- a rule\n"}, {}))
    expected = compose(ctx)
    assert expected.exactness == "unverified"
    path = f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}"
    monkeypatch.setenv("PATH", path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "empty"))
    editor = await connect("vscode", ctx.cwd, ctx.home)
    await editor.until(
        lambda: any(change["hash"] == expected.hash for change in editor.changes), "the texts"
    )
    answer = await editor.request("agentMemory/prompt")
    assert answer["runtime"] == "claude-code"
    assert answer["blocks"] == [{"role": "user", "text": expected.text}]
    assert {part["block"] for part in answer["segments"]} == {0}
    assert await disconnect(editor) == 0
