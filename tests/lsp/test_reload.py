"""Hot reload: findings, prompt and one notification per save."""

import asyncio

import pytest
import pytest_asyncio

from kit import replace, write
from lsp_kit import connect, disconnect

pytestmark = [pytest.mark.slow, pytest.mark.waits, pytest.mark.asyncio(loop_scope="module")]
CLEAN, HIDDEN = "# Notes\n\n- clean\n", "# Notes\n\n- hidden\u200b\n"


@pytest_asyncio.fixture(loop_scope="module", scope="module", params=["vscode", "neovim"])
async def editor(request, tmp_path_factory):
    base = tmp_path_factory.mktemp(request.param)
    root = write(base / "ws", {".git/HEAD": "x", "README.md": "# Read me\u200b\n"})
    home = write(base / "home", {".deepagents/agent/agent.md": CLEAN})
    editor = await connect(request.param, root, home)
    editor.pulls = request.param == "vscode"
    await editor.until(lambda: editor.changes, "the first notification")
    yield editor
    assert await disconnect(editor) == 0


async def codes(editor, uri):
    if editor.pulls:
        return [item["code"] for item in await editor.pull(uri)]
    return [item.code for item in editor.client.diagnostics.get(uri, ())]


async def has_codes(editor, uri, expected):
    """Wait for the findings of a file, which can arrive after the notification about it."""
    for _ in range(500):
        if await codes(editor, uri) == expected:
            return
        await asyncio.sleep(0.02)
    assert await codes(editor, uri) == expected


async def settled(editor):
    """Return the notifications after they stop."""
    before = -1
    while before != len(editor.changes):
        before = len(editor.changes)
        await asyncio.sleep(0.5)
    return editor.changes


async def test_changed_user_memory_is_notified_once(editor):
    path = editor.home / ".deepagents/agent/agent.md"
    before = len(await settled(editor))
    replace(path, HIDDEN)
    await editor.until(lambda: len(editor.changes) > before, "a notification")
    told = (await settled(editor))[before:]
    assert len(told) == 1
    assert told[0]["uris"] == [path.as_uri()]
    assert told[0]["errors"] == 1
    assert "AM107" in await codes(editor, path.as_uri())
    replace(path, CLEAN)
    await editor.until(lambda: len(editor.changes) > before + 1, "a notification")
    assert "AM107" not in await codes(editor, path.as_uri())


async def test_memory_folder_created_deleted_and_recreated(editor):
    path = editor.root / ".deepagents" / "agent.md"
    for _ in range(2):
        path.parent.mkdir()
        path.write_text(HIDDEN)
        await editor.until(lambda: path.as_uri() in editor.changes[-1]["uris"], "its loading")
        await has_codes(editor, path.as_uri(), ["AM107"])
        path.unlink()
        path.parent.rmdir()
        await editor.until(lambda: path.as_uri() not in editor.changes[-1]["uris"], "its end")
        await has_codes(editor, path.as_uri(), [])


async def test_typing_is_notified_after_a_pause_and_closing_reverts_it(editor):
    path = editor.home / ".deepagents/agent/agent.md"
    before = len(await settled(editor))
    uri = editor.open(str(path))
    for number in range(5):
        editor.change(uri, f"# Typed {number}\n")
    await editor.until(lambda: len(editor.changes) > before, "a notification")
    # How many there are depends on the load: test_prompt_changed.py counts them without a clock.
    typed = (await settled(editor))[-1]["hash"]
    assert typed == (await editor.request("agentMemory/prompt", {"uri": uri}))["hash"]
    editor.close(uri)
    await editor.until(lambda: editor.changes[-1]["hash"] != typed, "the old text")


async def test_open_buffer_hides_changes_on_disk(editor):
    path = editor.home / ".deepagents/agent/agent.md"
    uri = editor.open(str(path), "# In the editor\n")
    path.write_text(HIDDEN)
    await settled(editor)
    prompt = await editor.request("agentMemory/prompt", {"uri": uri})
    assert "# In the editor" in prompt["text"]
    editor.close(uri)
    prompt = await editor.request("agentMemory/prompt", {"uri": uri})
    assert "hidden" in prompt["text"]
    path.write_text(CLEAN)
    await settled(editor)


async def test_events_of_the_client_trigger_a_scan(editor):
    before = len(await settled(editor))
    path = editor.home / ".deepagents/agent/agent.md"
    replace(path, "# Seen by both\n")
    change = {"uri": path.as_uri(), "type": 2}
    for _ in range(3):
        editor.notify("workspace/didChangeWatchedFiles", {"changes": [change]})
    await editor.until(lambda: len(editor.changes) > before, "a notification")
    assert len(await settled(editor)) == before + 1


async def test_other_files_are_never_reported(editor):
    uri = editor.open("README.md")
    assert await codes(editor, uri) == []
    editor.close(uri)


async def test_status_shows_the_watcher(editor):
    status = await editor.request("agentMemory/status")
    assert status["watching"]["backend"] in ("inotify", "fsevents", "windowsapi", "kqueue")
    assert str(editor.home / ".deepagents") in status["watching"]["folders"]
    assert str(editor.home) not in status["watching"]["folders"]
