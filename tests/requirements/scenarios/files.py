"""Memory files: where they are in the system prompt, and when they are read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.runtimes import RUNTIMES
from kit import cli, write
from requirements.scenario import ALL, READERS, asks

if TYPE_CHECKING:
    from requirements.face import Answer, Face

USER = ".deepagents/{agent}/agent.md"
RULES = {".deepagents/agent.md": "- theirs\n"}


async def around(face: Face, base: str) -> str:
    """Return the prompt around ``base``; the server, which gets none, shows the memory alone."""
    if face.name == "server":
        return (await face.prompt()).text
    if face.name == "API":
        return face.memory.prompt(base).text
    write(face.ctx.cwd, {"base.txt": base})
    return cli(face.ctx, "prompt", "--base", "base.txt").out


@asks("A23 X16", *READERS)
async def deepagentsdk_puts_memory_before_the_system_prompt(face):
    face.project("deepagentsdk", RULES)
    text = await around(face, "BASE")
    assert text.startswith("## Agent Memory\n\n<user_memory>\n")
    alone = (await face.prompt()).text
    assert text == (alone if face.name == "server" else f"{alone}\n\nBASE")


@asks("B7 X16", *READERS)
async def deepagents_cli_puts_memory_and_guide_around_the_system_prompt(face):
    face.project("deepagents-cli", RULES)
    text = await around(face, "BASE")
    assert text.startswith("<user_memory>\n")
    middle = "" if face.name == "server" else "\n\nBASE"
    assert f"</project_memory>{middle}\n\n\n\n## Long-term Memory" in text


@asks("C13 X16", *READERS)
async def deepagents_puts_memory_after_the_system_prompt(face):
    face.project("deepagents-code", {"AGENTS.md": "- theirs\n"})
    text = await around(face, "BASE")
    assert text.startswith(("" if face.name == "server" else "BASE\n\n") + "<agent_memory>\n")


@asks("A15 D2 X16 E44", *READERS)
async def drover_and_claude_mpm_put_memory_after_the_task(face):
    for runtime, files, memory in (
        ("drover", {"AGENTS.md": "- theirs\n"}, "## Project instructions\n"),
        ("claude-mpm", {".claude-mpm/memories/{agent}_agent.md": "- mine\n"}, "AGENT MEMORY - "),
    ):
        face.project(runtime, files)
        text = await around(face, "TASK")
        assert text.index(memory) > (-1 if face.name == "server" else text.index("TASK"))


FRESH = {
    "deepagents-cli": ".deepagents/agent.md",
    "deepagentsdk": ".deepagents/agent.md",
    "deepagents-code": "AGENTS.md",
    "drover": "AGENTS.md",
    "claude-mpm": ".claude-mpm/memories/{agent}_agent.md",
}


@asks("A24 A40 B4 B6 C5 D36 X5 X14", *ALL)
async def every_prompt_shows_the_files_as_they_are(face):
    for runtime, name in FRESH.items():
        root = face.project(runtime)
        path = root / name.replace("{agent}", face.agent)
        assert "- first" not in (await face.prompt()).text
        for text in ("- first one\n", "- first two\n"):  # of the same size
            write(path.parent, {path.name: text})
            assert text.strip() in (await face.prompt()).text, runtime
        path.unlink()
        assert "- first" not in (await face.prompt()).text


@asks("X4 A43 D28", "server", why="the others answer and end; they watch nothing")
async def files_are_watched_without_a_request(face):
    root = face.editor.root  # the first folder of the workspace
    before = len(face.editor.changes)
    write(root, {".deepagents/agent.md": "- saved by another program\n"})
    hashes = {change["hash"] for change in face.editor.changes[:before]}
    await face.editor.until(
        lambda: any(change["hash"] not in hashes for change in face.editor.changes[before:]),
        "a notification",
    )


@asks("B19 C4 X9", *READERS)
async def composing_changes_nothing_and_keeps_nothing(face):
    for runtime in RUNTIMES:
        root = face.project(runtime.id, {**RULES, "AGENTS.md": "- a\n"}, home={USER: "- mine\n"})
        before = states(root, face.ctx.home)
        first, second = await face.prompt(), await face.prompt()
        assert (first.text, first.sources) == (second.text, second.sources)
        assert states(root, face.ctx.home) == before


def states(*folders):
    """Return bytes and time of change of every file."""
    files = sorted(path for folder in folders for path in folder.rglob("*") if path.is_file())
    return [(path, path.stat().st_mtime_ns, path.read_bytes()) for path in files]


@asks("C6", *ALL)
async def each_file_of_the_list_is_one_source_and_one_block(face):
    files = {"one.md": "first\n", "two.md": "second\n"}
    root = face.project("deepagents", files, settings='sources = ["two.md", "one.md", "no.md"]')
    answer = await face.prompt()
    assert answer.sources == {
        root / "two.md": "loaded", root / "one.md": "loaded", root / "no.md": "missing",
    }  # fmt: skip
    block = answer.text.partition("<agent_memory>\n")[2].partition("\n\n</agent_memory>")[0]
    assert block == "two.md\n\nsecond\n\none.md\n\nfirst"


NAMES = {
    "agent.md": "- from agent.md\n",
    "AGENTS.md": "- from AGENTS.md\n",
    "CLAUDE.md": "- from CLAUDE.md\n",
    ".claude-mpm/memories/{agent}_agent.md": "- from the agents file\n",
}
READ_BY = {
    "deepagentsdk": {"agent.md"},
    "deepagents-code": {"AGENTS.md"},
    "drover": {"AGENTS.md", "CLAUDE.md"},
    "claude-mpm": {".claude-mpm/memories/{agent}_agent.md"},
    "claude-code": {"CLAUDE.md"},
    "codex": {"AGENTS.md"},
}


@asks("X41", *READERS)
async def each_runtime_reads_the_names_of_its_own(face):
    for runtime, names in READ_BY.items():
        root = face.project(runtime, NAMES)
        answer: Answer = await face.prompt()
        shown = {name for name, text in NAMES.items() if text.strip() in answer.text}
        assert shown == names, runtime
        loaded = {path for path, status in answer.sources.items() if status == "loaded"}
        assert loaded == {root / name.replace("{agent}", face.agent) for name in names}


@asks("D58", *ALL)
async def instruction_files_of_forty_folders_are_read(face):
    deep = "/".join(["d"] * 40)
    files = {"AGENTS.md": "too far up", "d/AGENTS.md": "fortieth", f"{deep}/AGENTS.md": "here"}
    face.project("drover", files, cwd=deep, settings='projectRoot = "."')
    text = (await face.prompt()).text
    assert ["here" in text, "fortieth" in text, "too far up" in text] == [True, True, False]
