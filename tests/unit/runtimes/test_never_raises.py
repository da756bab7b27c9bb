"""Composing never raises for any settings and any files on disk."""

from __future__ import annotations

import os

import pytest

from agent_memory import runtimes
from agent_memory.base.model import Role, Status
from agent_memory.prompt.compose import compose
from agent_memory.prompt.explain import explain
from agent_memory.runtimes.selection import choose
from agent_memory.runtimes.several import listed
from kit import project, unprivileged, with_settings, write

ODD = ["\0", "~nobody-has-this-name/x", "../../..", "/", "a" * 5000, "\udcff", ".", "{", "a\nb"]
NAMES = (
    ".deepagents/agent.md",
    ".deepagents/AGENTS.md",
    "AGENTS.md",
    "agent.md",
    ".claude-mpm/memories/agent_agent.md",
    ".claude-mpm/config.yml",
    ".deepagents/skills/s/SKILL.md",
    "memory/global/01HZX3KQ7M8N9P0R1S2T3V4W5X.md",
)


@pytest.mark.parametrize("runtime", runtimes.BY_ID)
@pytest.mark.parametrize("odd", ODD)
def test_an_odd_setting_still_gives_a_prompt(runtime, odd, tmp_path):
    ctx = project(tmp_path, {"AGENTS.md": "x", ".deepagents/agent.md": "x"}, {})
    for settings in (
        {"interpreter": odd},
        {"project_root": odd},
        {"sources": [odd, "AGENTS.md"]},
        {"skill_folders": [odd]},
        {"memory_template": odd},
        {"drover_entries": odd, "drover_filenames": [odd]},
    ):
        prompt = compose(with_settings(ctx, **settings), runtime)
        assert prompt.text == "".join(item.text for item in prompt.segments)
    assert compose(ctx.with_(env={"VIRTUAL_ENV": odd}), runtime).choice.runtime.id == runtime


@pytest.mark.parametrize("runtime", runtimes.BY_ID)
def test_nothing_is_said_about_what_a_runtime_does_with_a_hidden_file(runtime, tmp_path):
    ctx = project(tmp_path, dict.fromkeys((*NAMES, "CLAUDE.md", "GEMINI.md"), "x"), {})
    ctx.store.hide(lambda path: path.suffix == ".md" and path.is_relative_to(ctx.cwd))
    hidden = [
        source
        for source in compose(ctx, runtime).sources
        if source.status is Status.UNREADABLE and source.role in (Role.MEMORY, Role.INSTRUCTIONS)
    ]
    for source in hidden:
        assert source.reason.endswith("until you trust the workspace")
        assert source.effect == ""


@pytest.mark.parametrize("odd", ODD)
def test_an_odd_folder_of_entries_still_gives_a_runtime(odd, tmp_path):
    ctx = with_settings(project(tmp_path, {"AGENTS.md": "x"}, {}), drover_entries=odd)
    assert choose(ctx)[1].runtime.id == "deepagents-code"
    assert listed(ctx).runtimes


@pytest.mark.parametrize("runtime", runtimes.BY_ID)
@pytest.mark.parametrize(
    "odd", [*ODD, "a\0b.md", "a%00b.md", "~/\0", "a" * 300 + ".md", "\ud800.md"]
)
def test_an_odd_import_still_gives_a_prompt(runtime, odd, tmp_path):
    text = f"see @{odd} and @./{odd} and @docs/{odd}.\n".encode("utf-8", "surrogatepass")
    names = ("AGENTS.md", "CLAUDE.md", "GEMINI.md", "QWEN.md", ".github/copilot-instructions.md")
    ctx = project(tmp_path, {**dict.fromkeys(names, text), "docs/x": ""}, {})
    prompt = compose(ctx, runtime)
    assert prompt.text == "".join(item.text for item in prompt.segments)
    assert explain(ctx, ctx.cwd / "AGENTS.md", 0, runtime).answers


@pytest.mark.parametrize("runtime", runtimes.BY_ID)
@pytest.mark.parametrize("raw", [b"", b"\xff", b"a\r\xc3\n\xff @\xff.md", b"\0"])
def test_each_line_of_an_odd_file_is_explained(runtime, raw, tmp_path):
    ctx = project(tmp_path, dict.fromkeys(("AGENTS.md", "CLAUDE.md", "GEMINI.md"), raw), {})
    for path in ctx.cwd.glob("*.md"):
        for line in range(raw.count(b"\n") + 1):
            assert explain(ctx, path, line, runtime).answers


def folder(path):
    path.mkdir(parents=True)


def loop(path):
    path.symlink_to(path.name)


def dangling(path):
    path.symlink_to("nowhere")


@pytest.mark.parametrize("runtime", runtimes.BY_ID)
@pytest.mark.parametrize("make", [folder, loop, dangling, os.mkfifo])
def test_anything_may_be_in_place_of_a_file(runtime, make, tmp_path):
    ctx = project(tmp_path, {}, {".deepagents/agent/x": ""})
    write(ctx.cwd, {f"{name}.keep": "" for name in NAMES})
    for path in [ctx.cwd / name for name in NAMES]:
        make(path)
    for name in ("agent.md", "AGENTS.md"):
        make(ctx.home / ".deepagents/agent" / name)
    prompt = compose(ctx, runtime, "BASE")
    assert "BASE" in prompt.text
    assert all(item.reason for item in prompt.sources if item.status == "unreadable")


@pytest.mark.parametrize("runtime", runtimes.BY_ID)
def test_a_file_in_place_of_a_folder_still_gives_a_prompt(runtime, tmp_path):
    ctx = project(tmp_path, {}, {})
    for name in (".deepagents", ".claude-mpm", ".agents", "memory"):
        (ctx.cwd / name).write_text("a file")
    (ctx.home / ".deepagents").write_text("a file")
    assert "BASE" in compose(ctx, runtime, "BASE").text


@pytest.mark.parametrize("runtime", runtimes.BY_ID)
def test_a_folder_that_is_listed_but_not_searched_still_gives_a_prompt(runtime, tmp_path):
    names = (
        *NAMES,
        ".claude/rules/a.md",
        ".clinerules/a.md",
        ".deepagents/x.md",
        ".github/instructions/a.instructions.md",
        ".qwen/rules/a.md",
        "memory/agents/qa/01HZX3KQ7M8N9P0R1S2T3V4W5X.md",
    )
    files = {"AGENTS.md": "x", **dict.fromkeys(names, "x")}
    compose(project(tmp_path / "open", files, {}), runtime)  # imports what nobody else may read
    ctx = project(tmp_path / "closed", files, {})
    # The inner folders first: the path of a folder in a closed one cannot be changed.
    folders = sorted({(ctx.cwd / name).parent for name in names} - {ctx.cwd}, reverse=True)
    for folder in folders:
        folder.chmod(0o444)
    try:
        with unprivileged(tmp_path):
            assert "BASE" in compose(ctx, runtime, "BASE").text
    finally:
        for folder in reversed(folders):
            folder.chmod(0o755)
