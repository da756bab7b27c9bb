"""``agentMemory/changed`` tells a client which cached answers are outdated."""

import asyncio

import pytest
import pytest_asyncio

from agent_memory.entries.markdown_store import MarkdownEntries
from agent_memory.entries.validation import Draft
from kit import replace, write
from lsp_kit import connect, disconnect

pytestmark = [pytest.mark.slow, pytest.mark.waits, pytest.mark.asyncio(loop_scope="module")]
CLEAN = "# Notes\n\n- clean\n"


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def editor(tmp_path_factory):
    base = tmp_path_factory.mktemp("changed")
    root = write(base / "ws", {".git/HEAD": "x", ".deepagents/agent.md": CLEAN})
    home = write(base / "home", {".deepagents/agent/agent.md": CLEAN})
    editor = await connect("vscode", root, home)
    await editor.until(lambda: editor.changes, "the first notification")
    yield editor
    assert await disconnect(editor) == 0


async def next_change(editor, before):
    await editor.until(lambda: len(editor.changes) > before, "a notification")
    await asyncio.sleep(0.5)
    assert len(editor.changes) == before + 1
    return editor.changes[-1]


async def test_notification_identifies_current_answers(editor):
    told = editor.changes[-1]
    prompt = await editor.request("agentMemory/prompt")
    sources = await editor.request("agentMemory/sources")
    assert (told["hash"], told["state"]) == (prompt["hash"], prompt["state"])
    assert sources["state"] == prompt["state"]
    assert told["root"] == sources["root"] == str(editor.root)
    saved = await editor.request("agentMemory/prompt", {"saved": True})
    assert told["saved"] == saved["hash"]


async def test_typing_changes_hash_and_saving_changes_saved(editor):
    path = editor.root / ".deepagents" / "agent.md"
    uri = editor.open(".deepagents/agent.md")
    before = editor.changes[-1]
    count = len(editor.changes)
    editor.change(uri, CLEAN + "- typed\n")
    typed = await next_change(editor, count)
    assert typed["hash"] != before["hash"]
    assert typed["state"] != before["state"]  # the file has another size
    assert typed["saved"] == before["saved"]
    replace(path, CLEAN + "- typed\n")
    editor.notify("textDocument/didSave", {"textDocument": {"uri": uri}})
    saved = await next_change(editor, count + 1)
    assert saved["hash"] == typed["hash"] == saved["saved"]
    assert saved["state"] == typed["state"]


async def test_new_agent_is_notified(editor):
    count = len(editor.changes)
    state = editor.changes[-1]["state"]
    write(editor.home, {"second/agent.md": CLEAN})
    (editor.home / "second").rename(editor.home / ".deepagents/second")
    told = await next_change(editor, count)
    assert told["state"] != state
    assert (await editor.request("agentMemory/sources"))["state"] == told["state"]


async def test_other_entries_folder_is_notified(editor):
    write(editor.root, {"kept/global/README": ""})
    await asyncio.sleep(0.5)
    count, before = len(editor.changes), editor.changes[-1]
    kept = str(editor.root / "kept")
    editor.client.set_configuration({"agentMemory": {"drover.entries": kept}})
    editor.notify("workspace/didChangeConfiguration", {"settings": None})
    told = await next_change(editor, count)
    assert told["entries"] > before["entries"]
    assert told["hash"] == before["hash"]


async def set_entries_folder(editor, folder):
    """Set the folder; return the notification of it."""
    count = len(editor.changes)
    settings = {"drover.entries": folder} if folder else {}
    editor.client.set_configuration({"agentMemory": settings})
    editor.notify("workspace/didChangeConfiguration", {"settings": None})
    return await next_change(editor, count)


async def test_same_entries_folder_after_none_is_notified(editor):
    kept = str(editor.root / "kept")
    first = editor.changes[-1]["entries"]
    none = (await set_entries_folder(editor, ""))["entries"]
    again = (await set_entries_folder(editor, kept))["entries"]
    assert first < none < again


async def test_new_entry_of_the_folder_is_notified(editor):
    recalled = await editor.request("agentMemory/recall", {"query": ""})
    assert recalled["entries"] == []
    before, count = editor.changes[-1], len(editor.changes)
    MarkdownEntries(editor.root / "kept").put(Draft("global", "user", "alpha", "b"))
    told = await next_change(editor, count)
    assert told["entries"] > before["entries"]
    recalled = await editor.request("agentMemory/recall", {"query": ""})
    assert [entry["summary"] for entry in recalled["entries"]] == ["alpha"]


async def test_prompt_since_id_is_a_patch(editor):
    uri = editor.open(".deepagents/agent.md")
    whole = await editor.request("agentMemory/prompt", {"uri": uri})
    first = await editor.request("agentMemory/prompt", {"uri": uri, "since": ""})
    assert first["patch"]["text"] == whole["text"]
    assert {**first, "segments": [], "patch": {}} == {
        **{key: value for key, value in whole.items() if key != "text"},
        "segments": [],
        "blocks": [{"role": "system"}],
        "patch": {},
    }
    editor.change(
        uri, "!", {"start": {"line": 2, "character": 2}, "end": {"line": 2, "character": 3}}
    )
    told = await editor.request("agentMemory/prompt", {"uri": uri, "since": first["patch"]["id"]})
    patch, old = told["patch"], whole["text"]
    assert patch["base"] == first["patch"]["id"]
    assert (patch["removed"], patch["text"]) == (1, "!")
    now = (await editor.request("agentMemory/prompt", {"uri": uri}))["text"]
    assert old[: patch["at"]] + "!" + old[patch["at"] + 1 :] == now


async def test_saved_is_the_hash_of_the_active_project(editor):
    files = {"nested/.git/HEAD": "x", "nested/.deepagents/agent.md": "# Nested\n\n- one\n"}
    write(editor.root, files)  # may be notified on its own, before the document is open
    editor.open("nested/.deepagents/agent.md")
    cwd = str(editor.root / "nested")
    await editor.until(lambda: editor.changes[-1]["root"] == cwd, "the nested project")
    saved = await editor.request("agentMemory/prompt", {"saved": True, "cwd": cwd})
    assert editor.changes[-1]["saved"] == saved["hash"]


async def test_uris_include_a_listed_skill(editor):
    count = len(editor.changes)
    path = editor.home / ".deepagents/agent/skills/notes/SKILL.md"
    write(editor.home, {"notes/SKILL.md": "---\nname: notes\ndescription: Take notes.\n---\n"})
    path.parent.parent.mkdir()
    (editor.home / "notes").rename(path.parent)
    await editor.until(
        lambda: any(path.as_uri() in told["uris"] for told in editor.changes[count:]), "its URI"
    )
