"""A false positive is accepted by the hash of its value, in each editor."""

import asyncio
import hashlib
import random
import string
import time
import tomllib

import pytest
import pytest_asyncio

from agent_memory.base.text import apply_edits, split_lines
from agent_memory.lsp.protocol.convert import to_path, to_span
from effort import EFFORT
from kit import write
from lsp_kit import UNITS, connect, disconnect

pytestmark = [pytest.mark.slow, pytest.mark.asyncio(loop_scope="module")]
SETTINGS = ".deepagents/agent-memory.toml"
OURS = "# how we check\n[rules] # é\nduplicate-in-file = 'off'\n"


def value():
    """Return a value that looks like a password; generated, so that none is committed."""
    chars = random.Random(17).choices(string.ascii_letters + string.digits, k=24)
    return "".join(chars)


MEMORY = f"# Notes\n\n- db_password = {value()}\n"
EDITORS = [*UNITS] if EFFORT == "all" else ["vscode", "emacs"]
"""The two that have least in common; every test starts a server."""
HASH = hashlib.sha256(value().encode()).hexdigest()


@pytest_asyncio.fixture(loop_scope="module", params=EDITORS)
async def start(request, tmp_path):
    editors = []

    async def start(files=None, home=None):
        root = write(tmp_path / "ws", {".git/HEAD": "x", "AGENTS.md": "# A\n", **(files or {})})
        folder = write(tmp_path / "home", {".keep": "", **(home or {})})
        editor = await connect(request.param, root, folder)
        editor.kind = request.param
        editors.append(editor)
        return editor

    yield start
    for editor in editors:
        assert await disconnect(editor) == 0


async def offered(editor, uri, only=None):
    """Return the actions on the line of the value with their edits."""
    where = {"start": {"line": 2, "character": 0}, "end": {"line": 2, "character": 0}}
    where["end"]["character"] = len(MEMORY.splitlines()[2])
    context = {"diagnostics": [], **({"only": only} if only else {})}
    params = {"textDocument": {"uri": uri}, "range": where, "context": context}
    found = await editor.request("textDocument/codeAction", params)
    whole = [
        item
        if "edit" in item or item["kind"].startswith("refactor")
        else await editor.request("codeAction/resolve", item)
        for item in found
    ]
    assert value() not in str(whole)
    return whole


async def accept(editor, uri):
    """Return the edit of the one action that accepts the value."""
    [action] = [item for item in await offered(editor, uri) if "SHA-256" in item["title"]]
    assert action["kind"] == "quickfix"
    assert "isPreferred" not in action
    assert HASH not in action["title"]
    return action["edit"]


def result(editor, edit):
    """Apply ``edit`` like an editor; return the path and the new text."""
    texts = edit.get("changes")
    if texts is None:
        changes = [item for item in edit["documentChanges"] if "edits" in item]
        texts = {item["textDocument"]["uri"]: item["edits"] for item in changes}
    [(uri, edits)] = texts.items()
    path = to_path(uri)
    lines = split_lines(path.read_bytes().decode()) if path.exists() else []
    units = UNITS[editor.kind]
    spans = [(to_span(item["range"], lines, units), item["newText"]) for item in edits]
    return path, apply_edits(lines, spans)


async def codes(editor, uri):
    if editor.kind == "vscode":
        return [item["code"] for item in await editor.pull(uri)]
    await editor.request("agentMemory/prompt", {"uri": uri})
    return [item.code for item in editor.client.diagnostics.get(uri, ())]


async def becomes(editor, uri, *, found):
    end = time.monotonic() + 30  # seconds; the file system tells of a change when it likes
    while ("AM202" in await codes(editor, uri)) != found:
        if time.monotonic() > end:
            return False
        await asyncio.sleep(0.02)
    return True


async def test_hash_is_added_to_the_projects_file(start):
    editor = await start({"AGENTS.md": MEMORY, SETTINGS: OURS})
    uri = editor.open("AGENTS.md")
    assert await becomes(editor, uri, found=True)
    path, text = result(editor, await accept(editor, uri))
    assert path == editor.root / SETTINGS
    assert text.startswith(OURS)
    assert tomllib.loads(text)["secrets"] == {"allowed": [HASH]}
    path.write_text(text, "utf-8")
    assert await becomes(editor, uri, found=False)
    path.write_text(OURS, "utf-8")
    assert await becomes(editor, uri, found=True)


async def test_missing_settings_file_is_created(start):
    editor = await start({"AGENTS.md": MEMORY})
    uri = editor.open("AGENTS.md")
    assert await becomes(editor, uri, found=True)
    edit = await accept(editor, uri)
    if editor.kind != "emacs":
        assert [item.get("kind") for item in edit["documentChanges"]] == ["create", None]
    path, text = result(editor, edit)
    assert path == editor.root / SETTINGS
    assert not path.parent.exists()
    path.parent.mkdir()
    path.write_text(text, "utf-8")
    assert await becomes(editor, uri, found=False)


async def test_accepting_in_user_memory_applies_to_all_projects(start):
    name = ".deepagents/agent/AGENTS.md"
    editor = await start(home={name: MEMORY})
    uri = editor.open(str(editor.home / name))
    assert await becomes(editor, uri, found=True)
    path, text = result(editor, await accept(editor, uri))
    assert path == editor.home / SETTINGS
    path.write_text(text, "utf-8")
    assert await becomes(editor, uri, found=False)


async def test_unsaved_settings_apply(start):
    editor = await start({"AGENTS.md": MEMORY, SETTINGS: OURS})
    uri = editor.open("AGENTS.md")
    assert await becomes(editor, uri, found=True)
    path, text = result(editor, await accept(editor, uri))
    settings = editor.open(str(path), OURS, "toml")
    editor.change(settings, text)
    assert await becomes(editor, uri, found=False)
    editor.change(settings, OURS)  # the user takes it back
    assert await becomes(editor, uri, found=True)
    editor.change(settings, text)
    editor.close(settings)  # and drops the change
    assert await becomes(editor, uri, found=True)


async def test_accepting_is_not_part_of_fix_all(start):
    editor = await start({"AGENTS.md": MEMORY + "hidden\u200b\n"})
    uri = editor.open("AGENTS.md")
    [action] = await offered(editor, uri, ["source.fixAll"])
    assert "agent-memory.toml" not in str(action["edit"])
    assert SETTINGS not in str(result(editor, action["edit"])[0])
