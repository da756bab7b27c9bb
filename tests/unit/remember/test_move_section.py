"""Moving an item to another section of its file."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from agent_memory.base.errors import UsageError
from agent_memory.base.text import apply_edits, split_lines
from agent_memory.remember import move_section

FILE = Path("agent.md")
TEXT = "# P\n\n- first\n\n## A\n\n- a\n- b\n\n## Empty\n\n## B\n\n* c\n  - nested\n* d\n"


def titles(text, line):
    return [section.title for section in move_section.sections_for(split_lines(text), line)]


def moved(text, line, heading):
    lines = split_lines(text)
    edits = move_section.edits(FILE, lines, line, heading)
    assert {edit.path for edit in edits} == {FILE}
    return apply_edits(lines, [(edit.span, edit.text) for edit in edits])


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        (2, ["A", "Empty", "B"]),
        (6, ["Empty", "B"]),
        (14, ["A", "Empty"]),
        (4, []),
        (5, []),
    ],
)
def test_other_sections_are_offered_for_an_item(line, wanted):
    assert titles(TEXT, line) == wanted


def test_item_of_a_file_without_other_sections_has_none():
    assert titles("# P\n\n## A\n\n- a\n", 4) == []
    assert titles("- a\n", 0) == []


@pytest.mark.parametrize(
    ("line", "heading", "old", "new"),
    [
        (7, 11, "- b\n", "* d\n* b\n"),
        (6, 9, "- a\n", "## Empty\n\n* a\n"),
        (2, 4, "- first\n\n", "- b\n- first\n"),
        (15, 4, "* d\n", "- b\n- d\n"),
        (14, 4, "* c\n  - nested\n", "- b\n\n* c\n  - nested\n"),
    ],
)
def test_item_goes_to_the_end_of_the_section_in_its_style(line, heading, old, new):
    assert old in TEXT
    result = moved(TEXT, line, heading)
    assert new in result
    words = ("first", " a\n", " b\n", " c\n", "nested", " d\n", "## A", "## Empty", "## B")
    assert [result.count(word) for word in words] == [1] * len(words)


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize(("line", "heading"), [(2, 4), (6, 0)])
def test_newlines_stay_also_without_a_last_one(newline, line, heading):
    text = newline.join(["## A", "", "- a", "", "## B", "", "- b"])
    result = moved(text, line, heading)
    assert newline.join(["- b", "- a"] if line == 2 else ["- a", "- b"]) in result
    assert re.findall(r"\r\n|\n|\r", result) == [newline] * result.count("\n")


def test_one_of_two_sections_with_the_same_title_is_chosen_by_its_line():
    text = "# P\n\n## A\n\n- a\n\n### Notes\n\n- x\n\n## B\n\n### Notes\n\n- y\n"
    assert "- y\n- a\n" in moved(text, 4, 12)


@pytest.mark.parametrize(("line", "heading"), [(6, 4), (6, 3), (4, 11)])
def test_a_file_that_changed_is_not_edited(line, heading):
    with pytest.raises(UsageError, match="changed"):
        moved(TEXT, line, heading)


def test_item_does_not_go_into_an_open_code_block():
    with pytest.raises(UsageError, match="never closed"):
        moved("## A\n\n- a\n\n## B\n\n```\nx\n", 2, 4)
