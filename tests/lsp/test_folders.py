"""Several folders, no folder, symlinked folders, and unusual files."""

import os
import subprocess
import tempfile
from pathlib import Path

import pytest
import pytest_asyncio
from pygls.exceptions import JsonRpcException

from kit import write
from lsp_kit import connect, disconnect, plain

pytestmark = [pytest.mark.slow, pytest.mark.asyncio(loop_scope="module")]
HIDDEN = "# A\n\n- hidden\u200b\n"
PROJECT = {".git/HEAD": "x", ".deepagents/agent.md": HIDDEN}


@pytest.fixture
def tmp_path():
    """Return a folder that every user can access; pytest's own are private."""
    with tempfile.TemporaryDirectory() as name:
        path = Path(name).resolve()
        path.chmod(0o755)
        yield path


@pytest_asyncio.fixture(loop_scope="module")
async def start(tmp_path):
    editors = []

    async def start(kind, root, **more):
        home = write(tmp_path / "home", {".deepagents/agent/agent.md": "# Me\n"})
        editor = await connect(kind, root, home, **more)
        editors.append(editor)
        return editor

    yield start
    for editor in editors:
        assert await disconnect(editor) == 0


async def reported(editor):
    """Return the codes of all reported files by URI."""
    report = await editor.request("workspace/diagnostic", {"previousResultIds": []})
    return {item["uri"]: [found["code"] for found in item["items"]] for item in report["items"]}


async def test_each_folder_is_a_project(tmp_path, start):
    roots = [write(tmp_path / name, PROJECT) for name in ("one", "two")]
    editor = await start("vscode", roots[0], folders=roots)
    found = await reported(editor)
    for root in roots:
        assert "AM107" in found[(root / ".deepagents/agent.md").as_uri()]
    uri = (roots[1] / "src/x.py").as_uri()
    prompt = await editor.request("agentMemory/prompt", {"uri": uri})
    paths = [item["path"] for item in prompt["sources"] if item["status"] == "loaded"]
    assert str(roots[1] / ".deepagents/agent.md") in paths
    assert str(roots[0] / ".deepagents/agent.md") not in paths


async def test_folder_added_and_removed_while_running(tmp_path, start):
    roots = [write(tmp_path / name, PROJECT) for name in ("one", "two")]
    editor = await start("vscode", roots[0])
    late = (roots[1] / ".deepagents/agent.md").as_uri()
    folder = {"uri": roots[1].as_uri(), "name": "two"}
    assert late not in await reported(editor)
    change = {"event": {"added": [folder], "removed": []}}
    editor.notify("workspace/didChangeWorkspaceFolders", change)
    assert "AM107" in (await reported(editor))[late]
    change = {"event": {"added": [], "removed": [folder]}}
    editor.notify("workspace/didChangeWorkspaceFolders", change)
    assert late not in await reported(editor)


async def test_nested_project_is_separate(tmp_path, start):
    root = write(tmp_path / "outer", {".git/HEAD": "x"})
    write(root / "inner", PROJECT)
    editor = await start("vscode", root)
    uri = editor.open("inner/.deepagents/agent.md")
    assert "AM107" in [item["code"] for item in await editor.pull(uri)]
    prompt = await editor.request("agentMemory/prompt", {"uri": uri})
    assert "hidden" in prompt["text"]


@pytest.mark.parametrize("kind", ["vscode", "emacs"])
async def test_without_a_folder_user_memory_and_open_files_are_served(tmp_path, start, kind):
    root = write(tmp_path / "ws", PROJECT)
    editor = await start(kind, root, folders=[])
    uri = editor.open(".deepagents/agent.md")
    if kind == "vscode":
        assert "AM107" in [item["code"] for item in await editor.pull(uri)]
        assert (editor.home / ".deepagents/agent/agent.md").as_uri() in await reported(editor)
    else:
        await editor.until(lambda: editor.client.diagnostics.get(uri), "diagnostics")
        assert "AM107" in [item.code for item in editor.client.diagnostics[uri]]
    prompt = await editor.request("agentMemory/prompt", {"uri": uri})
    assert "hidden" in prompt["text"]
    assert "# Me" in (await editor.request("agentMemory/prompt"))["text"]


async def test_symlinked_folder_keeps_the_editors_uri(tmp_path, start):
    write(tmp_path / "real", PROJECT)
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "real")
    editor = await start("vscode", link)
    uri = (link / ".deepagents/agent.md").as_uri()
    assert "AM107" in (await reported(editor))[uri]
    opened = editor.open(".deepagents/agent.md", "# Clean\n")
    assert opened == uri
    assert "AM107" not in (await reported(editor))[uri]
    prompt = await editor.request("agentMemory/prompt")
    assert "# Clean" in prompt["text"]
    listed = (await editor.request("agentMemory/sources"))["sources"]
    for named in (prompt["segments"], prompt["sources"], listed):
        assert uri in [item["uri"] for item in named]


async def test_unchanged_report_is_not_repeated(tmp_path, start):
    editor = await start("vscode", write(tmp_path / "ws", PROJECT))
    report = await editor.request("workspace/diagnostic", {"previousResultIds": []})
    ids = [{"uri": item["uri"], "value": item["resultId"]} for item in report["items"]]
    again = await editor.request("workspace/diagnostic", {"previousResultIds": ids})
    assert {item["kind"] for item in again["items"]} == {"unchanged"}
    uri = editor.uri(".deepagents/agent.md")
    [known] = [item["value"] for item in ids if item["uri"] == uri]
    one = {"textDocument": {"uri": uri}, "previousResultId": known}
    assert (await editor.request("textDocument/diagnostic", one))["kind"] == "unchanged"


async def test_findings_of_a_deleted_file_are_removed(tmp_path, start):
    editor = await start("neovim", write(tmp_path / "ws", PROJECT))
    uri = editor.uri(".deepagents/agent.md")
    await editor.until(lambda: editor.client.diagnostics.get(uri), "diagnostics")
    (editor.root / ".deepagents/agent.md").unlink()
    await editor.until(lambda: not editor.client.diagnostics[uri], "empty diagnostics")
    assert plain(editor.client.diagnostics[uri]) == []


ODD = {
    "fifo": os.mkfifo,
    "folder": lambda path: path.mkdir(),
    "binary": lambda path: path.write_bytes(b"\x00\xff\xfe" * 100),
    "latin-1": lambda path: path.write_bytes("caf\xe9".encode("latin-1")),
    "loop": lambda path: path.symlink_to(path),
    "five megabytes": lambda path: path.write_text(
        "```\n" + ("of what an agent keeps " * 45 + "\n") * 5000 + "```\n"
    ),
    "forbidden": lambda path: (path.write_text("# A\n"), path.chmod(0)),
}


@pytest.mark.parametrize("odd", ODD)
async def test_unreadable_memory_gets_a_finding(tmp_path, start, odd):
    root = write(tmp_path / "ws", {".git/HEAD": "x", ".deepagents/notes.md": "# N\n"})
    ODD[odd](root / ".deepagents/agent.md")
    editor = await start("vscode", root, folders=[root], nobody=odd == "forbidden")
    found = await reported(editor)
    assert found[editor.uri(".deepagents/agent.md")]
    prompt = await editor.request("agentMemory/prompt")
    assert prompt["text"]


async def test_only_workspace_and_memory_folders_are_opened(tmp_path, start):
    root = write(tmp_path / "ws", PROJECT)
    outside = tmp_path / "home" / "private.md"
    outside.parent.mkdir()
    outside.write_text("private\n")
    os.utime(outside, (1, 1))
    editor = await start("vscode", root)
    await reported(editor)
    await editor.request("agentMemory/prompt")
    assert outside.stat().st_atime == 1


def commit(root):
    who = ["-c", "user.name=Tester", "-c", "user.email=tester@example.invalid"]
    for args in (["init", "-q"], ["add", "-A"], [*who, "commit", "-qm", "x"]):
        subprocess.run(["git", *args], cwd=root, check=True)


async def test_prompt_of_the_last_commit_in_a_trusted_workspace(tmp_path, start):
    root = write(tmp_path / "ws", {".deepagents/agent.md": "- Use tabs\n"})
    commit(root)
    editor = await start("vscode", root, options={"trusted": True})
    editor.open(".deepagents/agent.md", "- Use spaces\n")
    then = await editor.request("agentMemory/prompt", {"committed": True})
    assert "- Use tabs" in then["text"]
    assert "- Use spaces" not in then["text"]
    (source,) = [item for item in then["sources"] if item["scope"] == "project"][:1]
    assert (source["path"], source["bytes"]) == (str(root / ".deepagents/agent.md"), 11)
    write(root, {".deepagents/agent.md": "- On disk\n"})
    saved = await editor.request("agentMemory/prompt", {"saved": True})
    assert "- On disk" in saved["text"]


async def test_committed_prompt_without_commit_or_trust_is_an_error(tmp_path, start):
    root = write(tmp_path / "ws", {".deepagents/agent.md": "- a\n"})
    for trusted, why in ((True, "not a git repository"), (False, "only in a trusted workspace")):
        editor = await start("vscode", root, options={"trusted": trusted})
        with pytest.raises(JsonRpcException, match=why):
            await editor.request("agentMemory/prompt", {"committed": True})
