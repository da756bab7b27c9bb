"""What must never happen: other homes, other folders, lost writes, files of others."""

from __future__ import annotations

import asyncio
import contextlib
import inspect
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from agent_memory import UsageError
from kit import cli, write
from lsp_kit import connect, disconnect
from requirements.face import RefusedError
from requirements.scenario import ALL, READERS, asks

USER = ".deepagents/{agent}/agent.md"
PROJECT = ".deepagents/agent.md"


@asks("X6 A25", *ALL)
async def only_the_given_home_is_read(face):
    face.project("deepagentsdk", home={USER: "- of the given home\n"}, agent="homed")
    trap = write(face.ctx.home.parent / "trap", {USER.replace("{agent}", "homed"): "- trap\n"})
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOME", str(trap))
        answer = await face.prompt()
    assert ("- of the given home" in answer.text, "trap" in answer.text) == (True, False)
    assert face.ctx.home / ".deepagents/homed/agent.md" in answer.sources


def odd(method):
    """Return a method of paths for a disk with a folder /.git and a folder that may not be read."""

    def asked(self, **more):
        if str(self) == "/.git":
            return True
        if self.parts[-2:] == ("closed", ".git"):
            raise PermissionError(13, "closed")
        return method(self, **more)

    return asked


PATCHED = f"""
from pathlib import Path
{inspect.getsource(odd)}
for name in ("is_dir", "exists"):
    setattr(Path, name, odd(getattr(Path, name)))
from agent_memory.cli import main
raise SystemExit(main(["serve"]))
"""


@contextlib.asynccontextmanager
async def odd_disk(face):
    """Let the interface see the odd disk; the server is another one."""
    if face.name == "server":
        usual, command = face.editor, [sys.executable, "-c", PATCHED]
        face.editor = await connect("vscode", usual.root, usual.home, command=command)
        yield
        await disconnect(face.editor)
        face.editor = usual
        return
    with pytest.MonkeyPatch.context() as patch:
        for name in ("is_dir", "exists"):
            patch.setattr(Path, name, odd(getattr(Path, name)))
        yield


@asks("A9 A10 A44", *ALL)
async def the_root_is_no_project_and_a_closed_folder_is_passed(face):
    async with odd_disk(face):
        for runtime, shown in (
            ("deepagentsdk", "None (not in a git project)"),
            ("deepagents-cli", "`/` (no agent.md found)"),  # it counts the root
        ):
            face.project(runtime, git=False)
            assert shown in (await face.prompt()).text
        root = face.project("deepagentsdk", {PROJECT: "- theirs\n"}, cwd="closed/inner")
        text = (await face.prompt()).text
        assert ("- theirs" in text, f"`{root}` (detected)" in text) == (True, True)


@asks("X12", *ALL)
async def an_agent_id_that_leaves_the_folder_is_refused(face):
    for agent in ("../x", "a/b", ".."):
        face.project("deepagentsdk")
        write(face.ctx.home, {"x/agent.md": "- outside\n"})
        if face.name == "command line":
            ran = cli(face.ctx, "prompt", "--agent", agent)
            said, text = ran.err, ran.out
        elif face.name == "server":
            with pytest.raises(RefusedError) as refused:
                await face.ask("prompt", agent=agent)
            said, text = str(refused.value), ""
        elif face.name == "API":
            memory = type(face.memory)(face.ctx.cwd, home=face.ctx.home, agent=agent)
            with pytest.raises(UsageError) as refused:
                memory.prompt()
            said, text = str(refused.value), ""
        else:
            with pytest.raises(RefusedError) as refused:
                await face.call("prompt", {"agent": agent})
            said, text = str(refused.value), ""
        assert "is not an agent id" in said
        assert text == ""


@asks("C20", "command line", "server", why="a program has no unsaved text")
async def unsaved_text_comes_before_the_file(face):
    root = face.project("deepagentsdk", {PROJECT: "- saved\n"})
    if face.name == "server":
        uri = face.editor.open(root / PROJECT, "- unsaved\n")
        text = (await face.prompt()).text
        saved = (await face.ask("prompt", saved=True))["text"]
        face.editor.close(uri)
    else:
        text = cli(face.ctx, "prompt", "--stdin-filename", PROJECT, stdin=b"- unsaved\n").out
        saved = cli(face.ctx, "prompt").out
    assert ("- unsaved" in text, "- saved" in text) == (True, False)
    assert "- saved" in saved
    assert (await face.prompt()).text == saved


@asks("C22", *READERS)
async def only_memory_files_are_opened(face):
    private = {"private.md": "mine\n", "src/main.py": "x = 1\n", ".deepagents/db.sqlite": "x"}
    root = face.project("deepagentsdk", {PROJECT: "- saved\n", **private})
    for name in private:
        os.utime(root / name, (1, 2))
    await face.prompt()
    await face.codes(root / PROJECT)
    assert [(root / name).stat().st_atime for name in private] == [1] * len(private)


PROGRAM = """
import sys
from agent_memory import Memory
memory = Memory(sys.argv[1], home=sys.argv[2])
sys.stdin.readline()
for number in range(6):
    assert memory.remember(f"Rule {sys.argv[3]} number {number}").outcome == "ready"
"""


@asks("D8 X9", "command line", "API", "MCP", why="an editor applies the edits of the server")
async def several_writers_lose_nothing(face):
    root = face.project("deepagentsdk", {PROJECT: "# Rules\n"})
    names = [f"Rule {who} number {number}" for who in "ab" for number in range(6)]
    if face.name == "MCP":
        async with face.client() as client:
            calls = [client.call_tool("remember", {"text": name}) for name in names]
            assert not any(result.is_error for result in await asyncio.gather(*calls))
    elif face.name == "API":
        threads = [threading.Thread(target=face.memory.remember, args=(name,)) for name in names]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    else:
        two_processes(root, face.ctx.home)
    text = (root / PROJECT).read_text()
    assert sorted(text.splitlines()) == sorted(["# Rules", "", *(f"- {name}" for name in names)])


def two_processes(root, home):
    """Run two programs that save at the same time."""
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    started = [
        subprocess.Popen([sys.executable, "-c", PROGRAM, str(root), str(home), who],
                         env=env, stdin=subprocess.PIPE)
        for who in "ab"
    ]  # fmt: skip
    for process in started:
        process.stdin.write(b"\n")
        process.stdin.flush()
    assert [process.wait() for process in started] == [0, 0]
    for process in started:
        process.stdin.close()


@asks("A27", "command line", why="only a command renames files")
async def memory_files_move_between_the_generations_and_back(face):
    root = face.project("deepagentsdk", {PROJECT: "- theirs\n"}, home={USER: "- mine\n"})
    for name in ("AGENTS.md", "agent.md"):
        assert cli(face.ctx, "migrate", "--to", name).code == 0
        assert (root / ".deepagents" / name).read_text() == "- theirs\n"
        assert len(list((root / ".deepagents").iterdir())) == 1
    assert cli(face.ctx, "migrate", "--to", "agent.md").out == "nothing to migrate\n"


@asks("A30", "API", why="the row is about names to import")
async def the_public_names_can_be_imported(face):
    import agent_memory  # noqa: PLC0415 -- the test is about the module

    face.project("deepagentsdk")
    assert "Memory" in agent_memory.__all__
    assert all(getattr(agent_memory, name) is not None for name in agent_memory.__all__)
