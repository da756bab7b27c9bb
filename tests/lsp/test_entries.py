"""``agentMemory/entries`` lists entries; its commands promote, forget and restore them."""

import copy

import pytest
import pytest_asyncio
from pygls.exceptions import JsonRpcException

from agent_memory.entries.markdown_store import MarkdownEntries
from agent_memory.entries.validation import Draft
from kit import write
from lsp_kit import PRESETS, connect, disconnect

pytestmark = pytest.mark.asyncio(loop_scope="module")
MEMORY = "# Project\n\n- use make\n"


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def editor(tmp_path_factory):
    base = tmp_path_factory.mktemp("entries")
    root = write(base / "ws", {".git/HEAD": "x", ".deepagents/agent.md": MEMORY})
    (root / ".memory/global").mkdir(parents=True)
    home = write(base / "home", {".deepagents/agent/agent.md": "# Me\n"})
    editor = await connect("vscode", root, home)
    yield editor
    assert await disconnect(editor) == 0


@pytest.fixture
def store(editor):
    store = MarkdownEntries(editor.root / ".memory")
    yield store
    store.drop(store.load())
    store.trash().empty()


async def run(editor, name, **params):
    return await editor.request(
        "workspace/executeCommand",
        {"command": f"agentMemory.server.{name}", "arguments": [params]},
    )


async def listed(editor, **params):
    answer = await editor.request("agentMemory/entries", params)
    return [entry["summary"] for entry in answer["entries"]]


async def test_entries_of_all_agents_are_listed(editor, store):
    store.put(Draft("global", "user", "alpha", "b"))
    store.put(Draft("agent", "project", "beta", "b", "a", tags=("ops",)))
    assert sorted(await listed(editor)) == ["alpha", "beta"]
    assert await listed(editor, kinds=["user"]) == ["alpha"]
    assert sorted(await listed(editor, agent="auto")) == ["alpha", "beta"]
    assert await listed(editor, agent="a") == ["beta"]
    assert await listed(editor, tags=["ops"]) == ["beta"]
    assert await listed(editor, older=1) == []


async def test_entry_is_forgotten_and_restored(editor, store):
    entry = store.put(Draft("global", "user", "walrus", "b"))
    assert (await run(editor, "forget", id=entry.id))["id"] == entry.id
    assert await listed(editor) == []
    assert await listed(editor, trash=True) == ["walrus"]
    assert (await editor.request("agentMemory/recall", {"query": "walrus"}))["entries"] == []
    restored = await run(editor, "restore", id=entry.id)
    assert restored["uri"] == editor.uri(f".memory/global/{entry.id}.md")
    found = await editor.request("agentMemory/recall", {"query": "walrus"})
    assert [item["id"] for item in found["entries"]] == [entry.id]


@pytest.mark.parametrize(("name", "to"), [("forget", {}), ("promote", {"to": "project"})])
async def test_agent_auto_is_no_agent(editor, store, name, to):
    entry = store.put(Draft("agent", "project", "otter", "b", "a"))
    with pytest.raises(JsonRpcException, match=entry.id):
        await run(editor, name, id=entry.id, agent="b", **to)
    await run(editor, name, id=entry.id, agent="auto", **to)
    await editor.until(lambda: not store.load(), "the entry's removal")


async def test_promotion_edits_memory_and_empties_the_store(editor, store):
    entry = store.put(Draft("global", "feedback", "No deploys on Fridays", "Never."))
    plan = await run(editor, "promote", id=entry.id, to="project")
    assert plan["outcome"] == "ready"
    assert plan["target"]["uri"] == editor.uri(".deepagents/agent.md")
    assert "No deploys on Fridays. Never." in str(editor.applied[-1])
    await editor.until(lambda: not store.load(), "the entry's removal")
    assert await listed(editor, trash=True) == ["No deploys on Fridays"]


async def test_entry_stays_if_the_editor_refuses_the_edit(editor, store):
    entry = store.put(Draft("global", "feedback", "Hands off", "Never."))
    editor.takes = False
    try:
        await run(editor, "promote", id=entry.id, to="project")
        assert await listed(editor) == ["Hands off"]
    finally:
        editor.takes = True


async def test_unknown_entry_and_bad_parameters_are_explained(editor):
    for name, params in (
        ("promote", {"id": "0" * 26, "to": "project"}),
        ("promote", {"id": "0" * 26, "to": "galaxy"}),
        ("restore", {"id": "nope"}),
        ("forget", {}),
    ):
        with pytest.raises(JsonRpcException) as error:
            await run(editor, name, **params)
        assert error.value.message


async def test_promotion_of_known_text_only_removes_the_entry(editor, store):
    entry = store.put(Draft("global", "feedback", "use make", "use make"))
    assert (await run(editor, "promote", id=entry.id, to="project"))["outcome"] == "duplicate"
    assert await listed(editor) == []
    assert await listed(editor, trash=True) == ["use make"]


async def other_project(tmp_path, **capabilities):
    """Return an editor whose project has entries and no memory file, and its entries."""
    (tmp_path / "ws/.memory/global").mkdir(parents=True)
    root = write(tmp_path / "ws", {".git/HEAD": "x"})
    home = write(tmp_path / "home", {".deepagents/agent/agent.md": "# Me\n"})
    supported = copy.deepcopy(PRESETS["vscode"])
    supported["workspace"] |= capabilities
    return await connect("vscode", root, home, capabilities=supported), MarkdownEntries(
        root / ".memory"
    )


async def test_folder_of_memory_is_created_only_with_consent(tmp_path):
    editor, store = await other_project(tmp_path)
    entry = store.put(Draft("global", "feedback", "No deploys on Fridays", "Never."))
    plan = await run(editor, "promote", id=entry.id, to="project")
    assert plan["outcome"] == "consent"
    await editor.until(lambda: editor.asked, "the question")
    assert [action["title"] for action in editor.asked[0]["actions"]] == ["Create the folder"]
    assert await listed(editor) == ["No deploys on Fridays"]
    assert editor.applied == []
    editor.choose = "Create the folder"
    await run(editor, "promote", id=entry.id, to="project")
    await editor.until(lambda: not store.load(), "the entry's removal")
    assert "No deploys on Fridays. Never." in str(editor.applied)
    assert await disconnect(editor) == 0


async def test_an_editor_without_edits_is_told_and_the_entry_stays(tmp_path):
    editor, store = await other_project(tmp_path, applyEdit=False)
    write(editor.root, {".deepagents/agent.md": MEMORY})
    entry = store.put(Draft("global", "feedback", "Hands off", "Never."))
    await run(editor, "promote", id=entry.id, to="project")
    await editor.until(lambda: editor.client.messages, "the message")
    assert "does not support edits" in editor.client.messages[-1].message
    assert await listed(editor) == ["Hands off"]
    assert await disconnect(editor) == 0


async def test_a_project_without_entries_says_how_to_name_them(tmp_path):
    root = write(tmp_path / "ws", {".git/HEAD": "x", ".deepagents/agent.md": MEMORY})
    editor = await connect("vscode", root, write(tmp_path / "home", {".keep": ""}))
    with pytest.raises(JsonRpcException, match="There is no folder of entries here"):
        await run(editor, "promote", id="0" * 26, to="project")
    assert await disconnect(editor) == 0
