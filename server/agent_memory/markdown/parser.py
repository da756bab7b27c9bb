"""One pass over the lines of a markdown file: what each line is, with positions.

Only what memory files need is recognised: front matter, top-level headings, list items, fences,
comments. A full parser costs 30 times as much per keystroke; it serves as the oracle in the
tests. The rules follow CommonMark 0.31 for fences (4.5), ATX and setext headings (4.2, 4.3), list
items (5.2), paragraphs with lazy continuation (5.1) and HTML comments (4.6), with two deviations
on purpose, because agents read memory as text: tags do not start an HTML block, so that what
stands between ``<rules>`` and ``</rules>`` is still a list; and the inside of a block quote is
plain text.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from agent_memory.base.text import BOM, Span, body
from agent_memory.markdown import front_matter, line_parser
from agent_memory.markdown.line_parser import Line, Start
from agent_memory.markdown.model import (
    Comment,
    Fence,
    Heading,
    Item,
    LineKind,
    Markdown,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agent_memory.markdown.line_parser import FenceData, HeadingData, ItemData

_SECTIONS_MAX = 1 << 14
_sections: dict[tuple[int, str], _Section] = {}
_new = tuple.__new__  # half the cost of Item(...), which counts where there are thousands
_UNFINISHED = Item(0, 0, 0, "", "", 0)
CODE_SPAN = re.compile(r"(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)")


def scan(lines: Sequence[str], *, mapping: bool = True) -> Markdown:
    """Scan ``lines`` (with or without their endings) once, front to back.

    ``mapping``: front matter is only what looks like a YAML mapping, as in memory; a skill's is
    front matter even where it is broken.

    A top-level heading ends whatever stands before it, so what is below one is kept by its
    text and place: after a keystroke only the section around it is scanned anew. A byte order
    mark is no part of what it stands before.
    """
    if lines and lines[0].startswith(BOM):
        return _shifted(scan([lines[0][1:], *lines[1:]]))
    out = Markdown()
    out.front_matter = front_matter.find(lines, mapping=mapping)
    number, count = out.front_matter[1] + 1 if out.front_matter else 0, len(lines)
    out.kinds += [LineKind.FRONT] * number
    while number < count:
        key = (number, lines[number])
        known = _sections.get(key)
        if known is None or not known.fits(lines, number):
            if len(_sections) >= _SECTIONS_MAX:
                _sections.clear()
            known = _sections[key] = _Scanner(lines).section(number)
        number += len(known.lines)
        found = known.found
        out.kinds += found.kinds
        out.headings += found.headings
        out.items += found.items
        out.fences += found.fences
        out.comments += found.comments
    return out


def _shifted(found: Markdown) -> Markdown:
    """Make room for the byte order mark in the columns of the first line."""
    found.headings = [
        head._replace(start=head.start + 1) if head.line == 0 else head for head in found.headings
    ]
    found.items = [
        item._replace(start=item.start + 1) if item.line == 0 else item for item in found.items
    ]
    for number, comment in enumerate(found.comments):
        line, start, end_line, end = comment.span
        if line == 0:
            span = Span(line, start + 1, end_line, end + (end_line == 0))
            found.comments[number] = comment._replace(span=span)
    return found


def section_end(markdown: Markdown, heading: Heading) -> int:
    """Return the line behind the section of ``heading``, its sub-sections included."""
    for other in markdown.headings:
        if other.line > heading.line and other.level <= heading.level:
            return other.line
    return len(markdown.kinds)


class _Section(NamedTuple):
    """Lines that belong together whatever stands around them, and what was found in them."""

    lines: Sequence[str]
    last: bool  # the file ended with them
    found: Markdown

    def fits(self, lines: Sequence[str], number: int) -> bool:
        """Whether the same lines stand at ``number``, and end there."""
        end = number + len(self.lines)
        if self.last or end >= len(lines):
            return self.last and end == len(lines) and lines[number:] == self.lines
        start, indent, _, _ = line_parser.of(lines[end])
        return start is Start.HEADING and indent == 0 and lines[number:end] == self.lines


class _Scanner:
    """The state of a scan of one section."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = lines
        self.out = Markdown()
        self.columns: list[int] = []  # of the content of each open item, outermost first
        self.opened: list[tuple[int, int, int, ItemData]] = []  # (index, line, indent, data)
        self.paragraph = False  # the line before is text that may go on
        self.began = 0  # the line that text began on
        self.quoted = False  # that text is inside a quote
        self.hollow = -2  # the line of an item that has no text yet
        self.behind = 0  # the line behind the last one that is not blank

    def section(self, first: int) -> _Section:
        """Scan from line ``first`` to the next heading that stands at the start of a line."""
        lines, kinds = self.lines, self.out.kinds
        of, count = line_parser.of, len(lines)
        blank, plain, heading, item = Start.BLANK, Start.PLAIN, Start.HEADING, Start.ITEM
        number = first
        while number < count:
            line = of(lines[number])
            start = line[0]
            if start is blank:
                kinds.append(LineKind.BLANK)
                self.paragraph = False
                if self.hollow == number - 1:
                    self._close(len(self.columns) - 1)
                number += 1
            elif start is plain and not line[3] and (self.paragraph or not self.columns):
                # the usual case: text, which goes on with the paragraph there is
                if not self.paragraph:
                    self.paragraph = line[1] <= 3
                    self.began = number
                kinds.append(LineKind.TEXT)
                number += 1
                self.behind = number
            elif start is item and not line[1] and self.columns and line[2][5][0] is plain:
                # the next usual one: a list goes on at the start of the line
                self._close(0)
                self.behind = number + 1
                self.quoted = False
                number = self._item(number, line)
            elif start is heading and not line[1] and number > first:
                break
            else:
                number = self._block(number, line)
        self._close(0)
        return _Section(lines[first:number], number == count, self.out)

    def _block(self, number: int, line: Line) -> int:
        """Take the block that starts on line ``number``; return the next line to look at."""
        start, indent, data, _ = line
        columns = self.columns
        keep = len(columns)
        while keep and columns[keep - 1] > indent:
            keep -= 1
        base = columns[keep - 1] if keep else 0
        goes_on = self.paragraph and keep == len(columns) and not self.quoted
        underlined = start is Start.RULE and goes_on and data.underline
        if start is Start.RULE and not underlined:
            line = _instead(line)
            start, data = line.start, line.data
        if start is Start.ITEM and goes_on and not data.interrupts:
            start = Start.PLAIN
        if indent - base > 3 or start is Start.PLAIN:
            return self._text(number, line, keep, code=indent - base > 3)
        self._close(keep)
        if underlined:
            self._underlined(number)
        return self._start(number, start, line)

    def _text(self, number: int, line: Line, keep: int, *, code: bool) -> int:
        """Take a line of a paragraph, or of indented code."""
        if not self.paragraph:
            self._close(keep)
            self.quoted = False
            self.paragraph = not code
            self.began = number
        self.out.kinds.append(LineKind.TEXT)
        self.behind = number + 1
        if line.comment and self.paragraph:
            return self._comments(number, 0)
        return number + 1

    def _start(self, number: int, start: Start, line: Line) -> int:
        """Take a block that is no paragraph, inside the items that are open now."""
        kinds, data = self.out.kinds, line.data
        self.behind = number + 1
        self.paragraph = self.quoted = False
        if start is Start.ITEM:
            return self._item(number, line)
        if start is Start.FENCE:
            kinds.append(LineKind.FENCE)
            return self._fence(number, data)
        kinds.append(LineKind.TEXT)
        if start is Start.HEADING:
            self._heading(number, data)
        elif start is Start.QUOTE:
            self._quote(data)
        elif start is Start.COMMENT:
            return self._comments(number, 0, block=True)
        return self._comments(number, 0) if line.comment else number + 1

    def _heading(self, number: int, data: HeadingData) -> None:
        if not self.columns:
            self.out.kinds[-1] = LineKind.HEADING
            self.out.headings.append(Heading(number, data.level, data.text, data.column))

    def _underlined(self, number: int) -> None:
        """Make a heading of the paragraph above line ``number``."""
        if not self.columns:
            above, level = self.lines[self.began : number], 2 - ("=" in self.lines[number])
            text = " ".join(" ".join(above).split())
            start = len(above[0]) - len(above[0].lstrip())
            rows = number + 1 - self.began
            self.out.headings.append(Heading(self.began, level, text, start, rows))

    def _quote(self, inner: Line) -> None:
        while inner.start is Start.QUOTE:
            inner = inner.data
        text = inner.start is Start.PLAIN and inner.indent <= 3
        self.paragraph = self.quoted = text or inner.start is Start.ITEM

    def _item(self, number: int, line: Line) -> int:
        """Open an item, and what its text starts."""
        self.out.kinds.append(LineKind.ITEM)
        inner, items = line, self.out.items
        while inner[0] is Start.ITEM:
            data: ItemData = inner[2]
            self.opened.append((len(items), number, inner[1], data))
            self.columns.append(data[3])
            items.append(_UNFINISHED)
            inner = data[5]
            if inner[0] is Start.RULE:
                inner = _instead(inner)
        start = inner[0]
        if start is Start.PLAIN:
            self.paragraph = inner[1] - data[3] <= 3
        elif start is Start.BLANK:
            self.hollow = number
        elif start is Start.FENCE:
            self.out.kinds[-1] = LineKind.FENCE
            return self._fence(number, inner.data)
        elif start is Start.QUOTE:
            self._quote(inner.data)
        if line[3]:
            return self._comments(number, data.column, block=start is Start.COMMENT)
        return number + 1

    def _close(self, keep: int) -> None:
        """Close the open items but the outer ``keep``."""
        columns, opened, items = self.columns, self.opened, self.out.items
        while len(columns) > keep:
            columns.pop()
            index, line, indent, (marker, text, column, _, _, _) = opened.pop()
            end = max(self.behind, line + 1)
            items[index] = _new(Item, (line, end, indent, marker, text, column))

    def _fence(self, number: int, fence: FenceData) -> int:
        """Take the lines of a fence whose first is ``number``."""
        kinds, lines, of = self.out.kinds, self.lines, line_parser.of
        base = self.columns[-1] if self.columns else 0
        marker, info = fence
        for at in range(number + 1, len(lines)):
            start, indent, data, _ = of(lines[at])
            if start is Start.BLANK:
                kinds.append(LineKind.CODE)
                continue
            if indent < base:
                self.out.fences.append(Fence(number, at - 1, info, marker))
                return at
            self.behind = at + 1
            if start is Start.FENCE and indent - base <= 3 and _closes(data, marker):
                kinds.append(LineKind.FENCE)
                self.out.fences.append(Fence(number, at, info, marker))
                return at + 1
            kinds.append(LineKind.CODE)
        self.out.fences.append(Fence(number, None, info, marker))
        return len(lines)

    def _comments(self, number: int, at: int, *, block: bool = False) -> int:
        """Record the comments on line ``number`` from ``at``; return the next line to look at.

        One that begins a block runs to its end wherever that is; one inside a paragraph must
        end before the next blank line, or it is text.
        """
        kinds = self.out.kinds
        line = body(self.lines[number])
        start = _comment_start(line, at)
        while start >= 0:
            end_line, end = self._comment_end(number, start, block=block)
            if end_line < 0:
                break
            closed = end >= 0
            stop = end if closed else len(body(self.lines[end_line]))
            text = self._inside(number, start + 4, end_line, stop - 3 if closed else stop)
            self.out.comments.append(Comment(Span(number, start, end_line, stop), text, closed))
            behind = body(self.lines[end_line])[stop:].strip()
            if not line[:start].strip() and (end_line > number or not behind):
                kinds[-1] = LineKind.COMMENT
            if end_line > number:
                kinds += [LineKind.COMMENT] * (end_line - number - 1)
                kinds.append(LineKind.TEXT if behind else LineKind.COMMENT)
                number, line = end_line, body(self.lines[end_line])
                self.behind = number + 1
            start = _comment_start(line, stop)
        return number + 1

    def _comment_end(self, number: int, start: int, *, block: bool) -> tuple[int, int]:
        """Return (line, column behind it), column -1 where it never ends, line -1 if it is none."""
        at = self.lines[number].find("-->", start + 4)
        if at >= 0:
            return number, at + 3
        for later in range(number + 1, len(self.lines)):
            at = self.lines[later].find("-->")
            if at >= 0:
                return later, at + 3
            if not block and not self.lines[later].strip():
                return -1, -1
        return (len(self.lines) - 1 if block else -1), -1

    def _inside(self, line: int, start: int, end_line: int, end: int) -> str:
        if line == end_line:
            return self.lines[line][start:end]
        middle = "".join(self.lines[line + 1 : end_line])
        return self.lines[line][start:] + middle + self.lines[end_line][:end]


def _instead(line: Line) -> Line:
    """Return what a line of dashes or equal signs is where it underlines nothing."""
    return line if line.data.rule else line.data.item or Line(Start.PLAIN, line.indent)


def _closes(data: FenceData, marker: str) -> bool:
    return not data.info and data.marker[0] == marker[0] and len(data.marker) >= len(marker)


def _comment_start(line: str, at: int) -> int:
    """Return where a comment opens outside of code spans, -1 where none does."""
    start = line.find("<!--", at)
    if start < 0 or "`" not in line:
        return start
    spans = [match.span() for match in CODE_SPAN.finditer(line)]
    while start >= 0 and any(low < start < high for low, high in spans):
        start = line.find("<!--", start + 4)
    return start
