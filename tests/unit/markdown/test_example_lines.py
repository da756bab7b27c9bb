"""Lines that show an example: inside of example tags."""

from __future__ import annotations

import pytest

from agent_memory.base.text import split_lines
from agent_memory.markdown.example_lines import example_lines
from agent_memory.markdown.parser import scan


def examples(text: str) -> list[int]:
    lines = split_lines(text)
    return sorted(example_lines(lines, scan(lines)))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a\n<example>\nb\n</example>\nc\n", [1, 2, 3]),
        ("<example>\n<sample>\na\n</sample>\n</example>\nb\n", [0, 1, 2, 3, 4]),
        ("<example>a</example>\nb\n", []),
        ("<example>\na\n", []),
        ("a\n</example>\nb\n", []),
    ],
)
def test_lines_from_opening_to_closing_tag_are_an_example(text, expected):
    assert examples(text) == expected


def test_placeholder_in_example_does_not_end_it():
    assert examples("<example>\n<template-name> is the name.\na\n</example>\nb\n") == [0, 1, 2, 3]


def test_tag_that_overlaps_an_example_is_ignored():
    text = "<example>\n<sample>\n</example>\na\n</sample>\n"
    assert examples(text) == [0, 1, 2]


def test_time_is_linear_with_many_open_tags():
    text = "<example>\n" * 20_000 + "</sample>\n" * 20_000 + "</example>\n" * 20_000
    assert examples(text) == [*range(60_000)]
