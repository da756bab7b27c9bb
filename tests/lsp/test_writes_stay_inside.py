"""The server offers no edit of what a link of the project leads to, nor shows it untrusted."""

from __future__ import annotations

import os

import pytest
import pytest_asyncio

from agent_memory.entries.entry_file import Entry, render
from kit import write
from lsp_kit import connect, disconnect

pytestmark = [
    pytest.mark.asyncio(loop_scope="module"),
    pytest.mark.skipif(os.name == "nt", reason="symlinks need rights on Windows"),
]
MEMORY = ".deepagents/agent.md"
ULID = "01" + "A" * 24
OUTSIDE = "# Outside\n\n- tabs\u200b and the text of another file\n"


@pytest_asyncio.fixture(loop_scope="module", scope="module", params=["vscode", "neovim"])
async def editor(request, tmp_path_factory):
    base = tmp_path_factory.mktemp(request.param)
    write(base / "out", {"file.md": OUTSIDE})
    root = write(base / "ws", {".git/HEAD": "ref: x\n", ".deepagents/AGENTS.md": "# A\n"})
    (root / MEMORY).symlink_to("../../out/file.md")
    home = write(base / "home", {".keep": ""})
    editor = await connect(request.param, root, home, settings={"runtime": "deepagentsdk"})
    yield editor
    assert await disconnect(editor) == 0


async def test_remember_is_refused_with_the_reason(editor):
    argument = {"text": "use make", "scope": "project", "uri": editor.uri("a.py")}
    plan = await editor.request("agentMemory/remember", argument)
    assert plan["outcome"] == "refused"
    assert "outside of the project" in plan["message"]
    assert "edit" not in plan


async def test_no_code_action_changes_the_file(editor):
    uri = editor.uri(MEMORY)
    place = {"start": {"line": 0, "character": 0}, "end": {"line": 3, "character": 0}}
    for only in (["quickfix"], ["source.fixAll"], ["refactor.move"]):
        context = {"diagnostics": [], "only": only}
        params = {"textDocument": {"uri": uri}, "range": place, "context": context}
        for action in await editor.request("textDocument/codeAction", params) or []:
            assert "edit" not in action, action
            if "command" in action:
                continue  # it plans again
            with pytest.raises(Exception, match="outside of the project"):
                await editor.request("codeAction/resolve", action)


async def test_an_untrusted_workspace_shows_nothing_outside(tmp_path):
    out = write(
        tmp_path / "out",
        {
            "file.md": "the text of another file\n",
            f"memory/global/{ULID}.md": render(Entry(ULID, "global", "user", "private", "b", 1)),
            "s/SKILL.md": "",
        },
    )
    root = write(tmp_path / "ws", {".git/HEAD": "ref: x\n", ".deepagents/x.md": "# A\n"})
    (root / MEMORY).symlink_to(out / "file.md")
    (root / ".deepagents/skills").symlink_to(out)
    (root / ".memory").symlink_to(out / "memory")
    home = write(tmp_path / "home", {".deepagents/agent/agent.md": "# Mine\n"})
    for trusted in (False, True):
        options, settings = {"trusted": trusted}, {"runtime": "deepagentsdk"}
        editor = await connect("vscode", root, home, options=options, settings=settings)
        prompt = await editor.request("agentMemory/prompt", {"uri": editor.uri("a.py")})
        assert ("another file" in prompt["text"]) is trusted
        assert "# Mine" in prompt["text"]
        listed = {item["path"]: item for item in prompt["sources"]}
        shown = listed[str(root / MEMORY)]
        assert ("until you trust the workspace" in shown["reason"]) is not trusted
        assert any("skills" in path for path in listed) is trusted
        found = await editor.request("agentMemory/recall", {"uri": editor.uri("a.py")})
        assert ("private" in str(found)) is trusted
        assert await disconnect(editor) == 0
