"""Moving items between scopes, sections into notes, and files between generations."""

from __future__ import annotations

import os
import random
import string

import pytest

from agent_memory.base.errors import UsageError
from agent_memory.base.text import apply_edits, split_lines
from agent_memory.cli import main
from agent_memory.remember import migrate, move
from agent_memory.remember.plan import Outcome
from kit import project

PROJECT = ".deepagents/agent.md"
USER = ".deepagents/agent/agent.md"
TEXT = "# P\n\n## A\n\n- stays\n- I like short answers\n- last\n"


posix = pytest.mark.skipif(os.name == "nt", reason="POSIX links")


def read(ctx, name=PROJECT):
    return (ctx.cwd / name).read_text()


def user(ctx):
    return (ctx.home / USER).read_text()


def test_an_item_moves_to_user_memory_in_one_set_of_edits(tmp_path):
    ctx = project(tmp_path, {PROJECT: TEXT}, {USER: "# U\n\n* one\n"})
    made = move.move(ctx, ctx.cwd / PROJECT, 5, "user")
    assert {edit.path for edit in made.edits} == {ctx.cwd / PROJECT, ctx.home / USER}
    after = {
        path: apply_edits(
            split_lines(path.read_text()),
            [(edit.span, edit.text) for edit in made.edits if edit.path == path],
        )
        for path in (ctx.cwd / PROJECT, ctx.home / USER)
    }
    move.apply(made)
    assert read(ctx) == after[ctx.cwd / PROJECT] == TEXT.replace("- I like short answers\n", "")
    assert user(ctx) == after[ctx.home / USER] == "# U\n\n* one\n* I like short answers\n"


def test_nested_lines_go_along_and_a_missing_file_is_made(tmp_path):
    text = "- one\n- two\n  - detail\n\nprose\n"
    ctx = project(tmp_path, {PROJECT: text}, {})
    move.apply(move.move(ctx, ctx.cwd / PROJECT, 2, "user"))
    assert read(ctx) == "- one\n\nprose\n"
    assert user(ctx) == "# User memory\n\n- two\n  - detail\n"


def test_a_byte_order_mark_stays_where_it_is(tmp_path):
    ctx = project(tmp_path, {PROJECT: "\ufeff- one\n  - detail\n\n- two\n"}, {})
    move.apply(move.move(ctx, ctx.cwd / PROJECT, 0, "user"))
    assert read(ctx) == "\ufeff\n- two\n"
    assert user(ctx) == "# User memory\n\n- one\n  - detail\n"


def test_what_is_there_already_is_only_removed_here(tmp_path):
    ctx = project(tmp_path, {PROJECT: TEXT}, {USER: "- I like short answers\n"})
    move.apply(move.move(ctx, ctx.cwd / PROJECT, 5, "user"))
    assert "short answers" not in read(ctx)
    assert user(ctx) == "- I like short answers\n"


MONDAY = "- Deploy the payments service to the staging cluster with helm every Monday morning\n"


@pytest.mark.parametrize("there", [MONDAY.replace("Monday", "Friday"), MONDAY.lower()])
def test_what_is_only_said_nearly_so_there_is_filed_before_it_is_removed_here(tmp_path, there):
    ctx = project(tmp_path, {PROJECT: "# P\n\n" + MONDAY}, {USER: there})
    move.apply(move.move(ctx, ctx.cwd / PROJECT, 2, "user"))
    assert user(ctx) == there + MONDAY
    assert read(ctx) == "# P\n\n"


def test_into_a_project_without_a_folder_consent_is_asked(tmp_path):
    ctx = project(tmp_path, {}, {USER: "- fact\n"})
    made = move.move(ctx, ctx.home / USER, 0, "project")
    assert made.plan.outcome is Outcome.CONSENT
    assert made.edits == ()
    with pytest.raises(UsageError, match="may"):
        move.apply(made)
    move.apply(move.move(ctx, ctx.home / USER, 0, "project", create=True))
    assert read(ctx) == "# Project memory\n\n- fact\n"


def test_lines_that_moved_meanwhile_are_found(tmp_path):
    ctx = project(tmp_path, {PROJECT: TEXT}, {USER: "# U\n"})
    made = move.move(ctx, ctx.cwd / PROJECT, 5, "user")
    (ctx.cwd / PROJECT).write_text("new first line\n" + TEXT)
    move.apply(made)
    assert read(ctx) == "new first line\n" + TEXT.replace("- I like short answers\n", "")


TWICE = "# M\n\n## A\n\n- Parent\n  - same\n- same\n\n## B\n\n- same\n- z\n"


@pytest.mark.parametrize("head", ["", "new first line\n"])
def test_of_equal_items_the_one_that_was_meant_is_removed(tmp_path, head):
    ctx = project(tmp_path, {PROJECT: TWICE}, {USER: "# U\n"})
    made = move.move(ctx, ctx.cwd / PROJECT, 10, "user")
    (ctx.cwd / PROJECT).write_text(head + TWICE)
    move.apply(made)
    assert read(ctx) == head + TWICE.replace("- same\n- z", "- z")


def test_an_item_that_was_put_into_another_one_meanwhile_stays(tmp_path):
    ctx = project(tmp_path, {PROJECT: "- a\n- same\n"}, {USER: "# U\n"})
    made = move.move(ctx, ctx.cwd / PROJECT, 1, "user")
    (ctx.cwd / PROJECT).write_text("- a\n  - same\n")
    move.apply(made)
    assert read(ctx) == "- a\n  - same\n"


def test_an_item_that_another_program_removed_meanwhile_takes_nothing_else_along(tmp_path):
    ctx = project(tmp_path, {PROJECT: TEXT}, {USER: "# U\n"})
    made = move.move(ctx, ctx.cwd / PROJECT, 5, "user")
    (ctx.cwd / PROJECT).write_text("- stays\n- last\n")
    move.apply(made)
    assert read(ctx) == "- stays\n- last\n"
    assert "short answers" in user(ctx)


@pytest.mark.parametrize(
    ("text", "line", "left"),
    [
        ("# P\n\n- only\n\ntext\n", 2, "# P\n\ntext\n"),
        ("- first\n- last", 1, "- first\n"),
        ("# P\n\n- a\n\n  more of a", 2, "# P\n\n"),
    ],
)
def test_no_double_blank_line_and_no_cut_line_is_left(tmp_path, text, line, left):
    ctx = project(tmp_path, {PROJECT: text}, {})
    move.apply(move.move(ctx, ctx.cwd / PROJECT, line, "user"))
    assert read(ctx) == left


NOT_MOVABLE = [(0, "user", "no list item"), (4, "project", "already")]


@pytest.mark.parametrize(("line", "scope", "message"), NOT_MOVABLE)
def test_what_cannot_move_is_said(tmp_path, line, scope, message):
    ctx = project(tmp_path, {PROJECT: TEXT}, {})
    with pytest.raises(UsageError, match=message):
        move.move(ctx, ctx.cwd / PROJECT, line, scope)


LINKED = "# M\n\n- only here\n- second\n"


def test_a_file_under_another_name_is_the_same_memory(tmp_path):
    ctx = project(tmp_path, {PROJECT: LINKED, "sub/x": ""}, {})
    with pytest.raises(UsageError, match="this is project memory already"):
        move.move(ctx, ctx.cwd / "sub" / ".." / PROJECT, 2, "project")
    (ctx.home / USER).parent.mkdir(parents=True)
    (ctx.home / USER).hardlink_to(ctx.cwd / PROJECT)
    with pytest.raises(UsageError, match="this is user memory already"):
        move.move(ctx, ctx.cwd / PROJECT, 2, "user")
    assert read(ctx) == LINKED


@posix
def test_a_link_to_the_file_is_the_same_memory(tmp_path):
    ctx = project(tmp_path, {PROJECT: LINKED}, {".deepagents/agent/x": ""})
    (tmp_path / "link").symlink_to(ctx.cwd)
    there = ctx.with_(cwd=tmp_path / "link")
    with pytest.raises(UsageError, match="this is project memory already"):
        move.move(there, there.cwd / PROJECT, 2, "project")
    (ctx.home / USER).symlink_to(ctx.cwd / PROJECT)
    with pytest.raises(UsageError, match="this is user memory already"):
        move.move(ctx, ctx.cwd / PROJECT, 2, "user")
    assert read(ctx) == LINKED


def test_the_largest_section_becomes_a_linked_note(tmp_path):
    text = "# P\n\n## Small\n\n- a\n\n## Build & Run\n\n- one\n- two\n- three\n\n## End\n\n- z\n"
    ctx = project(tmp_path, {PROJECT: text}, {})
    plan = move.split(ctx, ctx.cwd / PROJECT)
    move.apply_split(plan)
    assert read(ctx) == text.replace(
        "- one\n- two\n- three\n", "See [Build & Run](build-run.md).\n"
    )
    assert read(ctx, ".deepagents/build-run.md") == "# Build & Run\n\n- one\n- two\n- three\n"
    with pytest.raises(UsageError, match="there is such a file"):
        move.split(ctx, ctx.cwd / PROJECT, "Build & Run")
    with pytest.raises(UsageError, match="sections: 'Small', 'Build & Run', 'End'"):
        move.split(ctx, ctx.cwd / PROJECT, "Nope")


def test_of_sections_with_one_title_the_one_on_the_line_is_split(tmp_path):
    text = "# P\n\n## A\n\n### Notes\n\n- first\n\n## B\n\n### Notes\n\n- second\n"
    ctx = project(tmp_path, {PROJECT: text}, {})
    move.apply_split(move.split(ctx, ctx.cwd / PROJECT, line=10))
    assert read(ctx) == text.replace("- second", "See [Notes](notes.md).")
    assert read(ctx, ".deepagents/notes.md") == "# Notes\n\n- second\n"
    with pytest.raises(UsageError, match=r"agent.md:4: no section begins here"):
        move.split(ctx, ctx.cwd / PROJECT, line=3)


def test_an_underlined_section_is_split_without_its_line_and_up_to_the_next(tmp_path):
    text = "# P\n\nBig\n---\n\n- one\n- two\n\nOther\n-----\n\n- three\n"
    ctx = project(tmp_path, {PROJECT: text}, {})
    move.apply_split(move.split(ctx, ctx.cwd / PROJECT, "Big"))
    assert read(ctx) == "# P\n\nBig\n---\n\nSee [Big](big.md).\n\nOther\n-----\n\n- three\n"
    assert read(ctx, ".deepagents/big.md") == "# Big\n\n- one\n- two\n"


def test_a_last_section_without_a_newline_is_split_whole(tmp_path):
    ctx = project(tmp_path, {PROJECT: "## A\n\n- one\n- two"}, {})
    move.apply_split(move.split(ctx, ctx.cwd / PROJECT))
    assert read(ctx) == "## A\n\nSee [A](a.md).\n"
    assert read(ctx, ".deepagents/a.md") == "# A\n\n- one\n- two\n"


def test_a_note_that_came_meanwhile_is_not_written_over(tmp_path):
    ctx = project(tmp_path, {PROJECT: "## A\n\n- a\n"}, {})
    plan = move.split(ctx, ctx.cwd / PROJECT)
    note = ctx.cwd / ".deepagents/a.md"
    note.write_text("theirs\n")
    with pytest.raises(UsageError, match="there is such a file now; nothing was changed"):
        move.apply_split(plan)
    assert (note.read_text(), read(ctx)) == ("theirs\n", "## A\n\n- a\n")


def test_a_file_that_changed_is_not_split(tmp_path):
    ctx = project(tmp_path, {PROJECT: "## A\n\n- a\n"}, {})
    plan = move.split(ctx, ctx.cwd / PROJECT)
    (ctx.cwd / PROJECT).write_text("## A\n\n- b\n")
    with pytest.raises(UsageError, match="changed it meanwhile"):
        move.apply_split(plan)
    assert read(ctx) == "## A\n\n- b\n"


def test_agent_md_becomes_agents_md_and_back(tmp_path):
    ctx = project(tmp_path, {PROJECT: "p\n"}, {USER: "u\n"})
    done = migrate.plan(ctx, "AGENTS.md")
    for migration in done:
        migrate.apply(migration)
    assert (ctx.cwd / ".deepagents/AGENTS.md").read_text() == "p\n"
    assert (ctx.home / ".deepagents/agent/AGENTS.md").read_text() == "u\n"
    assert migrate.plan(ctx, "AGENTS.md") == []
    assert len(migrate.plan(ctx, "agent.md")) == 2


def test_with_both_there_one_is_appended_and_the_other_kept(tmp_path):
    ctx = project(tmp_path, {PROJECT: "\ufeff- old\r\n", ".deepagents/AGENTS.md": "- new"}, {})
    (migration,) = migrate.plan(ctx, "AGENTS.md")
    assert "is appended to AGENTS.md and kept as agent.md.migrated" in migration.message
    migrate.apply(migration)
    assert (ctx.cwd / ".deepagents/AGENTS.md").read_bytes() == b"- new\n\n- old\n"
    assert (ctx.cwd / ".deepagents/agent.md.migrated").exists()
    (ctx.cwd / PROJECT).write_text("again\n")
    with pytest.raises(UsageError, match="left by an earlier migration"):
        migrate.plan(ctx, "AGENTS.md")


def test_a_migration_that_was_cut_short_is_finished_without_saying_it_twice(tmp_path):
    ctx = project(tmp_path, {PROJECT: "- old\n", ".deepagents/AGENTS.md": "- new\n\n- old\n"}, {})
    (migration,) = migrate.plan(ctx, "AGENTS.md")
    migrate.apply(migration)
    assert read(ctx, ".deepagents/AGENTS.md") == "- new\n\n- old\n"
    assert not (ctx.cwd / PROJECT).exists()


@pytest.mark.parametrize("there", ["- Use tabs only in Makefiles\n", "- a\n- Use tabs and\n"])
def test_what_is_only_a_part_of_a_line_is_appended(tmp_path, there):
    ctx = project(tmp_path, {PROJECT: "- Use tabs\n", ".deepagents/AGENTS.md": there}, {})
    (migration,) = migrate.plan(ctx, "AGENTS.md")
    migrate.apply(migration)
    assert read(ctx, ".deepagents/AGENTS.md") == there + "\n- Use tabs\n"


@pytest.mark.parametrize("opened", ["```\ncode", "<!-- a comment"])
def test_nothing_is_appended_inside_what_is_never_closed(tmp_path, opened):
    there = f"- new\n\n{opened}\n"
    ctx = project(tmp_path, {PROJECT: "- old\n", ".deepagents/AGENTS.md": there}, {})
    (migration,) = migrate.plan(ctx, "AGENTS.md")
    with pytest.raises(UsageError, match=r"AGENTS.md: not migrated: line 3 opens a .* never"):
        migrate.apply(migration)
    assert (read(ctx), read(ctx, ".deepagents/AGENTS.md")) == ("- old\n", there)


@posix
def test_a_link_to_the_old_file_makes_place_for_it(tmp_path):
    ctx = project(tmp_path, {PROJECT: "- a\n"}, {})
    new = ctx.cwd / ".deepagents/AGENTS.md"
    new.symlink_to("agent.md")
    (migration,) = migrate.plan(ctx, "AGENTS.md")
    assert migration.message.endswith("becomes AGENTS.md")
    migrate.apply(migration)
    assert (new.is_symlink(), new.read_text()) == (False, "- a\n")
    assert not (ctx.cwd / PROJECT).exists()


@posix
@pytest.mark.parametrize("name", ["agent.md", "AGENTS.md"])
def test_a_link_to_a_file_that_would_get_another_name_is_told(tmp_path, name):
    ctx = project(tmp_path, {"AGENTS.md": "# r\n", ".deepagents/x": ""}, {})
    link = ctx.cwd / ".deepagents" / name
    link.symlink_to("../AGENTS.md")
    with pytest.raises(UsageError, match=f"{name}: a link to .*AGENTS.md, which gets another name"):
        migrate.plan(ctx, "agent.md")
    assert link.read_text() == "# r\n"


@posix
def test_a_link_to_a_file_elsewhere_is_renamed(tmp_path):
    ctx = project(tmp_path, {"notes/mine.md": "- mine\n", ".deepagents/x": ""}, {})
    (ctx.cwd / PROJECT).symlink_to("../notes/mine.md")
    (migration,) = migrate.plan(ctx, "AGENTS.md")
    migrate.apply(migration)
    assert read(ctx, ".deepagents/AGENTS.md") == "- mine\n"


def test_for_one_agent_only_its_folder_is_migrated(tmp_path):
    home = {f".deepagents/{name}/agent.md": "u\n" for name in ("one", "two")}
    ctx = project(tmp_path, {}, home).with_(agent="two")
    assert [item.old.parent.name for item in migrate.plan(ctx, "AGENTS.md")] == ["two"]


def call(ctx, *args):
    return main([*args, "--cwd", str(ctx.cwd), "--home", str(ctx.home)])


def test_the_commands(tmp_path, capsys):
    ctx = project(tmp_path, {}, {})
    assert call(ctx, "init") == 0
    assert read(ctx).startswith("# Project memory\n\n## Commands\n")
    assert call(ctx, "init") == 1
    assert "left as it is" in capsys.readouterr().err
    (ctx.cwd / PROJECT).write_text(TEXT)
    assert call(ctx, "move", f"{PROJECT}:6", "--scope", "user", "--dry-run") == 0
    assert read(ctx) == TEXT
    assert call(ctx, "move", f"{PROJECT}:6", "--scope", "user") == 0
    assert "- I like short answers" in user(ctx)
    assert call(ctx, "move", PROJECT, "--scope", "user") == 2
    assert call(ctx, "split", PROJECT, "--section", "A", "--dry-run") == 0
    assert not (ctx.cwd / ".deepagents/a.md").exists()
    assert call(ctx, "split", PROJECT, "--section", "A") == 0
    assert read(ctx, ".deepagents/a.md") == "# A\n\n- stays\n- last\n"
    assert call(ctx, "migrate", "--to", "AGENTS.md", "--dry-run") == 0
    assert (ctx.cwd / PROJECT).exists()
    assert call(ctx, "migrate", "--to", "AGENTS.md") == 0
    assert call(ctx, "migrate", "--to", "AGENTS.md") == 1


def test_the_command_makes_no_folder_in_the_project_unasked(tmp_path, capsys):
    ctx = project(tmp_path, {}, {USER: "- fact\n"})
    asked = ("move", str(ctx.home / USER) + ":1", "--scope", "project")
    assert call(ctx, *asked) == 2
    assert "Nothing was written; --yes says so" in capsys.readouterr().err
    assert not (ctx.cwd / ".deepagents").exists()
    assert call(ctx, *asked, "--yes") == 0
    assert read(ctx) == "# Project memory\n\n- fact\n"


def test_a_secret_does_not_move(tmp_path, capsys):
    rng = random.Random(4)
    token = "gh" + "p_" + "".join(rng.choice(string.ascii_letters) for _ in range(36))
    ctx = project(tmp_path, {PROJECT: f"- key {token}\n"}, {USER: "# U\n"})
    made = move.move(ctx, ctx.cwd / PROJECT, 0, "user")
    assert made.plan.outcome is Outcome.SECRET
    assert token not in repr(made)
    assert call(ctx, "move", f"{PROJECT}:1", "--scope", "user") == 1
    assert token not in capsys.readouterr().err
    assert token in read(ctx)


def test_what_cannot_be_migrated_is_left_as_it_is(tmp_path):
    ctx = project(tmp_path, {PROJECT: b"\xff", ".deepagents/AGENTS.md": "new\n"}, {})
    (migration,) = migrate.plan(ctx, "AGENTS.md")
    with pytest.raises(UsageError, match="not UTF-8 from byte 0"):
        migrate.apply(migration)
    assert (ctx.cwd / ".deepagents/AGENTS.md").read_text() == "new\n"
    (ctx.cwd / ".deepagents/AGENTS.md").unlink()
    (migration,) = migrate.plan(ctx, "AGENTS.md")
    (ctx.cwd / ".deepagents/AGENTS.md").write_text("came meanwhile\n")
    with pytest.raises(UsageError, match="there is such a file now"):
        migrate.apply(migration)
    with pytest.raises(UsageError, match=r"use agent\.md or AGENTS\.md"):
        migrate.plan(ctx, "CLAUDE.md")


def test_a_file_that_cannot_be_read_is_not_split(tmp_path):
    ctx = project(tmp_path, {PROJECT: b"\xff"}, {})
    with pytest.raises(UsageError, match="cannot be split"):
        move.split(ctx, ctx.cwd / PROJECT)
