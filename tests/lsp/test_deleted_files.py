"""Files that git deleted are known soon after the start, in a trusted workspace only."""

from __future__ import annotations

import asyncio

import pytest

from git_kit import commit, git
from kit import write
from lsp_kit import connect, disconnect

pytestmark = pytest.mark.asyncio(loop_scope="function")


@pytest.fixture
def workspace(tmp_path):
    """A project with memory about a file that a commit deleted."""
    memory = "# A\n\n- The parser in `src/old/parser.py` is slow.\n"
    root = write(tmp_path / "ws", {"AGENTS.md": memory, "src/old/parser.py": "1\n", "a.md": "\n"})
    git(root, "init", "-q")
    commit(root)
    git(root, "rm", "-q", "src/old/parser.py")
    commit(root)
    return root


async def facts(editor):
    """Return the messages of the diagnostics of AGENTS.md."""
    document = {"textDocument": {"uri": (editor.root / "AGENTS.md").as_uri()}}
    report = await editor.request("textDocument/diagnostic", document)
    return [item["message"].partition("\n")[0] for item in report["items"]]


async def test_the_history_is_read_after_the_first_diagnostics(workspace, tmp_path):
    editor = await connect("vscode", workspace, tmp_path / "home")
    head = git(workspace, "rev-parse", "--short=7", "HEAD").strip()
    wanted = [f"src/old/parser.py was deleted in commit {head}"]
    for _ in range(200):
        if await facts(editor) == wanted:
            break
        await asyncio.sleep(0.05)
    assert await facts(editor) == wanted
    assert await disconnect(editor) == 0


async def test_an_untrusted_workspace_is_not_asked_for_its_history(workspace, tmp_path):
    editor = await connect("vscode", workspace, tmp_path / "home", options={"trusted": False})
    await asyncio.sleep(2.5)
    assert await facts(editor) == []
    assert await disconnect(editor) == 0
