"""Memory files that the listed runtime does not read have findings before they are opened."""

import asyncio

import pytest

from kit import write
from lsp_kit import connect, disconnect

pytestmark = pytest.mark.asyncio(loop_scope="function")

STALE = "# A\n\n- The parser is in `src/gone_parser.py`.\n"
FILES = {
    ".git/HEAD": "x",
    ".gitignore": "/build/\n",
    ".deepagents/agent-memory.toml": 'runtimes = ["deepagentsdk"]\nruntime = "deepagentsdk"\n',
    ".deepagents/agent.md": "# Memory\n\n- Use tabs\n",
    "AGENTS.md": STALE,
    "web/CLAUDE.md": STALE.replace("gone", "absent"),
    ".github/copilot-instructions.md": STALE.replace("gone", "missing"),
    "build/AGENTS.md": STALE,
    "src/a.py": "",
}
OTHERS = ("AGENTS.md", "web/CLAUDE.md", ".github/copilot-instructions.md")


async def reported(editor):
    """Return the codes of all reported files by path."""
    report = await editor.request("workspace/diagnostic", {"previousResultIds": []})
    root = editor.root.as_uri() + "/"
    return {
        item["uri"].removeprefix(root): [found["code"] for found in item["items"]]
        for item in report["items"]
    }


async def until_reported(editor, name, codes):
    """Wait until the file ``name`` is reported with ``codes``; return all reports."""
    for _ in range(600):
        found = await reported(editor)
        if found.get(name) == codes:
            return found
        await asyncio.sleep(0.05)
    raise AssertionError(f"{name} is not reported with {codes}")


@pytest.fixture
def workspace(tmp_path):
    return write(tmp_path / "ws", FILES)


async def test_all_memory_files_of_the_workspace_are_reported(workspace, tmp_path):
    editor = await connect("vscode", workspace, tmp_path / "home")
    found = await until_reported(editor, "AGENTS.md", ["AM501"])
    assert {name: found.get(name) for name in OTHERS} == {name: ["AM501"] for name in OTHERS}
    assert "build/AGENTS.md" not in found
    assert await disconnect(editor) == 0


async def test_they_are_published_to_clients_that_do_not_pull(workspace, tmp_path):
    editor = await connect("neovim", workspace, tmp_path / "home")
    uri = (workspace / "AGENTS.md").as_uri()
    await editor.until(lambda: editor.client.diagnostics.get(uri), "diagnostics")
    assert [item.code for item in editor.client.diagnostics[uri]] == ["AM501"]
    assert await disconnect(editor) == 0


async def test_changes_on_disk_are_followed(workspace, tmp_path):
    editor = await connect("vscode", workspace, tmp_path / "home")
    await until_reported(editor, "AGENTS.md", ["AM501"])
    (workspace / "AGENTS.md").write_text("# A\n\n- The parser is in `src/a.py`.\n")
    await until_reported(editor, "AGENTS.md", [])
    (workspace / "AGENTS.md").unlink()
    assert "AGENTS.md" not in {
        name for name, codes in (await until_reported(editor, "AGENTS.md", None)).items() if codes
    }
    assert await disconnect(editor) == 0
