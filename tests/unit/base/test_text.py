from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_memory.base import text
from agent_memory.base.text import Span

ODD = "ab \t\né\u2028\u2029\x0c\x0b\x1c\x85\r\U0001f600\ud83d\ude00\ufeff漢\u200b"
texts = st.text(st.sampled_from(ODD), max_size=40)
encodings = st.sampled_from(["utf-8", "utf-16", "utf-32"])
lines = st.text(st.sampled_from(ODD.replace("\n", "").replace("\r", "")), max_size=20)


@given(texts)
def test_joined_lines_equal_the_text(value):
    assert "".join(text.split_lines(value)) == value


@given(texts)
def test_only_the_newlines_of_the_protocol_split_lines(value):
    for line in text.split_lines(value):
        content = text.without_newline(line)
        assert "\n" not in content
        assert "\r" not in content
        assert line[len(content) :] in ("\n", "\r\n", "\r", "")


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("", []),
        ("a", ["a"]),
        ("a\n", ["a\n"]),
        ("a\r\nb\rc\nd", ["a\r\n", "b\r", "c\n", "d"]),
        ("a\n\r", ["a\n", "\r"]),
        ("a\u2028b\x0cc\x85d\n", ["a\u2028b\x0cc\x85d\n"]),
    ],
)
def test_split_lines(value, expected):
    assert text.split_lines(value) == expected


@given(lines, encodings, st.data())
def test_columns_convert_to_units_and_back(line, encoding, data):
    column = data.draw(st.integers(0, len(line)))
    units = text.to_units(line, column, encoding)
    assert text.from_units(line, units, encoding) == column


@given(lines, encodings)
def test_units_are_those_of_the_encoding(line, encoding):
    sizes = {
        "utf-8": len(line.encode("utf-8", "surrogatepass")),
        "utf-16": len(line.encode("utf-16-le", "surrogatepass")) // 2,
        "utf-32": len(line),
    }
    assert text.to_units(line + "\r\n", 10_000, encoding) == sizes[encoding]


@given(lines, encodings, st.integers(-3, 100))
def test_any_units_convert_to_a_column_of_the_line(line, encoding, units):
    column = text.from_units(line + "\n", units, encoding)
    assert 0 <= column <= len(line)
    assert text.to_units(line, column, encoding) <= max(units, 0)


@pytest.mark.parametrize(("encoding", "units"), [("utf-8", 2), ("utf-16", 1)])
def test_a_position_inside_a_character_is_its_start(encoding, units):
    assert text.from_units("\U0001f600x", units, encoding) == 0


@given(texts)
def test_whole_covers_everything(value):
    rows = text.split_lines(value)
    assert text.slice_span(rows, text.full_span(rows)) == value


def test_newline_of_is_that_of_the_first_line():
    assert text.newline_of(["a\r\n", "b\n"]) == "\r\n"
    assert text.newline_of(["a\r", "b\n"]) == "\r"
    assert text.newline_of(["a"]) == "\n"
    assert text.newline_of([]) == "\n"


def offset(rows: list[str], line: int, column: int) -> int:
    return sum(map(len, rows[:line])) + column


@given(texts, st.data())
def test_edits_equal_slices_of_the_text(value, data):
    rows = text.split_lines(value)
    places = [
        (n, c) for n, row in enumerate(rows) for c in range(len(text.without_newline(row)) + 1)
    ]
    places.append((len(rows), 0))
    picked = sorted(data.draw(st.lists(st.sampled_from(places), max_size=6)))
    pairs = list(zip(picked[::2], picked[1::2], strict=False))
    edits = [(Span(*a, *b), data.draw(st.text("xy\n", max_size=3))) for a, b in pairs]
    expected, shift = value, 0
    for span, new in edits:
        low, high = offset(rows, *span[:2]) + shift, offset(rows, *span[2:]) + shift
        expected = expected[:low] + new + expected[high:]
        shift += len(new) - (high - low)
    assert (
        text.apply_edits(rows, data.draw(st.permutations(edits)) if distinct(edits) else edits)
        == expected
    )


def distinct(edits: list[tuple[Span, str]]) -> bool:
    return len({span[:2] for span, _ in edits}) == len(edits)


def test_edits_at_one_position_keep_their_order():
    at = Span(0, 1, 0, 1)
    assert text.apply_edits(["ab\n"], [(at, "1"), (at, "2")]) == "a12b\n"


def test_overlapping_edits_are_refused():
    with pytest.raises(ValueError, match="overlap at line 1"):
        text.apply_edits(["abcd\n"], [(Span(0, 0, 0, 3), ""), (Span(0, 2, 0, 4), "")])


def test_edits_after_the_end_append():
    assert text.apply_edits(["a"], [(Span(1, 0, 1, 0), "b")]) == "ab"
    assert text.slice_span(["a"], Span(3, 0, 4, 0)) == ""
