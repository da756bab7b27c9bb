"""What is wrong is in the list of problems; what to do about it is in the hover."""

import copy

import pytest

from kit import write
from lsp_kit import PRESETS, connect, disconnect

pytestmark = pytest.mark.asyncio(loop_scope="function")

MEMORY = "# Project\n\n- Tests are in `tests/unit/test_*.py` and `tests/unit/absent_one.py`.\n"
FACT = "tests/unit/absent_one.py does not exist in this project"
ADVICE = "Correct the path, or remove it."


async def finding_and_hover(editor):
    """Return the message of the finding about the path, and the hover at its start."""
    uri = editor.open("AGENTS.md", MEMORY)
    [found] = [item for item in await editor.pull(uri) if item["code"] == "AM501"]
    where = {"textDocument": {"uri": uri}, "position": found["range"]["start"]}
    return found["message"], await editor.request("textDocument/hover", where)


@pytest.fixture
def workspace(tmp_path):
    return write(tmp_path / "ws", {".git/HEAD": "x", "AGENTS.md": MEMORY, "tests/unit/a.py": ""})


async def test_advice_is_in_the_hover_and_not_in_the_diagnostic(workspace, tmp_path):
    editor = await connect("vscode", workspace, tmp_path / "home")
    message, hover = await finding_and_hover(editor)
    assert message == FACT
    assert hover["contents"]["value"].startswith(f"{ADVICE}\n\n**AM501 stale-path**")
    await disconnect(editor)


async def test_diagnostics_have_the_advice_where_no_hover_is_shown(workspace, tmp_path):
    capabilities = copy.deepcopy(PRESETS["vscode"])
    del capabilities["textDocument"]["hover"]
    editor = await connect("vscode", workspace, tmp_path / "home", capabilities=capabilities)
    message, _ = await finding_and_hover(editor)
    assert message == f"{FACT}. {ADVICE}"
    await disconnect(editor)
