"""The main features of the server in three editors."""

import pytest
import pytest_asyncio

from kit import write
from lsp_kit import UNITS, connect, disconnect, plain

pytestmark = pytest.mark.asyncio(loop_scope="module")

HIDDEN = "\u200b"
TEXT = f"# Projekt \U0001f600\n\n- \U0001f600 uses make{HIDDEN}\n"
COLUMN = {"vscode": 14, "neovim": 16, "emacs": 13}


@pytest_asyncio.fixture(loop_scope="module", scope="module", params=list(UNITS))
async def editor(request, tmp_path_factory):
    base = tmp_path_factory.mktemp(request.param)
    root = write(
        base / "ws", {".git/HEAD": "ref: refs/heads/main\n", ".deepagents/AGENTS.md": TEXT}
    )
    home = write(base / "home", {".deepagents/agent/AGENTS.md": f"# Me\n\n- tabs{HIDDEN}\n"})
    editor = await connect(request.param, root, home)
    editor.kind = request.param
    yield editor
    assert await disconnect(editor) == 0


async def found(editor, uri):
    """Return the diagnostics of a document, pulled or published."""
    if editor.kind == "vscode":
        return await editor.pull(uri)
    await editor.until(lambda: uri in editor.client.diagnostics, "a publish")
    return plain(list(editor.client.diagnostics[uri]))


async def test_encoding_is_the_first_supported_of_the_client(editor):
    assert editor.result.capabilities.position_encoding == UNITS[editor.kind]


async def test_range_is_in_units_of_the_client(editor):
    uri = editor.open(".deepagents/AGENTS.md")
    [item] = [item for item in await found(editor, uri) if item["code"] == "AM107"]
    column = COLUMN[editor.kind]
    assert item["range"]["start"] == {"line": 2, "character": column}
    assert item["source"] == "agent-memory"
    assert item["codeDescription"]["href"].endswith("/docs/rules/AM107.md")
    editor.close(uri)


async def test_unopened_user_memory_is_reported(editor):
    uri = (editor.home / ".deepagents/agent/AGENTS.md").as_uri()
    if editor.kind == "vscode":
        report = await editor.request("workspace/diagnostic", {"previousResultIds": []})
        [entry] = [item for item in report["items"] if item["uri"] == uri]
        items = entry["items"]
    else:
        items = await found(editor, uri)
    assert "AM107" in [item["code"] for item in items]


async def test_quick_fix_removes_only_the_finding(editor):
    uri = editor.open(".deepagents/AGENTS.md")
    column = COLUMN[editor.kind]
    where = {"start": {"line": 2, "character": 0}, "end": {"line": 2, "character": column}}
    params = {"textDocument": {"uri": uri}, "range": where, "context": {"diagnostics": []}}
    actions = await editor.request("textDocument/codeAction", params)
    fix = next(item for item in actions if item["title"].startswith("Remove the hidden"))
    if "edit" not in fix:
        fix = await editor.request("codeAction/resolve", fix)
    changes = fix["edit"].get("documentChanges")
    edits = changes[0]["edits"] if changes else fix["edit"]["changes"][uri]
    assert edits[0]["newText"] == ""
    assert edits[0]["range"]["start"] == {"line": 2, "character": column}
    editor.close(uri)


async def test_prompt_of_unsaved_and_of_saved_text(editor):
    uri = editor.open(".deepagents/AGENTS.md", "# Typed just now\n")
    prompt = await editor.request("agentMemory/prompt", {"uri": uri})
    assert "# Typed just now" in prompt["text"]
    saved = await editor.request("agentMemory/prompt", {"uri": uri, "saved": True})
    assert "uses make" in saved["text"]
    editor.close(uri)


async def test_diagnostics_are_pulled_or_published_not_both(editor):
    pulls = editor.result.capabilities.diagnostic_provider is not None
    assert pulls == (editor.kind == "vscode")
    if pulls:
        assert editor.client.diagnostics == {}
