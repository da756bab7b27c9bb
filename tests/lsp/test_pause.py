"""Slow rules are deferred while the user types in a large file."""

import asyncio

import pytest

from kit import write
from lsp_kit import connect, disconnect, plain

pytestmark = [pytest.mark.slow, pytest.mark.asyncio(loop_scope="module")]
LARGE = "".join(
    f"- see [guide {number}](docs/none-{number}.md) and `src/none_{number}.py`\n"
    for number in range(400)
)


@pytest.mark.parametrize("kind", ["vscode", "neovim"])
async def test_deferred_rules_run_when_typing_pauses(tmp_path, kind):
    root = write(tmp_path / "ws", {".git/HEAD": "x", "AGENTS.md": LARGE})
    editor = await connect(kind, root, write(tmp_path / "home", {".keep": ""}))
    uri = editor.open("AGENTS.md")

    async def become(wanted):
        """Wait until the broken links are on the ``wanted`` lines."""
        for _ in range(300):
            items = (
                await editor.pull(uri)
                if kind == "vscode"
                else plain(list(editor.client.diagnostics.get(uri, ())))
            )
            found = {item["range"]["start"]["line"] for item in items if item["code"] == "AM502"}
            if found == wanted:
                return True
            await asyncio.sleep(0.05)
        return False

    assert await become(set(range(400)))
    start = {"line": 0, "character": 0}
    editor.change(uri, "\n" * 3, {"start": start, "end": start})
    assert await become(set(range(3, 403)))
    end = {"line": 403, "character": 0}
    editor.change(uri, "- see [new](docs/not-there.md)\n", {"start": end, "end": end})
    assert await become(set(range(3, 404)))
    assert await disconnect(editor) == 0
