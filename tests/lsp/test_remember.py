"""``agentMemory/remember`` and its command: plans, edits, questions."""

import pytest
import pytest_asyncio
from pygls.exceptions import JsonRpcException

from kit import write
from lsp_kit import connect, disconnect, plain

pytestmark = pytest.mark.asyncio(loop_scope="module")
MEMORY = "# Project\n\n## Build\n\n- use make\n"
CODE = "\U0001f600 = 1\nBUILD = 'build with ninja'\n"


@pytest_asyncio.fixture(loop_scope="module", scope="module", params=["vscode", "neovim", "emacs"])
async def editor(request, tmp_path_factory):
    base = tmp_path_factory.mktemp(request.param)
    root = write(
        base / "ws",
        {".git/HEAD": "ref: x\n", ".deepagents/agent.md": MEMORY, "src/setup.py": CODE},
    )
    home = write(base / "home", {".deepagents/agent/agent.md": "# Me\n"})
    editor = await connect(request.param, root, home)
    yield editor
    assert await disconnect(editor) == 0


def edits_of(edit, uri):
    """Return the text edits for a file, in either form of a workspace edit."""
    if "changes" in edit:
        return edit["changes"][uri]
    [texts] = [
        item["edits"]
        for item in edit["documentChanges"]
        if item.get("textDocument", {}).get("uri") == uri
    ]
    return texts


async def test_plan_has_target_and_edit(editor):
    asked = {"text": "Deploy on Fridays only", "scope": "project", "section": "Build"}
    plan = await editor.request("agentMemory/remember", asked)
    uri = editor.uri(".deepagents/agent.md")
    assert (plan["outcome"], plan["target"]["uri"]) == ("ready", uri)
    assert plan["target"]["section"] == "Build"
    [edit] = edits_of(plan["edit"], uri)
    assert "Deploy on Fridays only" in edit["newText"]
    assert (editor.root / ".deepagents/agent.md").read_text() == MEMORY


async def test_duplicate_has_its_line(editor):
    plan = await editor.request("agentMemory/remember", {"text": "use make", "scope": "project"})
    assert (plan["outcome"], plan["target"]["line"]) == ("duplicate", 4)
    assert "line 5" in plan["message"]
    assert "edit" not in plan


async def test_secret_is_refused_without_its_value(editor):
    secret = "ghp_" + "a1B2c3D4e5" * 3 + "f6G7h8"
    plan = await editor.request(
        "agentMemory/remember", {"text": f"token {secret}", "scope": "user"}
    )
    assert plan["outcome"] == "secret"
    assert plan["secrets"]
    assert secret not in str(plan)


async def actions(editor, uri, where, only=None):
    context = {"diagnostics": []} | ({"only": only} if only else {})
    params = {"textDocument": {"uri": uri}, "range": where, "context": context}
    return await editor.request("textDocument/codeAction", params)


WHERE = {"start": {"line": 1, "character": 0}, "end": {"line": 1, "character": 26}}


async def test_code_action_remembers_a_selection_in_any_file(editor):
    uri = editor.open("src/setup.py", language="python")
    offered = await actions(editor, uri, WHERE, ["refactor.move"])
    assert [item["title"] for item in offered] == [
        "Remember in Project Memory",
        "Remember in User Memory",
    ]
    command = offered[0]["command"]
    before = len(editor.applied)
    await editor.request(
        "workspace/executeCommand",
        {"command": command["command"], "arguments": command["arguments"]},
    )
    await editor.until(lambda: len(editor.applied) > before, "an edit")
    [edit] = edits_of(editor.applied[-1], editor.uri(".deepagents/agent.md"))
    assert "build with ninja" in edit["newText"]
    assert "src/setup.py:2" in edit["newText"]
    editor.close(uri)


async def test_command_action_resolves_to_itself(editor):
    uri = editor.open("src/setup.py", language="python")
    [action, _] = await actions(editor, uri, WHERE, ["refactor.move"])
    assert await editor.request("codeAction/resolve", action) == action
    editor.close(uri)


async def test_no_remember_action_for_an_empty_selection(editor):
    uri = editor.open("src/setup.py", language="python")
    empty = {"start": WHERE["start"], "end": WHERE["start"]}
    assert await actions(editor, uri, empty) == []
    editor.close(uri)


async def test_command_confirms_duplicates(editor):
    editor.choose = None
    asked, applied = len(editor.asked), len(editor.applied)
    argument = {"text": "use make", "scope": "project"}
    execute = {"command": "agentMemory.server.remember", "arguments": [argument]}
    await editor.request("workspace/executeCommand", execute)
    await editor.until(lambda: len(editor.asked) > asked, "a question")
    assert len(editor.applied) == applied
    editor.choose = "Save anyway"
    await editor.request("workspace/executeCommand", execute)
    await editor.until(lambda: len(editor.applied) > applied, "an edit")


async def test_command_confirms_a_new_folder(tmp_path, editor):
    root = write(tmp_path / "bare", {".git/HEAD": "x"})
    argument = {"text": "use make", "scope": "project", "uri": (root / "a.py").as_uri()}
    editor.choose = "Create the folder"
    applied = len(editor.applied)
    execute = {"command": "agentMemory.server.remember", "arguments": [argument]}
    plan = await editor.request("workspace/executeCommand", execute)
    assert plan["outcome"] == "consent"
    await editor.until(lambda: len(editor.applied) > applied, "an edit")
    uri = (root / ".deepagents" / "agent.md").as_uri()
    [edit] = edits_of(editor.applied[-1], uri)
    assert "use make" in edit["newText"]


async def test_missing_parameters_are_named(editor):
    with pytest.raises(JsonRpcException, match="'scope' must be one of user, project"):
        await editor.request("agentMemory/remember", {"text": "x"})
    with pytest.raises(JsonRpcException, match="'text' is missing"):
        await editor.request("agentMemory/remember", {"scope": "user"})
    assert plain(editor.result.capabilities.execute_command_provider)["commands"]


async def test_listed_target_accepts_the_item(tmp_path, editor):
    skill = "---\nname: release\ndescription: How to release\n---\n\n# Steps\n"
    at = ".deepagents/skills/release/SKILL.md"
    files = {".git/HEAD": "x", ".deepagents/AGENTS.md": "# A\n", at: skill}
    root = write(tmp_path / "named", files)
    place = {"uri": root.as_uri()}
    listed = (await editor.request("agentMemory/targets", place))["targets"]
    [named] = [item for item in listed if item["uri"] == (root / at).as_uri()]
    assert (named["role"], named["name"], named["exists"]) == ("skill", "release", True)
    command = {"command": "agentMemory.server.targets", "arguments": [place]}
    assert (await editor.request("workspace/executeCommand", command))["targets"] == listed
    asked = {"text": "Tag the commit first", "file": named["uri"], **place}
    plan = await editor.request("agentMemory/remember", asked)
    assert plan["target"]["uri"] == named["uri"]
    [edit] = edits_of(plan["edit"], named["uri"])
    assert edit["newText"].strip() == "- Tag the commit first"
    other = {**asked, "file": (root / "README.md").as_uri()}
    refused = await editor.request("agentMemory/remember", other)
    assert refused["outcome"] == "refused"
    assert "Available memory files" in refused["message"]
    with pytest.raises(JsonRpcException, match="in place of 'scope'"):
        await editor.request("agentMemory/remember", {**asked, "scope": "user"})


async def test_a_snippet_becomes_a_learned_entry(tmp_path, editor):
    root = write(tmp_path / "learned", {".git/HEAD": "x", ".memory/global/.keep": ""})
    asked = {"text": "Never on Fridays", "scope": "agent", "agent": "w", "uri": root.as_uri()}
    plan = await editor.request(
        "agentMemory/remember", {**asked, "kind": "feedback", "summary": "deploys", "tags": ["ops"]}
    )
    uri = plan["target"]["uri"]
    assert uri.startswith((root / ".memory/agents/w").as_uri())
    [edit] = edits_of(plan["edit"], uri)
    assert "kind: feedback\nsummary: deploys\n" in edit["newText"]
    assert edit["newText"].endswith("\n---\n\nNever on Fridays\n")
    with pytest.raises(JsonRpcException, match="requires runId"):
        await editor.request("agentMemory/remember", {**asked, "scope": "run"})


async def test_command_confirms_evictions(tmp_path, editor):
    items = "".join(f"- fact {number}\n" for number in range(15))
    name = ".claude-mpm/memories/qa_agent.md"
    root = write(
        tmp_path / "full", {".git/HEAD": "x", name: f"# Qa\n\n## Recent Learnings\n{items}"}
    )
    asked = {"text": "A new fact", "file": (root / name).as_uri(), "uri": root.as_uri()}
    plan = await editor.request("agentMemory/remember", asked)
    assert plan["evicts"] == ["- fact 0"]
    assert "'- fact 0', moves to the archive" in plan["message"]
    questions, applied = len(editor.asked), len(editor.applied)
    execute = {"command": "agentMemory.server.remember", "arguments": [asked]}
    editor.choose = None
    await editor.request("workspace/executeCommand", execute)
    await editor.until(lambda: len(editor.asked) > questions, "a question")
    assert len(editor.applied) == applied
    editor.choose = "Save"
    await editor.request("workspace/executeCommand", execute)
    await editor.until(lambda: len(editor.applied) > applied, "an edit")


COMMENTED = (
    '"""Never retry writes to the ledger."""\n\n\ndef pay():\n'
    "    # Round to cents,\n    # then pay.\n    return 1\n"
)


@pytest.mark.parametrize(
    ("start", "end", "item"),
    [
        ((0, 3), (0, 35), "- Never retry writes to the ledger\n"),
        ((4, 6), (5, 15), "- Round to cents, then pay\n"),
        ((4, 6), (6, 12), "```"),
    ],
)
async def test_words_of_a_comment_or_docstring_are_prose(editor, start, end, item):
    uri = editor.open("src/pay.py", COMMENTED, "python")
    where = {
        name: {"line": line, "character": at}
        for name, (line, at) in zip(("start", "end"), (start, end), strict=True)
    }
    asked = {"scope": "project", "origin": {"uri": uri, "range": where, "languageId": "python"}}
    plan = await editor.request("agentMemory/remember", asked)
    [edit] = edits_of(plan["edit"], editor.uri(".deepagents/agent.md"))
    assert item in edit["newText"]
    editor.close(uri)
