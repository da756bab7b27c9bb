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
def test_what_cannot_be_seen_is_spelled_out(value, shown):
    assert visible.text(value) == shown


@given(odd)
def test_nothing_a_terminal_obeys_gets_through(value):
    shown = visible.text(value)
    assert shown.isprintable()
    assert shown.encode().decode() == shown


@pytest.mark.parametrize(
    ("value", "columns"), [("abc", 3), ("漢字", 4), ("e\u0301", 1), ("\u2764\ufe0f", 1), ("", 0)]
)
def test_columns(value, columns):
    assert visible.width(value) == columns


def test_tabs_go_to_the_next_stop():
    assert visible.cells("a\tb\t\tc") == ["a", "   ", "b", "   ", "    ", "c"]
    assert visible.cells("漢\tx") == ["漢", "  ", "x"]


@given(odd, st.integers(0, 60), st.integers(0, 60), st.integers(20, 40))
def test_a_clipped_line_fits_and_shows_the_place(line, start, length, room):
    start = min(start, len(line))
    end = min(start + length, len(line))
    text, at, width = visible.clip(visible.cells(line), start, end, room)
    assert visible.width(text) <= room
    assert 0 <= at <= visible.width(text)
    assert width >= 1
    if start < len(line):
        shown = visible.cells(line)[start]
        assert at + visible.width(shown) <= visible.width(text) or visible.width(shown) > room // 3


def test_the_middle_of_a_long_line_is_shown_with_both_ends_cut():
    line = "a" * 50 + "HERE" + "b" * 50
    text, at, width = visible.clip(list(line), 50, 54, 30)
    assert text == "\u2026" + "a" * 9 + "HERE" + "b" * 15 + "\u2026"
    assert text[at : at + width] == "HERE"


def test_the_end_of_a_long_line_uses_the_room_before_it():
    text, at, width = visible.clip(list("a" * 50 + "HERE"), 50, 54, 30)
    assert text == "\u2026" + "a" * 24 + "HERE"
    assert text[at : at + width] == "HERE"
