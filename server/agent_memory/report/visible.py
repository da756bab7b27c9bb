"""Text for a terminal: hidden characters visible, columns counted, long lines clipped.

A terminal executes control characters and does not show others, so both are printed as escapes.
Widths follow UAX #11: wide characters take two columns, combining marks none.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

TAB = 4
_HIDDEN = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"})
_EMOJI_PARTS = "\ufe0f\ufe0e"


@lru_cache(maxsize=4096)
def char(value: str) -> str:
    """Return a character in visible form, such as ``<U+200B>`` for an invisible one."""
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
    if value in _EMOJI_PARTS or unicodedata.category(value) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(value) in "WF" else 1


def width(value: str) -> int:
    """Return the number of terminal columns of the visible text ``value``."""
    return len(value) if value.isascii() else sum(map(_char_width, value))


def cells(line: str) -> list[str]:
    """Return the visible form of each character of ``line``; tabs extend to the next stop."""
    if "\t" not in line:
        return [char(item) for item in line]
    out: list[str] = []
    column = 0
    for item in line:
        shown = " " * (TAB - column % TAB) if item == "\t" else char(item)
        out.append(shown)
        column += width(shown)
    return out


def clip(shown: list[str], start: int, end: int, room: int) -> tuple[str, int, int]:
    """Return the cells ``shown`` as text, clipped to ``room`` columns around ``start`` to ``end``.

    Also return the first column of that range in the text, and its visible width (at least 1).
    The text before the range gets a third of the columns, and those that are free after it.
    """
    widths = [width(item) for item in shown]
    if sum(widths) <= room:
        return "".join(shown), sum(widths[:start]), max(1, sum(widths[start:end]))
    room -= 2  # for an ellipsis on each side
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
    """Return the first cell of those in ``room`` columns left of ``at``, and the columns used."""
    used = 0
    while at and used + widths[at - 1] <= room:
        at -= 1
        used += widths[at]
    return at, used
