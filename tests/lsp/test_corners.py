"""Edge cases: empty answers, refused edits, odd parameters."""

from pathlib import Path

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
    """Request ``method`` for the position before ``mark`` in an ASCII file."""
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
async def test_no_completion_in_other_contexts(editor, name, before):
    assert await labels(editor, name, before) == []


async def test_entry_values_and_home_paths_are_completed(editor):
    write(editor.root, {ENTRY: "---\nkind: user\n---\n\nb\n"})
    assert "reference" in await labels(editor, ENTRY, "---\nkind: ")
    assert "mine.md" in await labels(editor, AGENTS, "see [x](~/notes/mi")
    assert "mine.md" not in await labels(editor, AGENTS, "see [x](~notes/mi")


async def test_leading_slash_is_the_root_of_the_project_in_links_only(editor):
    nested = "docs/AGENTS.md"
    assert {"docs/", "AGENTS.md"} <= set(await labels(editor, nested, "see [x](/do"))
    assert await labels(editor, AGENTS, "see [x](/docs/gu") == ["guide.md"]
    on_disk = await labels(editor, nested, "see @/do")
    assert f"{Path(editor.root.anchor, *editor.root.parts[1:2]).name}/" in on_disk
    assert "guide.md" not in on_disk
    assert await labels(editor, AGENTS, f"see @{editor.root.as_posix()}/docs/gu") == ["guide.md"]


async def test_link_with_a_leading_slash_leads_to_the_project_before_the_disk(editor):
    text = "[x](/docs/guide.md) [y](/docs/none.md)\n"
    there = await at(editor, "definition", "docs/AGENTS.md", "docs/guide", text)
    assert there["uri"] == editor.uri("docs/guide.md")
    uri = editor.open(AGENTS, text)
    found = await editor.request("textDocument/documentLink", {"textDocument": {"uri": uri}})
    editor.close(uri)
    assert [link["target"] for link in found] == [editor.uri("docs/guide.md")]
    outside = (editor.root.parent / "home" / "notes").as_posix()
    there = await at(editor, "definition", AGENTS, outside, f"[x]({outside}/mine.md)\n")
    assert there["uri"].endswith("/home/notes/mine.md")
    assert await labels(editor, AGENTS, f"[x]({outside}/mi") == ["mine.md"]


async def test_lines_of_a_listed_skill_are_not_reported_as_unseen(editor):
    value = (await at(editor, "hover", SKILL, "Deploy\n"))["contents"]["value"]
    assert "listed for the agent to read" in value
    assert "does not see" not in value


async def test_comment_of_a_listed_skill_is_not_called_seen(editor):
    """The runtime loads no line of it, so it neither removes comments nor leaves them in."""
    text = FILES[SKILL] + "\n<!-- only for people -->\n"
    answer = await at(editor, "hover", SKILL, "only for people", text)
    assert "sees this comment" not in str(answer)


async def test_blank_line_of_a_removed_comment_is_not_called_seen(editor):
    text = "# A\n\n<!-- one\n\ntwo -->\n"
    answer = await at(editor, "hover", AGENTS, "\ntwo", text)
    assert "sees this comment" not in str(answer)


async def test_hover_names_the_only_loaded_file(editor):
    value = (await at(editor, "hover", AGENTS, "Project"))["contents"]["value"]
    assert "loaded, the only file" in value


async def test_no_rule_hover_beside_the_code(editor):
    text = "# A\n\n- a <!-- agent-memory: disable-next-line AM107 -->\n"
    answer = await at(editor, "hover", AGENTS, "a <!--", text)
    assert "hidden-unicode" not in str(answer)


async def test_definition_of_a_link_is_the_start_of_the_file(editor):
    there = await at(editor, "definition", AGENTS, "docs/guide.md")
    assert (there["uri"], there["range"]["start"]["line"]) == (editor.uri("docs/guide.md"), 0)
    assert await at(editor, "definition", AGENTS, "docs/none.md") is None


async def test_references_are_links_to_this_heading(editor):
    text = "# A\n\n## One\n\n[1](#one) [2](#two)\n\n## Two\n"
    context = {"context": {"includeDeclaration": True}}
    [link] = await at(editor, "references", AGENTS, "One", text, **context)
    assert link["range"]["start"] == {"line": 4, "character": 4}
    assert await at(editor, "references", AGENTS, "[1]", text, **context) == []


async def test_rename_outside_a_skill_and_to_the_same_name(editor):
    assert await at(editor, "rename", AGENTS, "use make", newName="build") is None
    edit = await at(editor, "rename", SKILL, "deploy\ndesc", newName="deploy")
    assert "rename" not in str(edit.get("documentChanges", "")).replace("prepareRename", "")


async def test_links_follow_a_file_to_another_folder(editor):
    async def after(new):
        files = [{"oldUri": editor.uri("docs/guide.md"), "newUri": editor.uri(new)}]
        return await editor.request("workspace/willRenameFiles", {"files": files})

    [change] = (await after("manual/start.md"))["documentChanges"]
    assert change["textDocument"]["uri"] == editor.uri(AGENTS)
    assert change["edits"][0]["newText"] == "manual/start.md"
    files = [{"oldUri": editor.uri("src/a.py"), "newUri": editor.uri("src/b.py")}]
    assert await editor.request("workspace/willRenameFiles", {"files": files}) is None


async def test_reversed_and_out_of_range_changes_are_applied(editor):
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


async def test_action_of_another_server_is_refused(editor):
    data = {"uri": editor.uri(AGENTS), "move": ["user", "first"]}
    with pytest.raises(JsonRpcException, match="not from Agent Memory"):
        await editor.request("codeAction/resolve", {"title": "x", "data": data})


async def test_move_actions_only_in_memory(editor):
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
    """Wait until the editor has shown a message that contains ``part``."""
    await editor.until(lambda: any(part in item.message for item in editor.client.messages), part)


async def test_refused_edit_is_reported(editor):
    editor.takes = False
    await remember(editor, text="Deploy on Mondays only", scope="project")
    await told(editor, "The editor did not apply the edit of AGENTS.md")
    editor.takes = True


async def test_duplicate_can_be_shown(editor):
    editor.choose = "Show"
    plan = await remember(editor, text="use make", scope="project")
    assert plan["outcome"] == "duplicate"
    shown = editor.client.shown_documents
    await editor.until(lambda: shown, "the place")
    assert (shown[-1].uri, shown[-1].selection.start.line) == (editor.uri(AGENTS), 4)
    editor.choose = None


async def test_refused_plan_is_reported(editor):
    uri = editor.open(AGENTS, "# A\n\n<!-- open\n- a\n")
    plan = await remember(editor, text="Deploy on Mondays only", scope="project")
    editor.close(uri)
    assert plan["outcome"] == "refused"
    await told(editor, plan["message"])


async def test_text_with_origin_with_and_without_range(editor):
    at = {"uri": editor.uri("docs/guide.md")}
    heading = {"start": {"line": 0, "character": 0}, "end": {"line": 1, "character": 0}}
    asked = {"text": "The guide is for users", "scope": "project"}
    for origin in (at, {**at, "range": heading}):
        plan = await editor.request("agentMemory/remember", {**asked, "origin": origin})
        assert plan["outcome"] == "ready"
        assert "The guide is for users" in plan["item"]
    with pytest.raises(JsonRpcException, match="'text' is missing"):
        await editor.request("agentMemory/remember", {"scope": "project", "origin": at})


async def test_other_document_scheme_is_refused(editor):
    with pytest.raises(JsonRpcException, match="the scheme must be"):
        await editor.request("workspace/textDocumentContent", {"uri": "file:///prompt.md"})


async def test_settings_of_another_type_are_ignored(editor):
    before = await editor.request("agentMemory/prompt")
    editor.notify("workspace/didChangeConfiguration", {"settings": {"agentMemory": 5}})
    assert (await editor.request("agentMemory/prompt"))["hash"] == before["hash"]


async def test_list_items_of_another_type_are_refused(editor):
    with pytest.raises(JsonRpcException, match="every item of 'tags' must be text"):
        await editor.request("agentMemory/recall", {"query": "x", "tags": [1]})
