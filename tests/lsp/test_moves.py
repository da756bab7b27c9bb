"""Moves are one edit each, so one undo reverts them."""

import pytest
import pytest_asyncio

from kit import write
from lsp_kit import connect, disconnect

pytestmark = pytest.mark.asyncio(loop_scope="module")
MEMORY = "# Project\n\n## Build\n\n- use make\n- I like short answers\n\n## Rest\n\n- x\n"
MEMORY += "\n### Notes\n\n- first\n\n## Last\n\n### Notes\n\n- second\n"


@pytest_asyncio.fixture(loop_scope="module", scope="module", params=["vscode", "neovim", "emacs"])
async def editor(request, tmp_path_factory):
    base = tmp_path_factory.mktemp(request.param)
    root = write(base / "ws", {".git/HEAD": "ref: x\n", ".deepagents/agent.md": MEMORY})
    home = write(base / "home", {".deepagents/agent/agent.md": "# Me\n"})
    editor = await connect(request.param, root, home)
    yield editor
    assert await disconnect(editor) == 0


async def offered(editor, line, kind="refactor.move"):
    uri = editor.uri(".deepagents/agent.md")
    place = {"line": line, "character": 2}
    actions = await editor.request(
        "textDocument/codeAction",
        {
            "textDocument": {"uri": uri},
            "range": {"start": place, "end": place},
            "context": {"diagnostics": [], "only": [kind]},
        },
    )
    out = {}
    for action in actions:
        whole = action if "edit" in action else await editor.request("codeAction/resolve", action)
        edit = whole["edit"]
        changes = edit.get("changes") or {
            item["textDocument"]["uri"]: item["edits"]
            for item in edit["documentChanges"]
            if "textDocument" in item
        }
        out[action["title"]] = changes
    return out


async def test_item_moves_to_user_memory(editor):
    changes = (await offered(editor, 5))["Move to User Memory"]
    [gone] = changes[editor.uri(".deepagents/agent.md")]
    assert gone["newText"] == ""
    assert (gone["range"]["start"]["line"], gone["range"]["end"]["line"]) == (5, 6)
    [(target, [added])] = [item for item in changes.items() if "/home/" in item[0]]
    assert target.endswith("/.deepagents/agent/agent.md")
    assert added["newText"].strip() == "- I like short answers"


async def test_item_moves_to_another_section_by_edits_of_one_file(editor):
    actions = await offered(editor, 5, "refactor.move.section")
    sections = ["Rest", "Notes", "Last", "Notes"]
    assert [f"Move to the section '{title}'" for title in dict.fromkeys(sections)] == list(actions)
    uri = editor.uri(".deepagents/agent.md")
    [(changed, edits)] = actions["Move to the section 'Rest'"].items()
    assert changed == uri
    added, gone = sorted(edits, key=lambda item: item["newText"], reverse=True)
    assert added["newText"] == "- I like short answers\n"
    assert added["range"]["start"] == added["range"]["end"] == {"line": 10, "character": 0}
    assert (gone["range"]["start"]["line"], gone["range"]["end"]["line"]) == (5, 6)


async def test_section_moves_to_a_linked_note(editor):
    changes = (await offered(editor, 2))["Move this section to its own note"]
    [link] = changes[editor.uri(".deepagents/agent.md")]
    assert "See [Build](build.md)." in link["newText"]
    [note] = changes[editor.uri(".deepagents/build.md")]
    assert note["newText"] == "# Build\n\n- use make\n- I like short answers\n"


async def test_section_on_the_line_moves_if_titles_are_equal(editor):
    changes = (await offered(editor, 17))["Move this section to its own note"]
    [link] = changes[editor.uri(".deepagents/agent.md")]
    assert link["range"]["start"]["line"] == 18
    [note] = changes[editor.uri(".deepagents/notes.md")]
    assert note["newText"] == "# Notes\n\n- second\n"


async def test_no_move_on_other_lines(editor):
    assert await offered(editor, 1) == {}


@pytest.mark.parametrize(("trigger", "count"), [(2, 0), (1, 1)])
async def test_the_editors_own_request_gets_no_refactorings(editor, trigger, count):
    start, end = {"line": 5, "character": 2}, {"line": 5, "character": 9}
    for last, more in ((start, 0), (end, 2)):
        actions = await editor.request(
            "textDocument/codeAction",
            {
                "textDocument": {"uri": editor.uri(".deepagents/agent.md")},
                "range": {"start": start, "end": last},
                "context": {"diagnostics": [], "triggerKind": trigger},
            },
        )
        moves = [item for item in actions if item.get("kind", "").startswith("refactor")]
        assert len(moves) == count * (1 + more)
