"""Text for a terminal: hidden characters visible, columns counted, long lines clipped.

A terminal executes control characters and does not show others, so both are printed as escapes.
Widths follow UAX #11: wide characters take two columns, combining marks none.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import NamedTuple

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
    is_combining_mark = unicodedata.category(value) in ("Mn", "Me")
    if value in _EMOJI_PARTS or is_combining_mark:
        return 0
    is_wide = unicodedata.east_asian_width(value) in ("W", "F")  # wide or full width
    return 2 if is_wide else 1


def width(value: str) -> int:
    """Return the number of terminal columns of the visible text ``value``."""
    return len(value) if value.isascii() else sum(map(_char_width, value))


def cells(line: str) -> list[str]:
    """Return the cells of ``line``: the visible form of each of its characters.

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


class Clipped(NamedTuple):
    """The visible part of a line with a range, which begins at ``column`` of ``text``, from 0.

    ``width`` is the number of columns of the range that are visible, at least 1.
    """

    text: str
    column: int
    width: int


def clip(shown: list[str], start: int, end: int, room: int) -> Clipped:
    """Return the cells ``shown`` around the range from ``start`` to ``end`` (exclusive).

    At most ``room`` columns are used. An ellipsis stands for the cells that are cut off on a side.
    The text before the range gets a third of the columns, and those that the range and the text
    after it leave free.
    """
    widths = [width(cell) for cell in shown]
    if sum(widths) <= room:
        return Clipped("".join(shown), sum(widths[:start]), max(1, sum(widths[start:end])))
    room -= 2  # for an ellipsis on each side
    # The cells from `low` to `high` (exclusive) are shown.
    low = _first_fitting(widths, start, room // 3)
    high = start
    used = sum(widths[low:start])
    while high < len(shown) and used + widths[high] <= room:
        used += widths[high]
        high += 1
    low = _first_fitting(widths, low, room - used)
    head = "\u2026" if low > 0 else ""
    tail = "\u2026" if high < len(shown) else ""
    column = len(head) + sum(widths[low:start])
    visible_width = sum(widths[start : min(end, high)])
    return Clipped(head + "".join(shown[low:high]) + tail, column, max(1, visible_width))


def _first_fitting(widths: list[int], end: int, room: int) -> int:
    """Return the first cell of those directly before ``end`` that together fit in ``room`` columns.

    ``widths`` are the columns of each cell. It is ``end`` if not even one cell fits.
    """
    first = end
    used = 0
    while first > 0 and used + widths[first - 1] <= room:
        first -= 1
        used += widths[first]
    return first
