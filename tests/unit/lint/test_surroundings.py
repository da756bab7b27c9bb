"""What the lines above a line say about it, compared with a search upwards from each line."""

from __future__ import annotations

from bisect import bisect_left

from hypothesis import given
from hypothesis import strategies as st

from agent_memory.lint.shared.surroundings import introductions, lines_below
from agent_memory.markdown import parser
from agent_memory.markdown.model import LineKind

LINES = st.sampled_from(
    ["# A", "## B", "# the other", "text", "the other", "the", "other", "  the other", "", "```"]
    + [f"{' ' * indent}- {word}" for indent in (0, 2, 4) for word in ("x", "the other")]
)


def says(text):
    return "the other" in text


def above(lines, markdown, line):
    """Yield the texts that ``line`` is part of, found by searching upwards."""
    number = bisect_left(markdown.headings, line, key=lambda heading: heading.line)
    first, level = markdown.headings[number - 1].line if number else -1, 7
    for heading in reversed(markdown.headings[:number]):
        if heading.level < level:
            level = heading.level
            yield heading.text
    indent = indent_of(lines[line])
    paragraph = []
    for at in range(line - 1, first, -1):
        text, kind = lines[at], markdown.kinds[at]
        if kind is LineKind.TEXT and not indent_of(text):
            paragraph.insert(0, text.strip())
        elif paragraph:
            break
        elif kind is LineKind.ITEM and indent_of(text) < indent:
            yield text
        if text.strip() and kind is not LineKind.CODE:
            indent = min(indent, indent_of(text))
    yield " ".join(paragraph)


def indent_of(line):
    return len(line) - len(line.lstrip(" \t"))


@given(st.lists(LINES, max_size=14))
def test_lines_below_are_those_found_by_a_search_upwards(texts):
    lines = [f"{text}\n" for text in texts]
    markdown = parser.scan(lines)
    expected = [any(map(says, above(lines, markdown, at))) for at in range(len(lines))]
    assert lines_below(lines, markdown, says) == expected


def test_introduction_is_the_line_above_the_list():
    lines = ["Files:\n", "\n", "- a\n", "- b\n", "text\n", "- c\n"]
    assert introductions(lines, parser.scan(lines)) == [0, 0, 0, 0, 4, 4]
