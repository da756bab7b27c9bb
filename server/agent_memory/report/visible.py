"""Text for a terminal: hidden characters visible, columns counted, long lines clipped.

A terminal executes control characters and does not show others, so both are printed as escapes.
Widths follow UAX #11: wide characters take two columns, combining marks none.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

TAB = 4
"""Columns between two tab stops."""
_HIDDEN = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"})
"""Categories of Unicode without a visible form, such as control characters."""
_EMOJI_PARTS = "\ufe0f\ufe0e"  # variation selectors


@lru_cache(maxsize=4096)
def char(value: str) -> str:
    """Return the character ``value``, or an escape such as ``<U+200B>`` if it is invisible."""
    if value.isascii() and value.isprintable():
        return value
    if unicodedata.category(value) in _HIDDEN:
        return f"<U+{ord(value):04X}>"
    return value


def text(value: str) -> str:
    """Return ``value`` on one line, with hidden characters as escapes."""
    return value if value.isascii() and value.isprintable() else "".join(map(char, value))


@lru_cache(maxsize=4096)
def _char_width(value: str) -> int:
    """Return the terminal columns of a visible character: 0, 1 or 2."""
    if value in _EMOJI_PARTS or unicodedata.category(value) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(value) in "WF" else 1


def width(value: str) -> int:
    """Return the number of terminal columns of the visible text ``value``."""
    return len(value) if value.isascii() else sum(map(_char_width, value))


def cells(line: str) -> list[str]:
    """Return the visible form of each character of ``line``, its cell.

    A tab becomes spaces up to the next multiple of ``TAB`` columns.
    """
    if "\t" not in line:
        return [char(value) for value in line]
    out: list[str] = []
    column = 0
    for value in line:
        shown = " " * (TAB - column % TAB) if value == "\t" else char(value)
        out.append(shown)
        column += width(shown)
    return out


def clip(shown: list[str], start: int, end: int, room: int) -> tuple[str, int, int]:
    """Return (text, column, width): the cells ``shown`` clipped to ``room`` columns.

    The text shows the cells around the range from ``start`` to ``end`` (exclusive); an ellipsis is
    in place of clipped ones. The range begins at ``column`` of the text, from 0, and has a visible
    ``width`` of at least 1. The text before the range gets a third of the columns, and those that
    the range and the text after it leave free.
    """
    widths = [width(cell) for cell in shown]
    if sum(widths) <= room:
        return "".join(shown), sum(widths[:start]), max(1, sum(widths[start:end]))
    room -= 2  # for an ellipsis on each side
    # The cells from `low` to `high` (exclusive) are shown, in `used` columns.
    low, used = _leftwards(widths, start, room // 3)
    high = start
    while high < len(shown) and used + widths[high] <= room:
        used += widths[high]
        high += 1
    low, _ = _leftwards(widths, low, room - used)
    head, tail = "\u2026" * (low > 0), "\u2026" * (high < len(shown))
    column = len(head) + sum(widths[low:start])
    marked = sum(widths[start : min(end, high)])
    return head + "".join(shown[low:high]) + tail, column, max(1, marked)


def _leftwards(widths: list[int], at: int, room: int) -> tuple[int, int]:
    """Return (first cell, columns used) of the cells left of ``at`` that fit in ``room`` columns.

    ``widths`` are the columns of each cell.
    """
    used = 0
    while at and used + widths[at - 1] <= room:
        at -= 1
        used += widths[at]
    return at, used
