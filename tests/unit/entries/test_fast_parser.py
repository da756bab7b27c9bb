"""The quick reader of entry files says what the reader of any YAML says, or nothing."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from agent_memory.entries import fast_parser
from agent_memory.entries.entry_file import (
    Entry,
    Place,
    Skipped,
    _parse_any,
    parse,
    render,
)

PLACE = Place("agent", agent="folder")
ID = "01K5ZQ8V3M7Y2XB4T6N9C0DEFG"
TEXT = st.text(st.characters(exclude_categories=("Cs",)), min_size=1, max_size=100).filter(
    str.strip
)
WORDS = st.lists(
    st.sampled_from(
        ["deploy", "true", "null", "1.0", "a:", "b: c", "#no", '"q"', "it's", "-", "été"]
    ),
    min_size=1,
    max_size=24,
).map(" ".join)
NAMES = st.sampled_from([None, "writer", "true", "12", "a-b"])
ENTRIES = st.builds(
    Entry,
    st.sampled_from([ID, "1" * 26, "1" * 12 + "E" + "1" * 13]),
    st.sampled_from(["global", "agent", "run"]),
    st.sampled_from(["user", "feedback", "project", "reference"]),
    TEXT | WORDS,
    TEXT | WORDS,
    st.integers(0, 2**45),
    NAMES,
    NAMES,
    st.lists(TEXT | WORDS, max_size=3).map(tuple),
    st.none() | st.integers(0, 2**45),
)


def slowly(text):
    try:
        return _parse_any(text, PLACE, None)
    except Skipped:
        return None


@settings(deadline=None, max_examples=300)
@given(ENTRIES)
def test_what_is_written_is_read_alike(entry):
    text = render(entry)
    assert parse(text, PLACE) == _parse_any(text, PLACE, None)


@settings(deadline=None, max_examples=500)
@example(Entry(ID, "global", "user", "a", "b", 1), 60, 1, "\r")
@example(Entry(ID, "global", "user", "a b", "b", 1), 62, 1, "\u00a0\n  ")
@given(ENTRIES, st.integers(0, 300), st.integers(0, 3), st.text(max_size=3) | TEXT)
def test_whatever_it_reads_after_an_edit_is_right(entry, at, cut, new):
    text = render(entry)
    text = text[:at] + new + text[at + cut :]
    if fast_parser.read(text) is not None:
        assert parse(text, PLACE) == slowly(text)


@pytest.mark.parametrize(
    ("summary", "quick"),
    [
        ("plain words", True),
        ("a: colon", True),
        ("it's", True),
        ("a\\b: \tc", False),
        ("two\nlines", False),
    ],
)
def test_the_usual_forms_take_the_quick_way(summary, quick):
    text = render(Entry(ID, "global", "user", summary, "b", 1, tags=("ops", "v1: x")))
    assert (fast_parser.read(text) is not None) == quick
