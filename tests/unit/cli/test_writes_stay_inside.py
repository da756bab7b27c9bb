"""No command follows a link of the project to a file, folder or lock outside of it."""

from __future__ import annotations

import os

import pytest

from agent_memory.base.errors import UsageError
from agent_memory.cli import main
from agent_memory.entries.entry_file import Entry, render
from agent_memory.fs.lock import LOCK_NAME
from agent_memory.remember.entry_planner import entries_of
from kit import Ran, cli, project, write

pytestmark = pytest.mark.skipif(os.name == "nt", reason="symlinks need rights on Windows")
MEMORY = ".deepagents/agent.md"
TEXT = "# Memory\n\n## Build\n\n- tabs\u200b here\n- use make\n\n## Run\n\n- with care\n"
ULID = "01" + "A" * 24
REMEMBER = ("remember", "a fact about builds", "--runtime", "deepagentsdk")
LEARN = ("learn", "add", "qa", "pattern", "one writer per file")
ENTRY = ("remember", "a fact about builds", "--scope", "global")


@pytest.fixture
def ctx(tmp_path):
    entry = Entry(ULID, "global", "project", "a summary", "the body", 1)
    write(
        tmp_path / "out",
        {
            "agent.md": TEXT,
            "AGENTS.md": TEXT,
            "qa_agent.md": TEXT,
            f"global/{ULID}.md": render(entry),
        },
    )
    return project(tmp_path, {}, {})


def outside(ctx):
    root = ctx.cwd.parent / "out"
    return {path.relative_to(root).as_posix(): path.read_text() for path in root.rglob("*.md")}


def linked(ctx, name, target):
    path = ctx.cwd / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.symlink_to(os.path.relpath(ctx.cwd.parent / target, path.parent))


CASES = (
    (MEMORY, "out/agent.md", REMEMBER),
    (MEMORY, "out/new/dir/file", REMEMBER),
    (".deepagents", "out", REMEMBER),
    (".deepagents", "out", ("init", "--runtime", "deepagentsdk")),
    (".deepagents", "missing", (*REMEMBER, "--yes")),
    (MEMORY, "out/agent.md", ("check", "--fix")),
    (MEMORY, "out/agent.md", ("check", MEMORY, "--fix")),
    (MEMORY, "out/agent.md", ("split", MEMORY)),
    (".deepagents", "out", ("split", MEMORY)),
    (MEMORY, "out/agent.md", ("move", f"{MEMORY}:5", "--scope", "user")),
    (MEMORY, "out/agent.md", ("migrate", "--to", "AGENTS.md")),
    (".deepagents", "out", ("check", "--write-baseline")),
    (".claude-mpm/memories", "out", LEARN),
    (".claude-mpm", "out", LEARN),
    (".claude-mpm/memories/qa_agent.md", "out/qa_agent.md", LEARN),
    (".claude-mpm/memories/README.md", "out/new.md", LEARN),
    (".claude-mpm/memories/qa_agent.md", "out/qa_agent.md", ("learn", "clean")),
    (".memory", "out", ENTRY),
)


@pytest.mark.parametrize(("name", "target", "command"), CASES)
def test_nothing_outside_is_written_or_created(ctx, capsys, name, target, command):
    linked(ctx, name, target)
    before, user = outside(ctx), sorted(ctx.home.rglob("*"))
    done = cli(ctx, *command) if command[0] != "learn" else learn(ctx, capsys, *command)
    assert done.code != 0, done.out
    assert "leads to" in done.err, done.err
    assert outside(ctx) == before
    assert sorted(ctx.home.rglob("*")) == user
    assert not (ctx.cwd.parent / "missing").exists()


def learn(ctx, capsys, *command):
    """Run ``learn``, which has no --home."""
    code = main([*command, "--cwd", str(ctx.cwd)])
    said = capsys.readouterr()
    return Ran(code, said.out, said.err)


def test_an_archive_that_is_a_link_keeps_the_file_as_it_was(ctx):
    name = ".claude-mpm/memories/qa_agent.md"
    full = "# Q\n\n## Recent Learnings\n" + "".join(f"- fact {at}\n" for at in range(15))
    write(ctx.cwd, {name: full})
    linked(ctx, ".claude-mpm/memories/archive", "out")
    done = cli(ctx, "remember", "a new fact", "--runtime", "claude-mpm", "--agent", "qa", "--yes")
    assert (done.code, (ctx.cwd / name).read_text()) == (2, full)
    assert "leads to" in done.err


def test_forget_keeps_entries_outside(ctx):
    linked(ctx, ".memory", "out")
    before = outside(ctx)
    with pytest.raises(UsageError, match="leads to"):
        entries_of(ctx).forget(ULID)
    assert outside(ctx) == before


def test_a_lock_that_is_a_link_creates_nothing(ctx):
    write(ctx.cwd, {"AGENTS.md": "# A\n"})
    linked(ctx, LOCK_NAME, "out/victim")
    done = cli(ctx, "remember", "a b c", "--file", "AGENTS.md")
    assert done.code == 2
    assert "Remove the link" in done.err
    assert not (ctx.cwd.parent / "out" / "victim").exists()


def test_links_inside_and_of_the_user_are_written(ctx):
    write(ctx.cwd, {"CLAUDE.md": "# Both\n"})
    (ctx.cwd / "AGENTS.md").symlink_to("CLAUDE.md")
    assert cli(ctx, "remember", "use make", "--file", "AGENTS.md").code == 0
    assert (ctx.cwd / "CLAUDE.md").read_text() == "# Both\n\n- use make\n"
    dotfiles = write(ctx.home / "dotfiles", {"agent/agent.md": "# Me\n"})
    (ctx.home / ".deepagents").symlink_to(dotfiles)
    done = cli(ctx, "remember", "short answers", "--scope", "user", "--runtime", "deepagentsdk")
    assert done.code == 0, done.err
    assert (dotfiles / "agent/agent.md").read_text() == "# Me\n\n- short answers\n"


def test_only_the_user_can_allow_a_folder_outside(ctx):
    linked(ctx, MEMORY, "out/agent.md")
    allowed = f'writeFolders = ["{ctx.cwd.parent / "out"}"]\n'
    write(ctx.cwd, {"pyproject.toml": "[tool.agent-memory]\n" + allowed})
    done = cli(ctx, *REMEMBER)
    assert done.code == 1
    assert "only your own settings can allow folders outside of the project" in done.err
    (ctx.cwd / "pyproject.toml").unlink()
    write(ctx.home, {".deepagents/agent-memory.toml": allowed})
    assert cli(ctx, *REMEMBER).code == 0
    assert "a fact about builds" in outside(ctx)["agent.md"]


@pytest.mark.parametrize("key", ["projectRoot", "sources"])
def test_project_settings_do_not_move_the_boundary(ctx, key):
    value = "../out" if key == "projectRoot" else ["../out/agent.md"]
    write(ctx.cwd, {".deepagents/agent-memory.toml": f"{key} = {value!r}\n".replace("'", '"')})
    before = outside(ctx)
    done = cli(ctx, "remember", "a fact about builds", "--runtime", "deepagents", "--yes")
    fixed = cli(ctx, "check", "--fix", "--runtime", "deepagents")
    assert (done.code, fixed.code) != (0, 0)
    assert outside(ctx) == before


def test_a_file_that_the_user_names_is_written_outside_of_the_project(ctx):
    done = cli(ctx, "check", str(ctx.cwd.parent / "out/agent.md"), "--fix")
    assert "1 fix" in done.err
    assert "\u200b" not in outside(ctx)["agent.md"]


def test_a_file_that_leads_outside_is_not_listed_as_a_target(ctx):
    linked(ctx, MEMORY, "out/agent.md")
    linked(ctx, "AGENTS.md", "out/AGENTS.md")
    done = cli(ctx, "remember", "--file", "?", "--runtime", "deepagents-code")
    assert done.code == 0
    listed = {line.split("\t")[0] for line in done.out.splitlines()}
    assert listed.isdisjoint({str(ctx.cwd / MEMORY), str(ctx.cwd / "AGENTS.md")})
    assert str(ctx.cwd / ".deepagents/AGENTS.md") in listed
