from __future__ import annotations

import pytest

from agent_memory.markdown.line_model import ItemLine, QuoteLine, TextLine
from agent_memory.markdown.line_parser import MAX_MARKERS, classify
from agent_memory.markdown.parser import scan
from timing import growth

MARKERS = [">", "> ", "- ", "* ", "1. ", "> - ", "-\t"]


def depth(line):
    """Return the number of quotes and items inside each other, and what the innermost contains."""
    count = 0
    while isinstance(line, QuoteLine | ItemLine):
        line, count = line.inner, count + 1
    return count, line


@pytest.mark.parametrize("marker", MARKERS)
def test_nested_markers_are_read_up_to_a_limit(marker):
    assert depth(classify(marker * 20 + "x"))[0] == 20 * len(marker.split())
    count, inner = depth(classify(marker * 50_000 + "x <!--"))
    assert count == MAX_MARKERS
    assert isinstance(inner, TextLine)
    assert inner.has_comment


@pytest.mark.slow
@pytest.mark.parametrize("marker", MARKERS)
def test_nested_markers_take_linear_time(marker):
    def work(size):
        return lambda: scan([marker * size + "x\n"])

    assert growth(work(15_000), work(60_000), enough=8, offset=0.002) <= 8


def test_lines_of_nested_markers_are_equal_and_one_item_each():
    line = "- " * 340 + "x\n"
    assert classify(line) == classify(line)
    found = scan(["# P\n", "\n", line, "- after\n"])
    assert len(found.items) == MAX_MARKERS + 1
    assert found.headings[0].text == "P"
