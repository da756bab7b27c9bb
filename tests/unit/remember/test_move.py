"""Moving an item between user and project memory."""

from __future__ import annotations

import os

import pytest

from agent_memory.base.errors import UsageError
from agent_memory.base.text import apply_edits, split_lines
from agent_memory.remember import move
from agent_memory.remember.plan import Outcome
from kit import cli, github_token, project
from remember_kit import PROJECT, USER, read, user_memory

TEXT = "# P\n\n## A\n\n- stays\n- I like short answers\n- last\n"


posix = pytest.mark.skipif(os.name == "nt", reason="POSIX links")


def test_item_moves_to_user_memory_in_one_set_of_edits(tmp_path):
    ctx = project(tmp_path, {PROJECT: TEXT}, {USER: "# U\n\n* one\n"})
    moved = move.move(ctx, ctx.cwd / PROJECT, 5, "user")
    assert {edit.path for edit in moved.edits} == {ctx.cwd / PROJECT, ctx.home / USER}
    after = {
        path: apply_edits(
            split_lines(path.read_text()),
            [(edit.span, edit.text) for edit in moved.edits if edit.path == path],
        )
        for path in (ctx.cwd / PROJECT, ctx.home / USER)
    }
    move.apply(moved)
    assert read(ctx) == after[ctx.cwd / PROJECT] == TEXT.replace("- I like short answers\n", "")
    assert user_memory(ctx) == after[ctx.home / USER] == "# U\n\n* one\n* I like short answers\n"


def test_nested_lines_move_too_and_a_missing_file_is_created(tmp_path):
    text = "- one\n- two\n  - detail\n\nprose\n"
    ctx = project(tmp_path, {PROJECT: text}, {})
    move.apply(move.move(ctx, ctx.cwd / PROJECT, 2, "user"))
    assert read(ctx) == "- one\n\nprose\n"
    assert user_memory(ctx) == "# User memory\n\n- two\n  - detail\n"


def test_byte_order_mark_stays(tmp_path):
    ctx = project(tmp_path, {PROJECT: "\ufeff- one\n  - detail\n\n- two\n"}, {})
    move.apply(move.move(ctx, ctx.cwd / PROJECT, 0, "user"))
    assert read(ctx) == "\ufeff\n- two\n"
    assert user_memory(ctx) == "# User memory\n\n- one\n  - detail\n"


def test_identical_item_at_the_target_is_not_duplicated(tmp_path):
    ctx = project(tmp_path, {PROJECT: TEXT}, {USER: "- I like short answers\n"})
    move.apply(move.move(ctx, ctx.cwd / PROJECT, 5, "user"))
    assert "short answers" not in read(ctx)
    assert user_memory(ctx) == "- I like short answers\n"


MONDAY = "- Deploy the payments service to the staging cluster with helm every Monday morning\n"


@pytest.mark.parametrize("there", [MONDAY.replace("Monday", "Friday"), MONDAY.lower()])
def test_near_duplicate_is_inserted_before_removal(tmp_path, there):
    ctx = project(tmp_path, {PROJECT: "# P\n\n" + MONDAY}, {USER: there})
    move.apply(move.move(ctx, ctx.cwd / PROJECT, 2, "user"))
    assert user_memory(ctx) == there + MONDAY
    assert read(ctx) == "# P\n\n"


def test_new_project_folder_needs_consent(tmp_path):
    ctx = project(tmp_path, {}, {USER: "- fact\n"})
    moved = move.move(ctx, ctx.home / USER, 0, "project")
    assert moved.plan.outcome is Outcome.CONSENT
    assert moved.edits == ()
    with pytest.raises(UsageError, match=r"Create the \.deepagents folder"):
        move.apply(moved)
    move.apply(move.move(ctx, ctx.home / USER, 0, "project", create=True))
    assert read(ctx) == "# Project memory\n\n- fact\n"


def test_secret_is_not_moved(tmp_path):
    token = github_token(4)
    ctx = project(tmp_path, {PROJECT: f"- key {token}\n"}, {USER: "# U\n"})
    moved = move.move(ctx, ctx.cwd / PROJECT, 0, "user")
    assert moved.plan.outcome is Outcome.SECRET
    assert token not in repr(moved)
    done = cli(ctx, "move", f"{PROJECT}:1", "--scope", "user")
    assert (done.code, token in done.err) == (1, False)
    assert token in read(ctx)


def test_item_is_found_after_lines_moved(tmp_path):
    ctx = project(tmp_path, {PROJECT: TEXT}, {USER: "# U\n"})
    moved = move.move(ctx, ctx.cwd / PROJECT, 5, "user")
    (ctx.cwd / PROJECT).write_text("new first line\n" + TEXT)
    move.apply(moved)
    assert read(ctx) == "new first line\n" + TEXT.replace("- I like short answers\n", "")


TWICE = "# M\n\n## A\n\n- Parent\n  - same\n- same\n\n## B\n\n- same\n- z\n"


@pytest.mark.parametrize("head", ["", "new first line\n"])
def test_nearest_of_equal_items_is_removed(tmp_path, head):
    ctx = project(tmp_path, {PROJECT: TWICE}, {USER: "# U\n"})
    moved = move.move(ctx, ctx.cwd / PROJECT, 10, "user")
    (ctx.cwd / PROJECT).write_text(head + TWICE)
    move.apply(moved)
    assert read(ctx) == head + TWICE.replace("- same\n- z", "- z")


def test_item_nested_meanwhile_stays(tmp_path):
    ctx = project(tmp_path, {PROJECT: "- a\n- same\n"}, {USER: "# U\n"})
    moved = move.move(ctx, ctx.cwd / PROJECT, 1, "user")
    (ctx.cwd / PROJECT).write_text("- a\n  - same\n")
    move.apply(moved)
    assert read(ctx) == "- a\n  - same\n"


def test_item_removed_meanwhile_removes_nothing_else(tmp_path):
    ctx = project(tmp_path, {PROJECT: TEXT}, {USER: "# U\n"})
    moved = move.move(ctx, ctx.cwd / PROJECT, 5, "user")
    (ctx.cwd / PROJECT).write_text("- stays\n- last\n")
    move.apply(moved)
    assert read(ctx) == "- stays\n- last\n"
    assert "short answers" in user_memory(ctx)


@pytest.mark.parametrize(
    ("text", "line", "left"),
    [
        ("# P\n\n- only\n\ntext\n", 2, "# P\n\ntext\n"),
        ("- first\n- last", 1, "- first\n"),
        ("# P\n\n- a\n\n  more of a", 2, "# P\n\n"),
    ],
)
def test_removal_leaves_no_double_blank_line(tmp_path, text, line, left):
    ctx = project(tmp_path, {PROJECT: text}, {})
    move.apply(move.move(ctx, ctx.cwd / PROJECT, line, "user"))
    assert read(ctx) == left


NOT_MOVABLE = [(0, "user", "no list item"), (4, "project", "already")]


@pytest.mark.parametrize(("line", "scope", "message"), NOT_MOVABLE)
def test_immovable_lines_are_refused(tmp_path, line, scope, message):
    ctx = project(tmp_path, {PROJECT: TEXT}, {})
    with pytest.raises(UsageError, match=message):
        move.move(ctx, ctx.cwd / PROJECT, line, scope)


LINKED = "# M\n\n- only here\n- second\n"


def test_other_path_of_the_same_file_is_the_same_memory(tmp_path):
    ctx = project(tmp_path, {PROJECT: LINKED, "sub/x": ""}, {})
    with pytest.raises(UsageError, match="already in project memory"):
        move.move(ctx, ctx.cwd / "sub" / ".." / PROJECT, 2, "project")
    (ctx.home / USER).parent.mkdir(parents=True)
    (ctx.home / USER).hardlink_to(ctx.cwd / PROJECT)
    with pytest.raises(UsageError, match="already in user memory"):
        move.move(ctx, ctx.cwd / PROJECT, 2, "user")
    assert read(ctx) == LINKED


@posix
def test_link_to_the_file_is_the_same_memory(tmp_path):
    ctx = project(tmp_path, {PROJECT: LINKED}, {".deepagents/agent/x": ""})
    (tmp_path / "link").symlink_to(ctx.cwd)
    there = ctx.with_(cwd=tmp_path / "link")
    with pytest.raises(UsageError, match="already in project memory"):
        move.move(there, there.cwd / PROJECT, 2, "project")
    (ctx.home / USER).symlink_to(ctx.cwd / PROJECT)
    with pytest.raises(UsageError, match="already in user memory"):
        move.move(ctx, ctx.cwd / PROJECT, 2, "user")
    assert read(ctx) == LINKED


def test_file_removed_meanwhile_is_not_created_again(tmp_path):
    ctx = project(tmp_path, {PROJECT: TEXT}, {USER: "# U\n"})
    moved = move.move(ctx, ctx.cwd / PROJECT, 5, "user")
    (ctx.cwd / PROJECT).unlink()
    move.apply(moved)
    assert not (ctx.cwd / PROJECT).exists()
    assert user_memory(ctx) == "# U\n\n- I like short answers\n"
