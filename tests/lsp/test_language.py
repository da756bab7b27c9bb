"""Completion, hover, symbols, links, rename, lenses in the units of three editors."""

import pytest
import pytest_asyncio
from pygls.exceptions import JsonRpcException

from kit import write
from lsp_kit import PRESETS, connect, disconnect

pytestmark = pytest.mark.asyncio(loop_scope="module")

SKILL = "---\nname: deploy\ndescription: How to deploy\n---\n\n# Deploy\n\nSee `review`.\n"
REVIEW = "---\nname: review\ndescription: How to review\n---\n\n# Review\n"
MEMORY = """# \U0001f600 Project

<!-- agent-memory: disable-next-line AM107 on purpose -->
- hidden\u200b here

## Build steps

Run `deploy`, see \U0001f600 [the guide](docs/guide.md#set-up) and [above](#build-steps).

### Deep

```
code
```

## Last
"""
FILES = {
    ".git/HEAD": "x",
    "AGENTS.md": MEMORY,
    ".deepagents/AGENTS.md": "# Project folder\n\n## Conventions\n\n- tabs\n",
    "docs/guide.md": "# Guide\n\n## Set up\n\ntext\n",
    ".deepagents/skills/deploy/SKILL.md": SKILL,
    ".deepagents/skills/review/SKILL.md": REVIEW,
}


@pytest_asyncio.fixture(loop_scope="module", scope="module", params=["vscode", "neovim", "emacs"])
async def editor(request, tmp_path_factory):
    base = tmp_path_factory.mktemp(request.param)
    home = write(base / "home", {".deepagents/agent/AGENTS.md": "# Me\n"})
    editor = await connect(request.param, write(base / "ws", FILES), home)
    editor.kind = request.param
    yield editor
    assert await disconnect(editor) == 0


def place(editor, text, mark):
    """Return the position before ``mark`` of ``text``, in the editor's units."""
    head = text[: text.index(mark)]
    line = head.rpartition("\n")[2]
    width = {
        "vscode": len(line.encode("utf-16-le")) // 2,
        "neovim": len(line.encode()),
        "emacs": len(line),
    }[editor.kind]
    return {"line": head.count("\n"), "character": width}


async def at(editor, method, name, mark, text=None, **more):
    """Request ``method`` for the position before ``mark`` in a file."""
    text = FILES[name] if text is None else text
    uri = editor.open(name, text)
    where = {"textDocument": {"uri": uri}, "position": place(editor, text, mark), **more}
    answer = await editor.request(f"textDocument/{method}", where)
    editor.close(uri)
    return answer


async def labels(editor, name, before):
    """Return the completion after ``before``, the text of a file up to the cursor."""
    text = before + "\u0394\n"
    return [item["label"] for item in await at(editor, "completion", name, "\u0394", text)]


AGENTS = "AGENTS.md"
SKILL_FILE = ".deepagents/skills/deploy/SKILL.md"


async def test_missing_front_matter_keys_are_completed(editor):
    found = await labels(editor, SKILL_FILE, "---\nname: deploy\n")
    assert found == ["description", "license", "compatibility", "allowed-tools", "metadata"]


async def test_skill_name_is_completed_from_its_folder(editor):
    assert await labels(editor, SKILL_FILE, "---\nname: ") == ["deploy"]


async def test_suppression_actions_and_codes_are_completed(editor):
    found = await labels(editor, AGENTS, "<!-- agent-memory: dis")
    assert found == ["disable-next-line", "disable-file", "disable", "enable"]
    found = await labels(editor, AGENTS, "<!-- agent-memory: disable-next-line AM1")
    assert {"AM107", "hidden-unicode"} <= set(found)


async def test_paths_are_completed_in_links_and_imports(editor):
    assert await labels(editor, AGENTS, "[x](docs/gu") == ["guide.md"]
    assert "docs/" in await labels(editor, AGENTS, "see @")


async def test_skill_names_are_completed_in_code_spans(editor):
    assert set(await labels(editor, AGENTS, "run `de")) == {"deploy", "review"}


async def test_thematic_break_at_the_top_is_not_front_matter(editor):
    assert set(await labels(editor, AGENTS, "---\n\n- run `de")) == {"deploy", "review"}


async def test_sections_of_other_files_are_completed(editor):
    assert "Conventions" in await labels(editor, AGENTS, "# A\n\n## ")


async def test_claude_mpm_sections_and_learning_types_are_completed(editor):
    name = ".claude-mpm/memories/qa_agent.md"
    text = "# Qa\n\n## Project Architecture (Max: 15 items)\n\n## "
    found = await labels(editor, name, text)
    assert "Implementation Guidelines" in found
    assert "Project Architecture" not in found
    assert "mistake" in await labels(editor, name, "# Add To Memory:\nType: ")


async def test_claude_mpm_sections_of_other_files_have_no_limit(editor):
    other = ".claude-mpm/memories/ops_agent.md"
    write(editor.root, {other: "# Ops\n\n## Recent Learnings (Max: 9 items)\n\n- a\n"})
    found = await labels(editor, ".claude-mpm/memories/qa_agent.md", "# Qa\n\n## ")
    assert found.count("Recent Learnings") == 1
    assert not [label for label in found if "(Max" in label]


async def test_completion_replaces_only_the_typed_text(editor):
    text = "\U0001f600 [x](docs/gu\u0394\n"
    [item] = await at(editor, "completion", AGENTS, "\u0394", text)
    assert item["textEdit"]["range"]["start"] == place(editor, text, "gu\u0394")


async def test_hover_explains_a_suppressed_rule(editor):
    answer = await at(editor, "hover", AGENTS, "M107 on purpose")
    assert "AM107 hidden-unicode" in answer["contents"]["value"]
    assert "docs/rules/AM107.md" in answer["contents"]["value"]


async def test_hover_shows_size_and_load_order(editor):
    answer = await at(editor, "hover", AGENTS, "Build steps")
    value = answer["contents"]["value"]
    assert "This section:" in value
    assert "loaded 3rd of 3" in value


async def test_hover_explains_unseen_lines(editor):
    text = "# A\n\n<!-- only for people -->\n"
    answer = await at(editor, "hover", AGENTS, "only", text)
    assert "does not see this line" in answer["contents"]["value"]
    assert await at(editor, "hover", AGENTS, "Run `deploy`") is None


async def test_hover_explains_an_unread_file(editor):
    write(editor.root, {"agent.md": "# Other generation\n"})
    answer = await at(editor, "hover", "agent.md", "Other", "# Other generation\n")
    assert "does not see this file" in answer["contents"]["value"]
    (editor.root / "agent.md").unlink()


async def test_headings_are_symbols(editor):
    uri = editor.open(AGENTS)
    found = await editor.request("textDocument/documentSymbol", {"textDocument": {"uri": uri}})
    if editor.kind == "vscode":
        [top] = found
        assert [item["name"] for item in top["children"]] == ["Build steps", "Last"]
        assert [item["name"] for item in top["children"][0]["children"]] == ["Deep"]
    else:
        assert [item["name"] for item in found][1:] == ["Build steps", "Deep", "Last"]
    editor.close(uri)


async def test_workspace_symbols_are_headings_and_skills(editor):
    found = await editor.request("workspace/symbol", {"query": "conven"})
    assert [item["name"] for item in found] == ["Conventions"]
    found = await editor.request("workspace/symbol", {"query": "deploy"})
    assert {item["kind"] for item in found} == {12, 15}


async def test_sections_and_fences_fold(editor):
    uri = editor.open(AGENTS)
    found = await editor.request("textDocument/foldingRange", {"textDocument": {"uri": uri}})
    lines = [(item["startLine"], item["endLine"]) for item in found]
    assert lines == [(0, 15), (5, 13), (9, 13), (11, 13)]
    editor.close(uri)


async def test_document_links_to_existing_files(editor):
    uri = editor.open(AGENTS)
    [link] = await editor.request("textDocument/documentLink", {"textDocument": {"uri": uri}})
    assert link["target"] == editor.uri("docs/guide.md") + "#set-up"
    assert link["range"]["start"] == place(editor, MEMORY, "docs/guide.md")
    editor.close(uri)


async def test_definitions_of_links_headings_and_skills(editor):
    there = await at(editor, "definition", AGENTS, "guide.md#")
    assert (there["uri"], there["range"]["start"]["line"]) == (editor.uri("docs/guide.md"), 2)
    there = await at(editor, "definition", AGENTS, "build-steps)")
    assert (there["uri"], there["range"]["start"]["line"]) == (editor.uri(AGENTS), 5)
    there = await at(editor, "definition", AGENTS, "deploy`")
    assert there["uri"] == editor.uri(SKILL_FILE)
    assert await at(editor, "definition", AGENTS, "Deep") is None


async def test_references_of_headings_and_skills(editor):
    context = {"context": {"includeDeclaration": True}}
    [link] = await at(editor, "references", AGENTS, "Build steps", **context)
    assert link["range"]["start"] == place(editor, MEMORY, "#build-steps")
    found = await at(editor, "references", SKILL_FILE, "deploy\ndesc", **context)
    assert {item["uri"] for item in found} == {editor.uri(AGENTS), editor.uri(SKILL_FILE)}


async def test_rename_of_a_skill_includes_folder_and_mentions(editor):
    ready = await at(editor, "prepareRename", SKILL_FILE, "deploy\ndesc")
    assert ready["placeholder"] == "deploy"
    if editor.kind == "emacs":  # it takes no renames in an edit
        with pytest.raises(JsonRpcException, match="cannot rename folders"):
            await at(editor, "rename", SKILL_FILE, "deploy\ndesc", newName="ship")
        return
    edit = await at(editor, "rename", SKILL_FILE, "deploy\ndesc", newName="ship")
    *texts, folder = edit["documentChanges"]
    assert folder["kind"] == "rename"
    assert folder["oldUri"] == editor.uri(".deepagents/skills/deploy")
    assert folder["newUri"] == editor.uri(".deepagents/skills/ship")
    changed = {item["textDocument"]["uri"]: item["edits"] for item in texts}
    assert changed.keys() == {editor.uri(AGENTS), editor.uri(SKILL_FILE)}
    assert all(one["newText"] == "ship" for edits in changed.values() for one in edits)


@pytest.mark.parametrize("name", ["Ship It", "review", "../up", ""])
async def test_invalid_skill_name_is_refused(editor, name):
    with pytest.raises(JsonRpcException, match="skill"):
        await at(editor, "rename", SKILL_FILE, "deploy\ndesc", newName=name)


async def test_only_skills_can_be_renamed(editor):
    assert await at(editor, "prepareRename", AGENTS, "Deep") is None


async def test_names_and_links_follow_moved_files(editor):
    if editor.kind != "vscode":
        assert editor.result.capabilities.workspace.file_operations is None
        return
    moves = {
        ".deepagents/skills/deploy": ".deepagents/skills/ship",
        "docs/guide.md": "docs/manual.md",
    }
    files = [{"oldUri": editor.uri(old), "newUri": editor.uri(new)} for old, new in moves.items()]
    edit = await editor.request("workspace/willRenameFiles", {"files": files})
    changed = {
        item["textDocument"]["uri"]: [one["newText"] for one in item["edits"]]
        for item in edit["documentChanges"]
    }
    assert changed[editor.uri(SKILL_FILE)] == ["ship"]
    assert changed[editor.uri(AGENTS)] == ["docs/manual.md"]


async def test_code_lens_shows_size_and_load_order(editor):
    uri = editor.open(AGENTS)
    [lens] = await editor.request("textDocument/codeLens", {"textDocument": {"uri": uri}})
    assert lens["command"]["title"].endswith("tokens, loaded 3rd of 3")
    editor.close(uri)


async def test_inlay_hints_are_off_by_default(editor):
    uri = editor.open(AGENTS)
    whole = {"start": {"line": 0, "character": 0}, "end": {"line": 15, "character": 0}}
    params = {"textDocument": {"uri": uri}, "range": whole}
    assert await editor.request("textDocument/inlayHint", params) == []
    editor.client.set_configuration({"agentMemory": {"inlayHints": True}})
    editor.notify("workspace/didChangeConfiguration", {"settings": None})
    hints = []
    for _ in range(100):
        hints = hints or await editor.request("textDocument/inlayHint", params)
    assert [item["position"]["line"] for item in hints] == [0, 5, 9, 15]
    editor.close(uri)


async def test_other_files_get_empty_answers(editor):
    uri = editor.open("docs/guide.md")
    for method in ("documentSymbol", "foldingRange", "documentLink", "codeLens"):
        assert await editor.request(f"textDocument/{method}", {"textDocument": {"uri": uri}}) == []
    editor.close(uri)


async def test_prompt_document_has_the_text_of_the_prompt(editor):
    if editor.kind != "vscode":
        assert "textDocumentContent" not in str(editor.result)
        return
    uri = "agent-memory-prompt:/prompt.md?runtime=deepagentsdk"
    text = (await editor.request("workspace/textDocumentContent", {"uri": uri}))["text"]
    prompt = await editor.request("agentMemory/prompt", {"runtime": "deepagentsdk"})
    assert text == prompt["text"]


async def test_editor_with_markdown_support_gets_no_markdown_features(tmp_path):
    root = write(tmp_path / "ws", FILES)
    home = write(tmp_path / "home", {".keep": ""})
    editor = await connect("vscode", root, home, options={"markdownSupport": True})
    offered = editor.result.capabilities
    assert offered.document_symbol_provider is None
    assert offered.folding_range_provider is None
    assert offered.document_link_provider is None
    assert offered.hover_provider
    assert await disconnect(editor) == 0
    assert PRESETS["vscode"]
