"""What the lines above a line say about it: its headings, outer items and the text above.

Each function scans a text once, for all of its lines, so that asking for every line is linear.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

from agent_memory.markdown.model import LineKind

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from agent_memory.markdown.model import Markdown

_LISTS = (LineKind.ITEM, LineKind.BLANK)


def lines_below(
    lines: Sequence[str], markdown: Markdown, says: Callable[[str], bool]
) -> list[bool]:
    """Return for each line whether ``says`` is true of a text that it is part of.

    These are its headings, its outer items, and the nearest paragraph above it in its section,
    which is passed in pairs of lines, because a phrase can be wrapped.
    """
    titles = {heading.line: heading for heading in markdown.headings}
    result = []
    open_headings: list[tuple[int, bool]] = []
    above = _Section(is_below=False)
    for at, text in enumerate(lines):
        kind = markdown.kinds[at]
        result.append(above.is_below(text))
        title = titles.get(at)
        if title:
            while open_headings and open_headings[-1][0] >= title.level:
                open_headings.pop()
            is_below = bool(open_headings and open_headings[-1][1]) or says(title.text)
            open_headings.append((title.level, is_below))
            above = _Section(is_below=is_below)
        else:
            above.add(text, kind, says)
    return result


class _Section:
    """The lines of a section so far that later ones can be part of."""

    def __init__(self, *, is_below: bool) -> None:
        self._is_below = is_below
        self._indents: list[int] = []
        self._outer: list[bool] = []
        self._last = ""  # the line above, if it is one of a paragraph
        self._is_said = False

    def is_below(self, text: str) -> bool:
        """Return whether one of the texts around the next line, ``text``, says it."""
        outer = bisect_left(self._indents, _indent(text))
        return self._is_below or self._is_said or bool(outer and self._outer[outer - 1])

    def add(self, text: str, kind: LineKind, says: Callable[[str], bool]) -> None:
        """Add the next line."""
        indent = _indent(text)
        if kind is LineKind.TEXT and not indent:
            is_new = not self._last
            self._is_said = says(f"{self._last} {text.strip()}") or (self._is_said and not is_new)
            self._last = text.strip()
        else:
            self._last = ""
        if not text.strip() or kind is LineKind.CODE:
            return
        outer = bisect_left(self._indents, indent)
        is_said = bool(outer and self._outer[outer - 1])
        del self._indents[outer:], self._outer[outer:]
        self._indents.append(indent)
        self._outer.append(is_said or (kind is LineKind.ITEM and says(text)))


def introductions(lines: Sequence[str], markdown: Markdown) -> list[int]:
    """Return for each line the number of the line above its list; its own outside of lists."""
    result: list[int] = []
    for at in range(len(lines)):
        is_list = at > 0 and markdown.kinds[at] in _LISTS
        result.append(result[-1] if is_list else at)
    return result


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" \t"))
