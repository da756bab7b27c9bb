from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_memory.report import visible

odd = st.text(
    st.sampled_from("ab \t\u200b\u202e\x1b\x07\ufeff\u0301漢\U0001f600\ufe0f\ud800"), max_size=60
)


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("plain é 漢 \u2764\ufe0f", "plain é 漢 \u2764\ufe0f"),
        ("a\u200bb", "a<U+200B>b"),
        ("\x1b[31m", "<U+001B>[31m"),
        ("a\nb", "a<U+000A>b"),
        ("\U000e0041", "<U+E0041>"),
        ("\u2028", "<U+2028>"),
        ("\udcff", "<U+DCFF>"),
    ],
)
def test_invisible_characters_are_escaped(value, shown):
    assert visible.text(value) == shown


@given(odd)
def test_control_characters_are_escaped(value):
    shown = visible.text(value)
    assert shown.isprintable()
    assert shown.encode().decode() == shown


@pytest.mark.parametrize(
    ("value", "columns"), [("abc", 3), ("漢字", 4), ("e\u0301", 1), ("\u2764\ufe0f", 1), ("", 0)]
)
def test_width_counts_terminal_columns(value, columns):
    assert visible.width(value) == columns


def test_tabs_extend_to_the_next_stop():
    assert visible.cells("a\tb\t\tc") == ["a", "   ", "b", "   ", "    ", "c"]
    assert visible.cells("漢\tx") == ["漢", "  ", "x"]


@given(odd, st.integers(0, 60), st.integers(0, 60), st.integers(20, 40))
def test_clipped_line_fits_and_shows_the_span(line, start, length, room):
    start = min(start, len(line))
    end = min(start + length, len(line))
    text, at, width = visible.clip(visible.cells(line), start, end, room)
    assert visible.width(text) <= room
    assert 0 <= at <= visible.width(text)
    assert width >= 1
    if start < len(line):
        shown = visible.cells(line)[start]
        assert at + visible.width(shown) <= visible.width(text) or visible.width(shown) > room // 3


def test_middle_of_a_long_line_is_clipped_at_both_ends():
    line = "a" * 50 + "HERE" + "b" * 50
    text, at, width = visible.clip(list(line), 50, 54, 30)
    assert text == "\u2026" + "a" * 9 + "HERE" + "b" * 15 + "\u2026"
    assert text[at : at + width] == "HERE"


def test_end_of_a_long_line_uses_all_columns():
    text, at, width = visible.clip(list("a" * 50 + "HERE"), 50, 54, 30)
    assert text == "\u2026" + "a" * 24 + "HERE"
    assert text[at : at + width] == "HERE"
