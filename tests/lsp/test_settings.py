"""Settings apply while the server runs, and problems are reported once."""

import asyncio
import json

import pytest
import pytest_asyncio

from kit import write
from lsp_kit import connect, disconnect

pytestmark = [pytest.mark.slow, pytest.mark.asyncio(loop_scope="module")]
HIDDEN = "# A\n\nhidden\u200b\n"
PROJECT = '[rules]\nhidden-unicode = "warning"\n'


@pytest_asyncio.fixture(loop_scope="module")
async def start(tmp_path):
    editors = []

    async def start(kind="vscode", files=None, **more):
        root = write(
            tmp_path / "ws",
            {".git/HEAD": "x", ".deepagents/agent.md": HIDDEN, **(files or {})},
        )
        editor = await connect(kind, root, write(tmp_path / "home", {".keep": ""}), **more)
        editors.append(editor)
        return editor

    yield start
    for editor in editors:
        assert await disconnect(editor) == 0


async def severity(editor):
    """Return the severity of the hidden character's finding, None if the rule is off."""
    items = await editor.pull(editor.uri(".deepagents/agent.md"))
    return next((item["severity"] for item in items if item["code"] == "AM107"), None)


async def becomes(editor, wanted):
    for _ in range(200):
        if await severity(editor) == wanted:
            return True
    return False


async def set_to(editor, values):
    editor.client.set_configuration({"agentMemory": values})
    editor.notify("workspace/didChangeConfiguration", {"settings": None})


async def test_changed_setting_applies_without_a_restart(start):
    editor = await start()
    assert await severity(editor) == 1
    await set_to(editor, {"rules": {"AM107": "info"}})
    assert await becomes(editor, 3)
    await set_to(editor, {"rules": {"AM107": "off"}})
    assert await becomes(editor, None)
    await set_to(editor, {})
    assert await becomes(editor, 1)


async def test_editor_settings_override_the_projects_file(start):
    editor = await start(files={".deepagents/agent-memory.toml": PROJECT})
    assert await becomes(editor, 2)
    await set_to(editor, {"rules": {"hidden-unicode": "info"}})
    assert await becomes(editor, 3)


async def test_defaults_sent_by_the_editor_do_not_override_the_projects_file(start):
    files = {".deepagents/agent-memory.toml": "[budget]\ntokens = 123\n"}
    settings = {"runtime": "auto", "budget": {"tokens": 4000, "fileBytes": 32768}, "rules": {}}
    editor = await start(files=files, settings=settings)
    assert (await editor.request("agentMemory/prompt"))["budget"] == 123


async def test_changed_project_file_applies_without_a_restart(start):
    editor = await start()
    assert await severity(editor) == 1
    write(editor.root, {".deepagents/agent-memory.toml": PROJECT})
    assert await becomes(editor, 2) or await editor.until(
        lambda: editor.client.diagnostic_refresh_count, "a refresh"
    )
    assert await becomes(editor, 2)


async def test_invalid_value_gives_one_warning_and_the_default(start):
    editor = await start(settings={"budget": {"tokens": "many"}, "runtime": "deepagents-kode"})
    await editor.until(lambda: len(editor.client.messages) == 2, "two warnings")
    said = sorted(item.message for item in editor.client.messages)
    assert "budget.tokens" in said[0]
    assert "unknown runtime 'deepagents-kode'. Did you mean 'deepagents-code'?" in said[1]
    assert (await editor.request("agentMemory/prompt"))["budget"] == 4000
    await set_to(editor, {"budget": {"tokens": "many"}, "runtime": "deepagents-kode"})
    await editor.request("agentMemory/status")
    await editor.request("agentMemory/status")
    assert len(editor.client.messages) == 2
    status = await editor.request("agentMemory/status")
    assert len(status["settings"]) == 2


async def test_settings_of_the_extension_are_not_reported(start):
    own = {"interpreter": ["python3"], "importStrategy": "useBundled", "trace": {"server": "off"}}
    editor = await start(settings=own)
    assert (await editor.request("agentMemory/status"))["settings"] == []
    assert editor.client.messages == []


@pytest.mark.parametrize("kind", ["neovim", "emacs"])
async def test_settings_from_initialize_and_by_notification(start, kind):
    capabilities = {"workspace": {"applyEdit": True}}
    options = {"settings": {"budget": {"tokens": 77}}}
    editor = await start(kind, capabilities=capabilities, options=options)
    assert (await editor.request("agentMemory/prompt"))["budget"] == 77
    editor.notify(
        "workspace/didChangeConfiguration",
        {"settings": {"agentMemory": {"budget": {"tokens": 78}}}},
    )
    assert (await editor.request("agentMemory/prompt"))["budget"] == 78


async def test_untrusted_project_cannot_set_interpreter_or_template(start):
    text = 'memoryTemplate = "MINE {user_memory}"\ntemplateInterpreter = "/x/bin/python"\n'
    files = {".deepagents/agent-memory.toml": text}
    trusted = await start(files=files, options={"trusted": True})
    assert (await trusted.request("agentMemory/prompt"))["text"].startswith("MINE")
    untrusted = await start(files=files, options={"trusted": False})
    assert "MINE" not in (await untrusted.request("agentMemory/prompt"))["text"]
    assert await severity(untrusted) == 1


async def test_untrusted_project_cannot_name_outside_files(start, tmp_path):
    notes = {f"{number}.md": f"nobody's business {number}\n" for number in range(3)}
    private = write(tmp_path / "private", notes)
    outside = [str(private / "0.md"), "../private/1.md", "inside/../../private/2.md"]
    text = f'runtime = "deepagents"\nsources = {json.dumps(outside)}\n'
    files = {".deepagents/agent-memory.toml": text, "inside/x.txt": ""}
    trusted = await start(files=files, options={"trusted": True})
    prompt = (await trusted.request("agentMemory/prompt"))["text"]
    assert [word in prompt for word in ("business 0", "business 1", "business 2")] == [True] * 3
    untrusted = await start(files=files, options={"trusted": False})
    assert "nobody's" not in (await untrusted.request("agentMemory/prompt"))["text"]


async def test_untrusted_project_can_name_its_own_files(start):
    text = 'runtime = "deepagents"\nsources = ["docs/rules.md"]\n'
    files = {".deepagents/agent-memory.toml": text, "docs/rules.md": "our rules\n"}
    untrusted = await start(files=files, options={"trusted": False})
    assert "our rules" in (await untrusted.request("agentMemory/prompt"))["text"]


async def test_each_folder_has_its_own_settings(start, tmp_path):
    other = write(tmp_path / "other", {".git/HEAD": "x", ".deepagents/agent.md": HIDDEN})
    first = tmp_path / "ws"
    editor = await start(folders=[first, other])
    editor.client.set_configuration(
        {"agentMemory": {"budget": {"tokens": 11}}}, scope_uri=other.as_uri()
    )
    editor.notify("workspace/didChangeConfiguration", {"settings": None})
    uri = (other / ".deepagents/agent.md").as_uri()

    async def budgets():
        here = await editor.request("agentMemory/prompt", {"uri": uri})
        there = await editor.request(
            "agentMemory/prompt", {"uri": editor.uri(".deepagents/agent.md")}
        )
        return here["budget"], there["budget"]

    for _ in range(100):
        if await budgets() == (11, 4000):
            break
    assert await budgets() == (11, 4000)


async def test_project_paths_start_at_their_folder_with_a_subfolder_open(tmp_path, start):
    outer = write(
        tmp_path / "outer",
        {
            ".git/HEAD": "x",
            ".deepagents/agent-memory.toml": 'projectRoot = "app"\n',
            "app/.deepagents/agent.md": "- words of the app\n",
            "other/.deepagents/agent.md": "- other words\n",
            "ws/x.py": "",
        },
    )
    editor = await start(folders=[outer / "ws"])
    assert "words of the app" in str(await editor.request("agentMemory/prompt"))
    write(outer, {".deepagents/agent-memory.toml": 'projectRoot = "other"\n'})
    await editor.until(lambda: editor.changes, "a change")
    assert "other words" in str(await editor.request("agentMemory/prompt"))


async def test_requests_about_a_project_outside_use_its_settings_of_now(start, tmp_path):
    editor = await start()
    table = '[tool.agent-memory]\nruntime = "{}"\n'
    other = write(tmp_path / "other", {".git/HEAD": "x"})
    for runtime in ("drover", "deepagentsdk"):
        write(other, {"pyproject.toml": table.format(runtime)})
        answer = await editor.request("agentMemory/prompt", {"uri": other.as_uri()})
        assert answer["runtime"] == runtime


async def test_a_changed_lock_file_changes_the_runtime(start, tmp_path):
    lock = '[[package]]\nname = "deepagents-cli"\nversion = "{}"\n'
    files = {".deepagents/agent.md": "- one\n", "uv.lock": lock.format("0.0.12")}
    manifest = '[project]\ndependencies = ["deepagents-cli"]\n'
    write(tmp_path / "ws", {".git/HEAD": "x", "pyproject.toml": manifest, **files})
    editor = await start()
    await editor.until(lambda: editor.changes, "the first notification")
    await asyncio.sleep(1)  # until the start has ended, which reads all files again
    assert editor.changes[-1]["runtime"] == "deepagents-cli"
    write(tmp_path / "ws", {"uv.lock": lock.format("0.0.14")})
    await editor.until(lambda: editor.changes[-1]["runtime"] == "deepagentsdk", "a change")
