"""Placing an item in a file: section, style, newlines."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent_memory.base.text import apply_edits, slice_span, split_lines
from agent_memory.fs.reader import FileText
from agent_memory.remember import planner
from agent_memory.remember.plan import Outcome
from agent_memory.remember.snippet import Snippet
from kit import project
from remember_kit import MEMORY, save


def test_prose_becomes_one_bullet_in_the_best_section(ctx):
    text = save(ctx, "  Install with\n  pnpm, never with npm.  ")
    assert text == MEMORY.replace(
        "- Run `make test`\n", "- Run `make test`\n- Install with pnpm, never with npm\n"
    )


def test_plan_lists_sections_and_the_suggested_one(ctx):
    plan = planner.plan(ctx, Snippet("Indent with four spaces, the house style"), "project")
    assert plan.sections == (("Commands", False), ("Style", True))
    assert (plan.section, plan.line) == ("Style", 9)
    assert plan.message == "Added to Project Memory > Style (line 10)"


def test_numbered_list_is_separate_from_the_list_above(ctx):
    steps = "1. Export the ledger\n2. Close the month"
    after = save(ctx, steps, section="Style")
    assert after == MEMORY + "\n1. Export the ledger\n2. Close the month\n"
    assert save(ctx, "1. Push\n2. Tag", section="Style") == after + "\n1) Push\n2) Tag\n"


def test_message_counts_the_items(ctx):
    plan = planner.plan(ctx, Snippet("- One\n- Two"), "project", section="Style")
    assert plan.message == "Added 2 items to Project Memory > Style (line 10)"
    plan = planner.plan(ctx, Snippet("- One\n- Two"), "project", section="New")
    assert plan.message == ("Added 2 items to Project Memory under the new heading 'New' (line 13)")


def test_message_says_that_no_heading_fits(ctx):
    plan = planner.plan(ctx, Snippet("Invoices are immutable"), "project")
    assert plan.sections == (("Commands", False), ("Style", False))
    assert plan.place == "Project Memory > Style"
    assert plan.message == (
        "Added to Project Memory > Style (line 10). No heading fits, so it is under the last one"
    )
    chosen = planner.plan(ctx, Snippet("Invoices are immutable"), "project", section="Style")
    assert chosen.notes == ()


@pytest.mark.parametrize("section", ["", "  ", "##"])
def test_section_without_a_title_is_not_requested(ctx, section):
    snippet = Snippet("Invoices are immutable")
    blank = planner.plan(ctx, snippet, "project", section=section)
    assert blank == planner.plan(ctx, snippet, "project")
    assert blank.notes


def test_section_can_be_chosen_or_added(ctx):
    assert save(ctx, "One", section="commands").count("- Run `make test`\n- One\n") == 1
    assert save(ctx, "Two", section="Naming").endswith("- Tabs\n\n## Naming\n\n- Two\n")


def test_setext_heading_is_a_section(tmp_path):
    text = "# A\n\n- x\n\nB\n===\n\n- y\n\nCommands\n--------\n"
    ctx = project(tmp_path, {".deepagents/agent.md": text}, {})
    assert save(ctx, "Tabs", section="A") == text.replace("- x\n", "- x\n- Tabs\n")
    assert save(ctx, "Run make", section="Commands").endswith(
        "- y\n\nCommands\n--------\n\n- Run make\n"
    )


def test_section_is_found_after_a_byte_order_mark(tmp_path):
    text = "\ufeff## Commands\n\n- x\n\n## Notes\n\n- y\n"
    ctx = project(tmp_path, {".deepagents/agent.md": text}, {})
    assert save(ctx, "Run make lint", section="Commands") == text.replace(
        "- x\n", "- x\n- Run make lint\n"
    )


def test_heading_with_a_limit_note_is_found_by_name(tmp_path):
    text = "## Common Mistakes to Avoid (Max: 15 items)\n<!-- none yet -->\n"
    ctx = project(tmp_path, {".deepagents/agent.md": text}, {})
    assert save(ctx, "No globals", section="Common mistakes to avoid") == text + "- No globals\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("# A\n\n* one\n", "# A\n\n* one\n* new\n"),
        ("# A\n\n+   one\n", "# A\n\n+   one\n+   new\n"),
        ("# A\n\n1. one\n2. two\n", "# A\n\n1. one\n2. two\n3. new\n"),
        ("# A\n- one\n  - nested\n", "# A\n- one\n  - nested\n- new\n"),
        ("# A\r\n\r\n- one\r\n", "# A\r\n\r\n- one\r\n- new\r\n"),
        ("# A\n\n- one", "# A\n\n- one\n- new"),
        ("# A\n\nWords.\n", "# A\n\nWords.\n\n- new\n"),
        ("# A\n", "# A\n\n- new\n"),
        ("# A\n- one\n# B\n", "# A\n- one\n# B\n- new\n"),
        ("words", "words\n\n- new"),
        ("\ufeff# A\n\n- one\n", "\ufeff# A\n\n- one\n- new\n"),
        ("\ufeff- one\n", "\ufeff- one\n- new\n"),
        ("---\na: b\n---\n", "---\na: b\n---\n\n- new\n"),
        ("# A\n\n```\nx\n```\n", "# A\n\n```\nx\n```\n\n- new\n"),
        ("", "# Project memory\n\n- new\n"),
    ],
)
def test_item_follows_the_style_of_the_file(tmp_path, before, after):
    ctx = project(tmp_path, {".deepagents/agent.md": before}, {})
    plan = planner.plan(ctx, Snippet("new"), "project")
    planner.apply(plan)
    assert plan.path.read_bytes().decode() == after


@pytest.mark.parametrize("text", ["# A\n\n```\ncode\n", "# A\n\n<!-- open\n- a\n"])
def test_insertion_into_unclosed_block_is_refused(tmp_path, text):
    ctx = project(tmp_path, {".deepagents/agent.md": text}, {})
    plan = planner.plan(ctx, Snippet("b"), "project")
    assert plan.outcome is Outcome.REFUSED
    assert "line 3 opens a" in plan.message


def test_unsaved_new_buffer_is_edited(tmp_path):
    ctx = project(tmp_path, {".deepagents/notes.md": "# N\n"}, {})
    path = ctx.cwd / ".deepagents/agent.md"
    ctx.store.overlay(path, lambda: FileText(path, "# A\n"))
    plan = planner.plan(ctx, Snippet("new fact"), "project")
    (edit,) = plan.edits
    assert (edit.path, edit.text) == (path, "\n- new fact\n")


LINES = st.sampled_from(
    ["# A", "## B", "- x", "  - y", "* z", "1. n", "", "text", "```", "<!-- c -->", "---", "> q"]
)


FILES = st.builds(
    lambda lines, newline, last: newline.join(lines) + (newline if last else ""),
    st.lists(LINES, max_size=12),
    st.sampled_from(["\n", "\r\n"]),
    st.booleans(),
)


@settings(deadline=None)
@given(FILES, st.text(max_size=60), st.sampled_from([None, "B", "New"]))
def test_undo_restores_the_same_bytes(tmp_path_factory, before, words, section):
    ctx = project(tmp_path_factory.mktemp("undo"), {".deepagents/agent.md": before}, {})
    plan = planner.plan(ctx, Snippet(words), "project", section=section)
    if plan.outcome is not Outcome.READY:
        assert plan.edits == ()
        return
    (edit,) = plan.edits
    lines = split_lines(before)
    after = apply_edits(lines, [(edit.span, edit.text)])
    at = len(apply_edits(lines, [(edit.span, "\x00")]).split("\x00")[0])
    undone = after[:at] + slice_span(lines, edit.span) + after[at + len(edit.text) :]
    assert undone == before
    item = plan.item.removeprefix("- ").split("\n")[0]
    assert item in after
    planner.apply(plan)
    assert plan.path.read_bytes().decode("utf-8", "surrogatepass") == after
