"""``agentMemory/explain``, and ``agentMemory/sources`` with every known file."""

import pytest
import pytest_asyncio
from pygls.exceptions import JsonRpcException

from kit import write
from lsp_kit import connect, disconnect

pytestmark = pytest.mark.asyncio(loop_scope="module")

HOME = {".deepagents/agent/agent.md": "mine\n", ".deepagents/writer/agent.md": "of the writer\n"}


@pytest_asyncio.fixture(loop_scope="module", scope="module", params=["vscode", "neovim"])
async def editor(request, tmp_path_factory):
    base = tmp_path_factory.mktemp("explain")
    files = {
        ".git/HEAD": "x",
        ".deepagents/agent-memory.toml": 'runtimes = ["claude-code", "codex"]\n',
        "AGENTS.md": "first\n",
        "CLAUDE.local.md": "mine\n",
        ".cursor/rules/a.mdc": "cursor\n",
        "sub/AGENTS.md": "second\n",
    }
    root = write(base / "ws", files)
    editor = await connect(request.param, root, write(base / "home", HOME))
    yield editor
    assert await disconnect(editor) == 0


async def test_each_agent_answers(editor):
    uri = (editor.root / "AGENTS.md").as_uri()
    answer = await editor.request("agentMemory/explain", {"uri": uri, "line": 0})
    found = {item["runtime"]: item for item in answer["runtimes"]}
    assert [item["outcome"] for item in found.values()] == ["shadowed", "loaded"]
    assert found["claude-code"]["by"]["uri"] == (editor.root / "CLAUDE.local.md").as_uri()
    assert found["claude-code"]["action"]["message"]
    assert found["codex"]["bytes"]
    assert (answer["shown"], answer["line"]) == ("AGENTS.md", 0)


async def test_the_working_folder_decides(editor):
    params = {"uri": (editor.root / "sub/AGENTS.md").as_uri(), "runtime": "codex"}
    (one,) = (await editor.request("agentMemory/explain", params))["runtimes"]
    assert one["outcome"] == "not-read"
    params["cwd"] = (editor.root / "sub").as_uri()
    (one,) = (await editor.request("agentMemory/explain", params))["runtimes"]
    assert one["outcome"] == "loaded"


async def test_user_memory_is_explained_for_its_agent_as_in_the_preview(editor):
    uri = (editor.home / ".deepagents/writer/agent.md").as_uri()
    params = {"uri": uri, "runtime": "deepagentsdk"}
    prompt = await editor.request("agentMemory/prompt", params)
    for agent, outcome in ((None, "loaded"), ("auto", "loaded"), ("agent", "not-read")):
        value = params if agent is None else {**params, "agent": agent}
        (one,) = (await editor.request("agentMemory/explain", value))["runtimes"]
        assert one["outcome"] == outcome
        for start, end in one["bytes"]:
            assert prompt["text"].encode()[start:end].strip() == b"of the writer"


async def test_the_command_answers_the_same(editor):
    params = {"uri": (editor.root / "AGENTS.md").as_uri()}
    command = {"command": "agentMemory.server.explain", "arguments": [params]}
    answer = await editor.request("workspace/executeCommand", command)
    assert answer == await editor.request("agentMemory/explain", params)


@pytest.mark.parametrize(
    ("params", "why"),
    [({}, "'uri' is missing"), ({"uri": "file:///x/AGENTS.md", "line": -1}, "at least 0")],
)
async def test_bad_parameters_are_explained(editor, params, why):
    with pytest.raises(JsonRpcException, match=why):
        await editor.request("agentMemory/explain", params)


async def test_sources_list_every_known_file(editor):
    answer = await editor.request("agentMemory/sources", {"all": True})
    found = {item["shown"]: item for item in answer["files"]}
    assert found[".cursor/rules/a.mdc"]["madeFor"] == "Cursor"
    assert found[".cursor/rules/a.mdc"]["action"]["message"]
    assert found["AGENTS.md"]["readBy"] == ["codex"]
    assert answer["complete"]
    assert "files" not in await editor.request("agentMemory/sources", {})


async def test_the_listed_runtimes_are_marked(editor):
    for method in ("agentMemory/sources", "agentMemory/prompt"):
        answer = await editor.request(method, {})
        listed = [item["id"] for item in answer["runtimes"] if item["listed"]]
        assert listed == ["claude-code", "codex"]
        assert answer["runtimesNote"] == ""


async def test_the_hover_of_the_first_line_has_all_agents(editor):
    uri = (editor.root / "AGENTS.md").as_uri()
    place = {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 0}}
    text = (await editor.request("textDocument/hover", place))["contents"]["value"]
    assert "- Claude Code: shadowed; " in text
    assert "- Codex: loaded; " in text


async def test_findings_name_the_agents_they_hold_for(editor):
    found = {item["code"]: item for item in await editor.pull((editor.root / "AGENTS.md").as_uri())}
    assert found["AM132"]["message"].endswith("This holds for Claude Code, not for Codex")
    assert "AM111" not in found


async def test_the_prompt_of_an_agent_that_starts_in_a_folder(editor):
    folder = {"cwd": (editor.root / "sub").as_uri()}
    inner = await editor.request("agentMemory/prompt", {"runtime": "codex", **folder})
    outer = await editor.request("agentMemory/prompt", {"runtime": "codex"})
    assert "second" in inner["text"]
    assert "first" in outer["text"]
    assert "second" not in outer["text"]
