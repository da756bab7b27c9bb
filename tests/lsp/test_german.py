"""With locale ``de`` all texts of the server are German."""

import pytest
import pytest_asyncio

from kit import write
from lsp_kit import connect, disconnect

pytestmark = pytest.mark.asyncio(loop_scope="module")

MEMORY = "# Tides\n\n- hidden\u200b here\n- Heights in metres\n- Heights in metres\n"
SKILL = "---\nname: deploy\n---\n\n# Deploy\n"
FILES = {
    ".git/HEAD": "x",
    "AGENTS.md": MEMORY,
    ".deepagents/skills/deploy/SKILL.md": SKILL,
    ".deepagents/agent-memory.toml": "budgett = 1\n",
}


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def editor(tmp_path_factory):
    base = tmp_path_factory.mktemp("german")
    home = write(base / "home", {".deepagents/agent/AGENTS.md": "# Me\n"})
    root = write(base / "ws", FILES)
    editor = await connect("vscode", root, home, settings={"inlayHints": True}, locale="de-AT")
    yield editor
    assert await disconnect(editor) == 0


def place(line, character=0):
    return {"line": line, "character": character}


async def test_findings_and_their_fixes(editor):
    uri = editor.open("AGENTS.md")
    found = {item["code"]: item for item in await editor.pull(uri)}
    assert found["AM107"]["message"].startswith("1 unsichtbares Zeichen (U+200B)")
    assert found["AM403"]["relatedInformation"][0]["message"] == "Erstes Vorkommen"
    asked = {
        "textDocument": {"uri": uri},
        "range": found["AM107"]["range"],
        "context": {"diagnostics": [found["AM107"]]},
    }
    actions = await editor.request("textDocument/codeAction", asked)
    titles = [action["title"] for action in actions]
    assert titles[0] == "Verborgene Zeichen entfernen"
    assert "AM107 in dieser Zeile ignorieren" in titles
    assert "Im Benutzergedächtnis merken" in titles
    # The edit of an action does not depend on the language.
    done = await editor.request("codeAction/resolve", actions[0])
    (change,) = done["edit"]["documentChanges"]
    assert [edit["newText"] for edit in change["edits"]] == [""]
    silence = actions[titles.index("AM107 in dieser Zeile ignorieren")]
    done = await editor.request("codeAction/resolve", silence)
    (change,) = done["edit"]["documentChanges"]
    assert "agent-memory: disable-next-line AM107" in change["edits"][0]["newText"]
    editor.close(uri)


async def test_a_skill_that_does_not_load(editor):
    uri = editor.open(".deepagents/skills/deploy/SKILL.md")
    (found,) = [item for item in await editor.pull(uri) if item["code"] == "AM703"]
    assert "`description` fehlt oder ist leer" in found["message"]
    editor.close(uri)


async def test_lens_hints_and_hover(editor):
    uri = editor.open("AGENTS.md")
    document = {"textDocument": {"uri": uri}}
    (lens,) = await editor.request("textDocument/codeLens", document)
    assert lens["command"]["title"].endswith("Token, als 2. von 2 geladen")
    whole = {"start": place(0), "end": place(9)}
    (hint,) = await editor.request("textDocument/inlayHint", {**document, "range": whole})
    assert hint["label"].endswith(" Token")
    hover = await editor.request("textDocument/hover", {**document, "position": place(0)})
    assert "Dieser Abschnitt: " in hover["contents"]["value"]
    assert "Gelesen von deepagents-code" in hover["contents"]["value"]
    hover = await editor.request("textDocument/hover", {**document, "position": place(2, 8)})
    assert (
        "(Fehler): Text, den nur der Agent sieht. [Was das bedeutet]"
        in (hover["contents"]["value"])
    )
    editor.close(uri)


async def test_completion_of_front_matter(editor):
    uri = editor.open(".deepagents/skills/deploy/SKILL.md", "---\nname: deploy\n\n---\n")
    asked = {"textDocument": {"uri": uri}, "position": place(2)}
    items = await editor.request("textDocument/completion", asked)
    (about,) = [item["documentation"] for item in items if item["label"] == "license"]
    assert about == "die Lizenz des Skills"
    editor.close(uri)


async def test_sources_and_plans(editor):
    sources = await editor.request("agentMemory/sources", {})
    assert sources["agentReason"] == "der einzige Agent"
    assert sources["runtimeReason"] == "AGENTS.md ist vorhanden"
    assert "eine Gedächtnisdatei je Agent in .claude-mpm/memories" in [
        item["summary"] for item in sources["runtimes"]
    ]
    missing = [item["reason"] for item in sources["sources"] if item["status"] == "missing"]
    assert set(missing) == {"die Datei gibt es nicht"}
    asked = {"text": "Heights in metres", "scope": "project", "uri": editor.uri("AGENTS.md")}
    plan = await editor.request("agentMemory/remember", asked)
    assert plan["outcome"] == "duplicate"
    assert plan["message"] == "Steht schon im Projektgedächtnis (AGENTS.md, Zeile 4)"


async def test_messages_shown_by_the_server(editor):
    def said():
        return [item.message for item in editor.client.messages]

    await editor.until(said, "a message about the setting")
    assert any("unbekannte Einstellung" in item for item in said()), said()
