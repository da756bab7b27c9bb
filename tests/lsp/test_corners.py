"""Where there is nothing to say, and editors that do not go along: an answer all the same."""

import pytest
import pytest_asyncio
from pygls.exceptions import JsonRpcException

from kit import write
from lsp_kit import connect, disconnect

pytestmark = pytest.mark.asyncio(loop_scope="module")
AGENTS = "AGENTS.md"
SKILL = ".deepagents/skills/deploy/SKILL.md"
ENTRY = "memory/global/01HZX3KQ7M8N9P0R1S2T3V4W5X.md"
MEMORY = (
    "# Project\n\n## Build\n\n- use make\n\nSee [guide](docs/guide.md) and [gone](docs/none.md).\n"
)
FILES = {
    ".git/HEAD": "x",
    AGENTS: MEMORY,
    SKILL: "---\nname: deploy\ndescription: How to deploy\n---\n\n# Deploy\n",
    "docs/guide.md": "# Guide\n\n## Set up\n",
}


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def editor(tmp_path_factory):
    base = tmp_path_factory.mktemp("corners")
    home = write(base / "home", {"notes/mine.md": "# Mine\n"})
    editor = await connect("vscode", write(base / "ws", FILES), home)
    yield editor
    assert await disconnect(editor) == 0


async def at(editor, method, name, mark, text=None, **more):
    """Ask about the place before ``mark`` in a file of plain letters."""
    text = FILES[name] if text is None else text
    uri = editor.open(name, text)
    head = text[: text.index(mark)]
    where = {"line": head.count("\n"), "character": len(head.rpartition("\n")[2])}
    asked = {"textDocument": {"uri": uri}, "position": where, **more}
    try:
        return await editor.request(f"textDocument/{method}", asked)
    finally:
        editor.close(uri)


async def labels(editor, name, before):
    found = await at(editor, "completion", name, "\u0394", f"{before}\u0394\n")
    return [item["label"] for item in found]


@pytest.mark.parametrize(
    ("name", "before"),
    [
        (AGENTS, "# A\n\n```\n`de"),
        (AGENTS, "plain words"),
        (AGENTS, "---\nname: "),
        (AGENTS, "see [x](https:"),
        (SKILL, "---\nname: deploy it"),
        (SKILL, "---\ndescription: "),
    ],
)
async def test_nothing_is_offered_where_nothing_fits(editor, name, before):
    assert await labels(editor, name, before) == []


async def test_an_entrys_values_and_the_home_folders_files_are_offered(editor):
    write(editor.root, {ENTRY: "---\nkind: user\n---\n\nb\n"})
    assert "reference" in await labels(editor, ENTRY, "---\nkind: ")
    assert "mine.md" in await labels(editor, AGENTS, "see [x](~/notes/mi")


async def test_a_skill_is_listed_and_its_lines_are_not_called_unseen(editor):
    value = (await at(editor, "hover", SKILL, "Deploy\n"))["contents"]["value"]
    assert "listed for the agent to read" in value
    assert "does not see" not in value


async def test_the_only_file_that_is_read_is_called_so(editor):
    value = (await at(editor, "hover", AGENTS, "Project"))["contents"]["value"]
    assert "loaded, the only file" in value


async def test_beside_the_code_of_a_comment_there_is_no_rule_to_tell_of(editor):
    text = "# A\n\n- a <!-- agent-memory: disable-next-line AM107 -->\n"
    answer = await at(editor, "hover", AGENTS, "a <!--", text)
    assert "hidden-unicode" not in str(answer)


async def test_links_lead_to_the_start_of_a_file_or_nowhere(editor):
    there = await at(editor, "definition", AGENTS, "docs/guide.md")
    assert (there["uri"], there["range"]["start"]["line"]) == (editor.uri("docs/guide.md"), 0)
    assert await at(editor, "definition", AGENTS, "docs/none.md") is None


async def test_only_links_to_this_heading_are_its_references(editor):
    text = "# A\n\n## One\n\n[1](#one) [2](#two)\n\n## Two\n"
    context = {"context": {"includeDeclaration": True}}
    [link] = await at(editor, "references", AGENTS, "One", text, **context)
    assert link["range"]["start"] == {"line": 4, "character": 4}
    assert await at(editor, "references", AGENTS, "[1]", text, **context) == []


async def test_what_is_no_skill_has_no_new_name_and_a_skill_may_keep_its_own(editor):
    assert await at(editor, "rename", AGENTS, "use make", newName="build") is None
    edit = await at(editor, "rename", SKILL, "deploy\ndesc", newName="deploy")
    assert "rename" not in str(edit.get("documentChanges", "")).replace("prepareRename", "")


async def test_links_to_a_file_that_moves_far_away_lead_there(editor):
    async def after(new):
        files = [{"oldUri": editor.uri("docs/guide.md"), "newUri": editor.uri(new)}]
        return await editor.request("workspace/willRenameFiles", {"files": files})

    [change] = (await after("manual/start.md"))["documentChanges"]
    assert change["textDocument"]["uri"] == editor.uri(AGENTS)
    assert change["edits"][0]["newText"] == "manual/start.md"
    files = [{"oldUri": editor.uri("src/a.py"), "newUri": editor.uri("src/b.py")}]
    assert await editor.request("workspace/willRenameFiles", {"files": files}) is None


async def test_a_selection_made_backwards_or_behind_the_end_is_understood(editor):
    uri = editor.open(AGENTS, "# A\n\n- one\n")
    backwards = {"start": {"line": 2, "character": 5}, "end": {"line": 2, "character": 2}}
    editor.change(uri, "two", backwards)
    behind = {"start": {"line": 90, "character": 3}, "end": {"line": 91, "character": 0}}
    editor.change(uri, "- three\n", behind)
    before = {"start": {"line": -1, "character": 0}, "end": {"line": -1, "character": 0}}
    editor.change(uri, "\n", before)
    prompt = await editor.request("agentMemory/prompt", {"uri": uri})
    assert "# A\n\n- two\n- three" in prompt["text"]
    editor.close(uri)


async def test_an_action_of_somebody_else_is_refused(editor):
    data = {"uri": editor.uri(AGENTS), "move": ["user", "first"]}
    with pytest.raises(JsonRpcException, match="not from Agent Memory"):
        await editor.request("codeAction/resolve", {"title": "x", "data": data})


async def test_only_memory_offers_items_to_move(editor):
    async def titles(name, line):
        uri = editor.open(name)
        where = {"start": {"line": line, "character": 0}, "end": {"line": line, "character": 0}}
        asked = {"textDocument": {"uri": uri}, "range": where, "context": {"diagnostics": []}}
        found = await editor.request("textDocument/codeAction", asked)
        editor.close(uri)
        return [item["title"] for item in found]

    assert "Move to User Memory" in await titles(AGENTS, 4)
    assert not any(title.startswith("Move") for title in await titles(SKILL, 5))


async def remember(editor, **argument):
    execute = {"command": "agentMemory.server.remember", "arguments": [argument]}
    return await editor.request("workspace/executeCommand", execute)


async def told(editor, part):
    """Wait until the editor has shown a message with ``part``."""
    await editor.until(lambda: any(part in item.message for item in editor.client.messages), part)


async def test_an_editor_that_does_not_take_the_edit_is_told(editor):
    editor.takes = False
    await remember(editor, text="Deploy on Mondays only", scope="project")
    await told(editor, "The editor did not apply the edit of AGENTS.md")
    editor.takes = True


async def test_what_is_said_already_can_be_shown(editor):
    editor.choose = "Show"
    plan = await remember(editor, text="use make", scope="project")
    assert plan["outcome"] == "duplicate"
    shown = editor.client.shown_documents
    await editor.until(lambda: shown, "the place")
    assert (shown[-1].uri, shown[-1].selection.start.line) == (editor.uri(AGENTS), 4)
    editor.choose = None


async def test_what_cannot_be_filed_is_said(editor):
    uri = editor.open(AGENTS, "# A\n\n<!-- open\n- a\n")
    plan = await remember(editor, text="Deploy on Mondays only", scope="project")
    editor.close(uri)
    assert plan["outcome"] == "refused"
    await told(editor, plan["message"])


async def test_text_may_come_with_its_place_or_without_a_range(editor):
    at = {"uri": editor.uri("docs/guide.md")}
    heading = {"start": {"line": 0, "character": 0}, "end": {"line": 1, "character": 0}}
    asked = {"text": "The guide is for users", "scope": "project"}
    for origin in (at, {**at, "range": heading}):
        plan = await editor.request("agentMemory/remember", {**asked, "origin": origin})
        assert plan["outcome"] == "ready"
        assert "The guide is for users" in plan["item"]
    with pytest.raises(JsonRpcException, match="'text' is missing"):
        await editor.request("agentMemory/remember", {"scope": "project", "origin": at})


async def test_a_document_that_is_no_prompt_is_not_answered_as_one(editor):
    with pytest.raises(JsonRpcException, match="the scheme must be"):
        await editor.request("workspace/textDocumentContent", {"uri": "file:///prompt.md"})


async def test_settings_that_are_no_table_change_nothing(editor):
    before = await editor.request("agentMemory/prompt")
    editor.notify("workspace/didChangeConfiguration", {"settings": {"agentMemory": 5}})
    assert (await editor.request("agentMemory/prompt"))["hash"] == before["hash"]


async def test_a_list_with_something_else_in_it_is_named(editor):
    with pytest.raises(JsonRpcException, match="every item of 'tags' must be text"):
        await editor.request("agentMemory/recall", {"query": "x", "tags": [1]})
