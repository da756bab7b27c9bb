from __future__ import annotations

import tomllib

import pytest

from agent_memory.cli.check import fix
from agent_memory.fs import atomic_write
from agent_memory.lint import baseline
from kit import cli, project, write

HIDDEN = "- tabs\u200b, not spaces\r\n"
MEMORY = ".deepagents/agent.md"
TWICE = "- the same long item is said twice\r\n"


@pytest.fixture
def ctx(tmp_path):
    return project(tmp_path, {MEMORY: HIDDEN + TWICE + TWICE}, {})


def memory(ctx) -> str:
    return (ctx.cwd / MEMORY).read_bytes().decode()


def test_fix_applies_safe_fixes_and_reports_the_rest(ctx):
    done = cli(ctx, "check", "--fix")
    assert memory(ctx) == HIDDEN.replace("\u200b", "") + TWICE + TWICE
    assert f"{ctx.cwd / MEMORY}: 1 fix" in done.err
    assert "AM107" not in done.out
    assert "AM403" in done.out
    again = cli(ctx, "check", "--fix")
    assert again.err == ""


def test_unsafe_fixes_are_applied_with_the_option(ctx):
    done = cli(ctx, "check", "--fix", "--unsafe")
    assert memory(ctx) == HIDDEN.replace("\u200b", "") + TWICE
    assert "2 fixes" in done.err
    assert done.code == 0


def test_diff_shows_changes_and_writes_nothing(ctx):
    done = cli(ctx, "check", "--diff")
    assert done.code == 1
    lines = done.out.splitlines()
    assert lines[0] == f"--- {ctx.cwd / MEMORY}"
    assert "-- tabs<U+200B>, not spaces" in lines
    assert "+- tabs, not spaces" in lines
    assert memory(ctx) == HIDDEN + TWICE + TWICE
    cli(ctx, "check", "--fix")
    assert cli(ctx, "check", "--diff").out == ""


def test_file_changed_meanwhile_is_not_fixed(ctx, monkeypatch):
    write(ctx.cwd, {"agent.md": HIDDEN})
    real = atomic_write.update

    def late(path, change, roots):
        if path == ctx.cwd / MEMORY:
            path.write_text("- by another program\n")
        return real(path, change, roots)

    monkeypatch.setattr(atomic_write, "update", late)
    done = cli(ctx, "check", "--fix")
    assert done.code == 2
    assert "another program changed it; run this again" in done.err
    assert memory(ctx) == "- by another program\n"
    assert "\u200b" not in (ctx.cwd / "agent.md").read_text("utf-8"), "the other file is fixed"


def test_renamed_file_is_checked_under_its_new_name(tmp_path):
    ctx = project(tmp_path, {".deepagents/Agent.md": "- tabs\n"}, {})
    before = cli(ctx, "check")
    if "--unsafe: Rename" not in before.out:
        pytest.fail(before.out)
    done = cli(ctx, "check", "--fix", "--unsafe")
    assert "renamed to agent.md" in done.err
    assert [path.name for path in (ctx.cwd / ".deepagents").iterdir()] == ["agent.md"]


def test_baseline_keeps_entries_of_unchecked_files(ctx):
    write(ctx.cwd, {"pkg/AGENTS.md": HIDDEN})
    assert cli(ctx, "check", ".").code == 1
    done = cli(ctx, "check", ".", "--write-baseline")
    assert done.code == 0
    assert "3 findings accepted" in done.out
    assert cli(ctx, "check", ".").code == 0
    write(ctx.cwd, {MEMORY: "- ok\n"})
    cli(ctx, "check", MEMORY, "--write-baseline")
    values = tomllib.loads((ctx.cwd / baseline.FILE).read_text("utf-8"))
    assert list(values["accepted"]) == ["pkg/AGENTS.md"]


def test_one_finding_is_reported_in_the_singular(tmp_path):
    ctx = project(tmp_path, {MEMORY: HIDDEN}, {})
    done = cli(ctx, "check", MEMORY, "--write-baseline")
    assert "1 finding accepted" in done.out


def test_the_folder_of_the_baseline_is_created(tmp_path):
    ctx = project(tmp_path, {"AGENTS.md": HIDDEN, "packages/a/AGENTS.md": HIDDEN}, {})
    assert cli(ctx, "check", ".").code == 1
    assert cli(ctx, "check", ".", "--write-baseline").code == 0
    assert (ctx.cwd / baseline.FILE).exists()
    assert cli(ctx, "check", ".").code == 0


def test_findings_in_user_memory_are_not_in_the_baseline(tmp_path):
    ctx = project(tmp_path, {MEMORY: "- ok\n"}, {".deepagents/agent/agent.md": HIDDEN})
    done = cli(ctx, "check", "--write-baseline")
    assert "0 findings accepted" in done.out
    assert "1 finding outside the project not accepted" in done.out
    assert cli(ctx, "check").code == 1


def test_invalid_baseline_exits_with_2(ctx):
    write(ctx.cwd, {baseline.FILE: "version = 9\n"})
    done = cli(ctx, "check")
    assert done.code == 2
    assert "version: expected 1, got 9" in done.err


SKILL = "---\nname: build\ndescription: Builds it\n---\n\n# Build\n"
WRONG = ".deepagents/skills/build/skill.md"
RIGHT = ".deepagents/skills/build/SKILL.md"


def test_fix_renames_a_file_and_diff_shows_it(tmp_path):
    ctx = project(tmp_path, {WRONG: SKILL, ".deepagents/AGENTS.md": "- a\n"}, {})
    shown = cli(ctx, "check", "--diff", "--unsafe")
    assert f"rename {ctx.cwd / WRONG} to {ctx.cwd / RIGHT}" in shown.out
    assert not (ctx.cwd / RIGHT).exists()
    cli(ctx, "check", "--fix", "--unsafe")
    assert (ctx.cwd / RIGHT).read_text() == SKILL


def test_rename_does_not_overwrite_a_new_file(tmp_path, monkeypatch):
    ctx = project(tmp_path, {WRONG: SKILL, ".deepagents/AGENTS.md": "- a\n"}, {})
    real = fix.write

    def late(*args, **options):
        (ctx.cwd / RIGHT).write_text("theirs\n")
        real(*args, **options)

    monkeypatch.setattr(fix, "write", late)
    done = cli(ctx, "check", "--fix", "--unsafe")
    assert done.code == 2
    assert "was not renamed: SKILL.md already exists" in done.err
    assert (ctx.cwd / RIGHT).read_text() == "theirs\n"


def test_fix_says_that_other_hard_links_keep_the_old_text(ctx):
    (ctx.cwd / "copy.md").hardlink_to(ctx.cwd / MEMORY)
    done = cli(ctx, "check", "--fix")
    assert "1 fix; other hard links keep the old text" in done.err
    assert (ctx.cwd / "copy.md").read_bytes().decode() == HIDDEN + TWICE + TWICE


def test_fix_uses_the_baseline_of_the_report(ctx):
    accepted = ctx.cwd / "accepted.toml"
    assert cli(ctx, "check", "--write-baseline", "--baseline", str(accepted)).code == 0
    cli(ctx, "check", "--fix", "--baseline", str(accepted))
    assert memory(ctx) == HIDDEN + TWICE + TWICE
    accepted.rename(ctx.cwd / baseline.FILE)
    cli(ctx, "check", "--fix")
    assert memory(ctx) == HIDDEN + TWICE + TWICE
    cli(ctx, "check", "--fix", "--no-baseline")
    assert memory(ctx) == HIDDEN.replace("\u200b", "") + TWICE + TWICE
