"""Extraction of blocks as Claude MPM parses them, and of sentences on request."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_memory.learnings.extract import SECTION_OF, Learning, extract


def block(kind="pattern", content="Use the cache for reads", head="# Add To Memory:"):
    return f"{head}\nType: {kind}\nContent: {content}\n#\n"


def test_a_block_becomes_a_learning_with_its_line():
    assert extract("text\n\n" + block() + "more") == [
        Learning("pattern", "Use the cache for reads", 2)
    ]


@pytest.mark.parametrize(
    "text",
    [
        block(head="# ADD  to memory:"),
        block(head="## Add To Memory:"),
        block(head="  # Add To Memory:  "),
        block(head="# Memorize:"),
        block(head="# Remember:"),
        block().replace("\n", "\r\n"),
        "```\n" + block() + "```\n",
        "# Add To Memory:\nContent: Use the cache for reads\ntype: PATTERN\n#\n",
        block(content="Use the cache for reads.!?,;"),
        block(content="Use the cache for reads\nand more"),
        "# Add To Memory:\nType: mistake\n" + block(),
        block(kind="pattern, guideline"),
    ],
)
def test_block_forms_that_are_extracted(text):
    (learning,) = extract(text)
    assert (learning.type, learning.content) == ("pattern", "Use the cache for reads")


@pytest.mark.parametrize(
    "text",
    [
        block(kind="domain"),
        block(content="short"),
        block(content="x" * 101),
        block(content="short........"),
        "# Add To Memory:\nType: pattern\nContent: never closed\n",
        "# Add To Memory:\nContent: has no type at all\n#\n",
        "# Add To Memory: Type: pattern\nContent: text after the marker\n#\n",
        "Best practice: close your files",
        "",
    ],
)
def test_text_that_is_not_a_block(text):
    assert extract(text) == []


@pytest.mark.parametrize(("length", "count"), [(5, 0), (6, 1), (100, 1), (101, 0)])
def test_content_has_6_to_100_characters(length, count):
    assert len(extract(block(content="y" * length))) == count


def test_duplicates_of_any_type_are_extracted_once():
    text = block() + block(kind="mistake", content="USE THE CACHE for reads")
    assert [item.type for item in extract(text)] == ["pattern"]


def test_natural_sentences_are_extracted_in_order():
    text = (
        "- **Best practice: close your files**\n" + block() + "Mistake: forgot to flush.\n"
        "Discovered pattern: one writer\nArchitecture: three layers of services\n"
    )
    assert [(item.type, item.content) for item in extract(text, natural=True)] == [
        ("guideline", "close your files"),
        ("pattern", "Use the cache for reads"),
        ("mistake", "forgot to flush"),
        ("pattern", "one writer"),
        ("architecture", "three layers of services"),
    ]


LINES = ["# Add To Memory:", "Type: pattern", "Content: abcdefgh", "#", "x", ""]


@given(st.lists(st.sampled_from(LINES)))
def test_any_mixture_of_lines_yields_complete_learnings(lines):
    for learning in extract("\n".join(lines), natural=True):
        assert learning.type in SECTION_OF
        assert lines[learning.line] == "# Add To Memory:"
