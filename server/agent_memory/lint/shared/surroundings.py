"""What the lines around a line say about it: its headings, outer items, the text above its list.

Each function scans a text once, for all of its lines, so that asking for every line is linear.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

from agent_memory.markdown.code_spans import code_spans
from agent_memory.markdown.model import LineKind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from agent_memory.base.text import Span
    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.markdown.model import Markdown

_LISTS = (LineKind.ITEM, LineKind.BLANK)
"""Kinds of lines that continue a list for :func:`introductions`; a wrapped line does not."""
_OF_PARAGRAPH = (LineKind.TEXT, LineKind.ITEM)
"""Kinds of lines that a line of text below them continues."""
_PARAGRAPH = 10
"""Lines of a paragraph that are searched for code spans."""
_CHARACTERS = 2000
"""Characters of each of these lines that are searched."""
_COLONS = (":", "：")  # noqa: RUF001


def lines_below(
    lines: Sequence[str], markdown: Markdown, matches: Callable[[str], bool]
) -> list[bool]:
    """Return for each line whether ``matches`` is True for a text above that is about the line.

    Such texts are its headings, its outer items, and the nearest paragraph above it in its section,
    which is passed in pairs of lines, because a phrase can be wrapped. The line of a heading still
    counts to the section above it.
    """
    titles = {heading.line: heading for heading in markdown.headings}
    result = []
    open_headings: list[tuple[int, bool]] = []  # (level, whether it or an outer heading matches)
    section = _Section(matches, heading_matches=False)
    for number, line in enumerate(lines):
        result.append(section.matches_above(line))
        title = titles.get(number)
        if not title:
            section.add(line, markdown.kinds[number])
            continue
        # A new section begins, nested in the headings above that have a lower level.
        while open_headings and open_headings[-1][0] >= title.level:
            open_headings.pop()
        outer_matches = bool(open_headings) and open_headings[-1][1]
        heading_matches = outer_matches or matches(title.text)
        open_headings.append((title.level, heading_matches))
        section = _Section(matches, heading_matches=heading_matches)
    return result


class _Section:
    """The lines of a section so far, and whether ``matches`` is True for those about the next line.

    ``heading_matches``: ``matches`` is True for a heading above, which is about every line.
    """

    def __init__(self, matches: Callable[[str], bool], *, heading_matches: bool) -> None:
        self._matches = matches
        self._heading_matches = heading_matches
        # The lines that the next one may be nested in, from the outermost: their indents in
        # characters, and whether each of them, or an outer one, is an item that matches.
        self._indents: list[int] = []
        self._outer_matches: list[bool] = []
        self._paragraph_line = ""  # the line above without its indent, '' outside of a paragraph
        self._paragraph_matches = False  # of the nearest paragraph above, also after its end

    def matches_above(self, line: str) -> bool:
        """Return whether a heading, the paragraph above or an outer item of ``line`` matches."""
        if self._heading_matches or self._paragraph_matches:
            return True
        return self._is_nested_in_match(_indent(line))

    def add(self, line: str, kind: LineKind) -> None:
        """Add the next line of the section: lines below it may be nested in it."""
        if kind is LineKind.TEXT and not _indent(line):  # with an indent, it is part of an item
            self._add_to_paragraph(line.strip())
        else:
            self._paragraph_line = ""
        if line.strip() and kind is not LineKind.CODE:  # the indents of code nest nothing
            self._add_outer(line, is_item=kind is LineKind.ITEM)

    def _add_to_paragraph(self, text: str) -> None:
        """Add a line of a paragraph, which is matched together with the line above it."""
        is_continued = bool(self._paragraph_line)
        earlier_line_matches = is_continued and self._paragraph_matches
        two_lines = f"{self._paragraph_line} {text}"
        self._paragraph_matches = self._matches(two_lines) or earlier_line_matches
        self._paragraph_line = text

    def _add_outer(self, line: str, *, is_item: bool) -> None:
        """Add a line that the next ones may be nested in; only an item can match."""
        indent = _indent(line)
        is_match = self._is_nested_in_match(indent) or (is_item and self._matches(line))
        outer = bisect_left(self._indents, indent)  # the number of lines with a smaller indent
        del self._indents[outer:], self._outer_matches[outer:]  # the others end here
        self._indents.append(indent)
        self._outer_matches.append(is_match)

    def _is_nested_in_match(self, indent: int) -> bool:
        """Return whether a line with ``indent`` characters is nested in an item that matches."""
        outer = bisect_left(self._indents, indent)  # the number of lines with a smaller indent
        return outer > 0 and self._outer_matches[outer - 1]


def introductions(lines: Sequence[str], markdown: Markdown) -> list[int]:
    """Return for each line the number of the line above its list.

    For a line that is neither an item nor blank, also a wrapped one of an item, this is its own
    number. The items and blank lines below it, up to the next such line, have this number too.
    """
    result: list[int] = []
    for number in range(len(lines)):
        continues_list = number > 0 and markdown.kinds[number] in _LISTS
        result.append(result[-1] if continues_list else number)
    return result


def introduction(file: MemoryFile, line: int) -> str:
    """Return the text that introduces the item on ``line`` with a colon, in lower case.

    It is the item that the one on ``line`` is nested in, else the line of text above the list. ''
    if neither ends with a colon, and for a line that begins no item.
    """
    kinds = file.markdown.kinds
    if kinds[line] is not LineKind.ITEM:
        return ""
    outer = file.content.once(outer_items, file).get(line)
    if outer is not None:
        text = _without_emphasis(file.lines[outer])
        if text.endswith(_COLONS):
            return text.lower()
    above = file.content.once(introductions, file.lines, file.markdown)[line]
    if kinds[above] is not LineKind.TEXT:
        return ""
    text = _without_emphasis(file.lines[above])
    return text.lower() if text.endswith(_COLONS) else ""


def _without_emphasis(line: str) -> str:
    """Return ``line`` without spaces around it, and without ``**`` or ``_`` at its end."""
    return line.strip().rstrip("*_ ")


def outer_items(file: MemoryFile) -> dict[int, int]:
    """Return {line of a nested item: line of the item that it is directly nested in}.

    That is the nearest item above with a smaller indent.
    """
    outer: dict[int, int] = {}
    above: list[tuple[int, int]] = []  # (indent, line) of the items that the next one may be in
    for item in file.markdown.items:
        text = file.lines[item.line]
        indent = len(text) - len(text.lstrip())
        while above and above[-1][0] >= indent:
            above.pop()
        if above:
            outer[item.line] = above[-1][1]
        above.append((indent, item.line))
    return outer


def spans_before(file: MemoryFile, place: Span) -> Iterator[str]:
    """Yield the text of the code spans before ``place`` in its paragraph or item.

    At most :data:`_PARAGRAPH` lines are searched, and never the first line of the file. Nothing is
    yielded in a row of a table, whose cells are about different things.
    """
    kinds, lines = file.markdown.kinds, file.lines
    for line in range(place.line, max(0, place.line - _PARAGRAPH), -1):
        if lines[line].lstrip().startswith("|"):
            return
        for span in code_spans(lines[line][:_CHARACTERS]):
            if line < place.line or span.start < place.start:
                yield span.text
        is_wrapped = kinds[line] is LineKind.TEXT and kinds[line - 1] in _OF_PARAGRAPH
        if not is_wrapped:
            return


def precedes_fence(file: MemoryFile, line: int) -> bool:
    """Return whether the next line below ``line`` that is not blank opens a fence."""
    kinds = file.markdown.kinds
    below = range(line + 1, len(kinds))
    next_line = next((number for number in below if kinds[number] is not LineKind.BLANK), -1)
    return next_line in file.content.once(_fence_lines, file)


def _fence_lines(file: MemoryFile) -> frozenset[int]:
    """Return the numbers of the lines that open a fence."""
    return frozenset(fence.open for fence in file.markdown.fences)


def _indent(line: str) -> int:
    """Return the number of spaces and tabs before the text; a tab counts as one."""
    return len(line) - len(line.lstrip(" \t"))
