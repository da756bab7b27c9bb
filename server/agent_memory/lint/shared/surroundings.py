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
_PARAGRAPH = 10
"""Lines of a paragraph that are searched for code spans."""
_CHARACTERS = 2000
"""Characters of each of these lines that are searched."""
_COLONS = (":", "：")  # noqa: RUF001


def lines_below(
    lines: Sequence[str], markdown: Markdown, says: Callable[[str], bool]
) -> list[bool]:
    """Return for each line whether ``says`` is true of a text above that is about the line.

    Such texts are its headings, its outer items, and the nearest paragraph above it in its section,
    which is passed in pairs of lines, because a phrase can be wrapped. The line of a heading still
    counts to the section above it.
    """
    titles = {heading.line: heading for heading in markdown.headings}
    result = []
    open_headings: list[tuple[int, bool]] = []  # (level, whether it or an outer one says it)
    section = _Section(heading_says=False)
    for at, text in enumerate(lines):
        kind = markdown.kinds[at]
        result.append(section.says_about(text))
        title = titles.get(at)
        if title:  # a section begins; it is inside of the headings above with a lower level
            while open_headings and open_headings[-1][0] >= title.level:
                open_headings.pop()
            heading_says = bool(open_headings and open_headings[-1][1]) or says(title.text)
            open_headings.append((title.level, heading_says))
            section = _Section(heading_says=heading_says)
        else:
            section.add(text, kind, says)
    return result


class _Section:
    """What the lines of a section so far say about its next line.

    ``heading_says``: one of the headings above says it, so it holds for every line.
    """

    def __init__(self, *, heading_says: bool) -> None:
        self._heading_says = heading_says
        # The lines that the next one may be nested in, from the outermost: their indents in
        # characters, and for each whether it or one that it is nested in says it.
        self._indents: list[int] = []
        self._outer_says: list[bool] = []
        self._paragraph_line = ""  # the line above without its indent, '' outside of a paragraph
        self._paragraph_says = False  # about the paragraph above, also after its end

    def says_about(self, line: str) -> bool:
        """Return whether a heading, the paragraph above or an outer line says it of ``line``."""
        return self._heading_says or self._paragraph_says or self._is_nested_in_one(_indent(line))

    def add(self, line: str, kind: LineKind, says: Callable[[str], bool]) -> None:
        """Add the next line of the section, which later lines may be part of."""
        if kind is LineKind.TEXT and not _indent(line):  # with an indent, it is part of an item
            self._add_to_paragraph(line.strip(), says)
        else:
            self._paragraph_line = ""
        if line.strip() and kind is not LineKind.CODE:  # the indents of code nest nothing
            self._add_outer(line, says if kind is LineKind.ITEM else None)

    def _add_to_paragraph(self, text: str, says: Callable[[str], bool]) -> None:
        """Add a line of a paragraph; it is read together with the line above it."""
        continues = bool(self._paragraph_line)
        earlier_line_says = continues and self._paragraph_says
        self._paragraph_says = says(f"{self._paragraph_line} {text}") or earlier_line_says
        self._paragraph_line = text

    def _add_outer(self, line: str, says: Callable[[str], bool] | None) -> None:
        """Add a line that the next ones may be nested in; ``says`` is None except for items."""
        indent = _indent(line)
        outer_says = self._is_nested_in_one(indent)
        outer = bisect_left(self._indents, indent)  # the number of lines with a smaller indent
        del self._indents[outer:], self._outer_says[outer:]  # the others end here
        self._indents.append(indent)
        self._outer_says.append(outer_says or (says is not None and says(line)))

    def _is_nested_in_one(self, indent: int) -> bool:
        """Return whether a line with ``indent`` characters is nested in one that says it."""
        outer = bisect_left(self._indents, indent)
        return outer > 0 and self._outer_says[outer - 1]


def introductions(lines: Sequence[str], markdown: Markdown) -> list[int]:
    """Return for each line the number of the line above its list; its own outside of lists.

    An item or a blank line has the number that the line above it has. Any other line, also a
    wrapped one of an item, has its own, which the items below it get.
    """
    result: list[int] = []
    for at in range(len(lines)):
        is_list = at > 0 and markdown.kinds[at] in _LISTS
        result.append(result[-1] if is_list else at)
    return result


def introduction(file: MemoryFile, line: int) -> str:
    """Return the text that ends with a colon above the list of ``line``, in lower case.

    It is the item that the item of ``line`` is nested in, else the text above the whole list; ''
    without such a text, and outside of lists.
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
    """Return the line of the item that each nested item is directly in, by that item's own line.

    An item is nested in the nearest one above with a smaller indent.
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

    Nothing in a row of a table, whose cells are about different things.
    """
    kinds, lines = file.markdown.kinds, file.lines
    spans = code_spans(lines[place.line][:_CHARACTERS])
    before = [span.text for span in spans if span.start < place.start]
    for line in range(place.line, max(0, place.line - _PARAGRAPH), -1):
        if lines[line].lstrip().startswith("|"):
            return
        yield from before
        is_wrapped = kinds[line] is LineKind.TEXT
        if not is_wrapped or kinds[line - 1] not in (LineKind.TEXT, LineKind.ITEM):
            return
        before = [span.text for span in code_spans(lines[line - 1][:_CHARACTERS])]


def precedes_fence(file: MemoryFile, line: int) -> bool:
    """Return whether the next line with text opens a fence, such as with the content of a file."""
    kinds = file.markdown.kinds
    below = range(line + 1, len(kinds))
    after = next((number for number in below if kinds[number] is not LineKind.BLANK), -1)
    return after in file.content.once(_fence_lines, file)


def _fence_lines(file: MemoryFile) -> frozenset[int]:
    """Return the numbers of the lines that open a fence."""
    return frozenset(fence.open for fence in file.markdown.fences)


def _indent(line: str) -> int:
    """Return the number of spaces and tabs before the text; a tab counts as one."""
    return len(line) - len(line.lstrip(" \t"))
