"""Splitting a section of a memory file into a note."""

from __future__ import annotations

import pytest

from agent_memory.base.errors import UsageError
from agent_memory.remember.split import apply_split, split
from kit import project
from remember_kit import PROJECT, read


def test_largest_section_becomes_a_linked_note(tmp_path):
    text = "# P\n\n## Small\n\n- a\n\n## Build & Run\n\n- one\n- two\n- three\n\n## End\n\n- z\n"
    ctx = project(tmp_path, {PROJECT: text}, {})
    plan = split(ctx, ctx.cwd / PROJECT)
    apply_split(plan)
    assert read(ctx) == text.replace(
        "- one\n- two\n- three\n", "See [Build & Run](build-run.md).\n"
    )
    assert read(ctx, ".deepagents/build-run.md") == "# Build & Run\n\n- one\n- two\n- three\n"
    with pytest.raises(UsageError, match=r"build-run\.md already exists"):
        split(ctx, ctx.cwd / PROJECT, "Build & Run")
    with pytest.raises(UsageError, match="sections: 'Small', 'Build & Run', 'End'"):
        split(ctx, ctx.cwd / PROJECT, "Nope")


def test_section_is_chosen_by_line_among_equal_titles(tmp_path):
    text = "# P\n\n## A\n\n### Notes\n\n- first\n\n## B\n\n### Notes\n\n- second\n"
    ctx = project(tmp_path, {PROJECT: text}, {})
    apply_split(split(ctx, ctx.cwd / PROJECT, line=10))
    assert read(ctx) == text.replace("- second", "See [Notes](notes.md).")
    assert read(ctx, ".deepagents/notes.md") == "# Notes\n\n- second\n"
    with pytest.raises(UsageError, match=r"agent.md:4: no section begins here"):
        split(ctx, ctx.cwd / PROJECT, line=3)


def test_setext_section_is_split(tmp_path):
    text = "# P\n\nBig\n---\n\n- one\n- two\n\nOther\n-----\n\n- three\n"
    ctx = project(tmp_path, {PROJECT: text}, {})
    apply_split(split(ctx, ctx.cwd / PROJECT, "Big"))
    assert read(ctx) == "# P\n\nBig\n---\n\nSee [Big](big.md).\n\nOther\n-----\n\n- three\n"
    assert read(ctx, ".deepagents/big.md") == "# Big\n\n- one\n- two\n"


def test_heading_directly_below_a_section_is_not_moved(tmp_path):
    ctx = project(tmp_path, {PROJECT: "## A\n- one\n## B\n- two\n"}, {})
    apply_split(split(ctx, ctx.cwd / PROJECT, "A"))
    assert read(ctx) == "## A\n\nSee [A](a.md).\n## B\n- two\n"
    assert read(ctx, ".deepagents/a.md") == "# A\n\n- one\n"


def test_last_section_without_final_newline_is_split(tmp_path):
    ctx = project(tmp_path, {PROJECT: "## A\n\n- one\n- two"}, {})
    apply_split(split(ctx, ctx.cwd / PROJECT))
    assert read(ctx) == "## A\n\nSee [A](a.md).\n"
    assert read(ctx, ".deepagents/a.md") == "# A\n\n- one\n- two\n"


def test_note_created_meanwhile_is_not_overwritten(tmp_path):
    ctx = project(tmp_path, {PROJECT: "## A\n\n- a\n"}, {})
    plan = split(ctx, ctx.cwd / PROJECT)
    note = ctx.cwd / ".deepagents/a.md"
    note.write_text("theirs\n")
    with pytest.raises(UsageError, match="now exists; nothing was changed"):
        apply_split(plan)
    assert (note.read_text(), read(ctx)) == ("theirs\n", "## A\n\n- a\n")


def test_file_changed_after_planning_is_not_split(tmp_path):
    ctx = project(tmp_path, {PROJECT: "## A\n\n- a\n"}, {})
    plan = split(ctx, ctx.cwd / PROJECT)
    (ctx.cwd / PROJECT).write_text("## A\n\n- b\n")
    with pytest.raises(UsageError, match="another program changed the file"):
        apply_split(plan)
    assert read(ctx) == "## A\n\n- b\n"


def test_unreadable_file_is_not_split(tmp_path):
    ctx = project(tmp_path, {PROJECT: b"\xff"}, {})
    with pytest.raises(UsageError, match="cannot be split"):
        split(ctx, ctx.cwd / PROJECT)
