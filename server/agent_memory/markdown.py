"""One pass over the lines of a markdown file: what each line is, with positions.

Only what memory files need is recognised: front matter, headings, list items, fences, comments.
A full parser costs 30 times as much per keystroke; it serves as the oracle in the tests. The
rules follow CommonMark 0.31 for fences (4.5), ATX headings (4.2), list items (5.2) and HTML
comments (4.6), with containers tracked by indentation.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import IntEnum
from typing import TYPE_CHECKING

from agent_memory.text import Span, body

if TYPE_CHECKING:
    from collections.abc import Sequence


class Kind(IntEnum):
    """What a line is."""

    BLANK = 0
    TEXT = 1
    HEADING = 2
    ITEM = 3  # the first line of a list item
    FENCE = 4  # an opening or closing fence
    CODE = 5  # inside a fence
    COMMENT = 6  # all of the line is inside an HTML comment
    FRONT = 7  # front matter, its fences included


@dataclass(frozen=True, slots=True)
class Heading:
    """An ATX heading; ``text`` is without markers and closing hashes."""

    line: int
    level: int
    text: str
    start: int  # the column of the first character of text


@dataclass(frozen=True, slots=True)
class Item:
    """A list item; ``end_line`` is the line behind its last one, nested items included."""

    line: int
    end_line: int
    indent: int
    marker: str
    text: str  # the first line's text, without the marker
    start: int  # the column of text


@dataclass(frozen=True, slots=True)
class Fence:
    """A fenced code block; ``close`` is None where it runs to the end of the file."""

    open: int
    close: int | None
    info: str
    marker: str


@dataclass(frozen=True, slots=True)
class Comment:
    """An HTML comment outside code; ``closed`` is False where it runs to the end of the file."""

    span: Span
    text: str
    closed: bool


@dataclass(slots=True)
class Markdown:
    """What a scan found, in the order of the file."""

    kinds: list[Kind] = field(default_factory=list)
    headings: list[Heading] = field(default_factory=list)
    items: list[Item] = field(default_factory=list)
    fences: list[Fence] = field(default_factory=list)
    comments: list[Comment] = field(default_factory=list)
    front_matter: tuple[int, int] | None = None  # lines of the two fences

    def is_prose(self, line: int) -> bool:
        """Whether ``line`` is text, an item or a heading: not code, comment or front matter."""
        return Kind.TEXT <= self.kinds[line] <= Kind.ITEM


_FENCE = re.compile(r"(`{3,}|~{3,})(.*)")
_HEADING = re.compile(r"(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*\Z")
_ITEM = re.compile(r"([-*+]|\d{1,9}[.)])([ \t]+|\Z)")
_RULE = re.compile(r"(?:-[ \t]*){3,}\Z|(?:\*[ \t]*){3,}\Z|(?:_[ \t]*){3,}\Z")
_QUOTE = re.compile(r"(?:[ ]{0,3}>[ ]?)+")
_CODE_SPAN = re.compile(r"(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)")


def scan(lines: Sequence[str]) -> Markdown:
    """Scan ``lines`` (with or without their endings) once, front to back."""
    return _Scanner(lines).run()


def section_end(markdown: Markdown, heading: Heading) -> int:
    """Return the line behind the section of ``heading``, its sub-sections included."""
    for other in markdown.headings:
        if other.line > heading.line and other.level <= heading.level:
            return other.line
    return len(markdown.kinds)


class _Scanner:
    """The state of one scan: open fence, open comment, open list items."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = lines
        self.out = Markdown()
        self.containers: list[tuple[int, int]] = []  # (content column, index into items)
        self.open_items: dict[int, tuple[int, int, str, str, int]] = {}

    def run(self) -> Markdown:
        out, lines = self.out, self.lines
        number = self._front_matter()
        while number < len(lines):
            line = body(lines[number])
            stripped = line.lstrip(" \t")
            if not stripped:
                out.kinds.append(Kind.BLANK)
                number += 1
                continue
            number = self._block(number, line, stripped)
        self._close_items(0, len(lines))
        out.items.sort(key=lambda item: item.line)
        return out

    def _front_matter(self) -> int:
        if not self.lines or body(self.lines[0]).rstrip() != "---":
            return 0
        for number in range(1, len(self.lines)):
            if body(self.lines[number]).rstrip() in ("---", "..."):
                self.out.front_matter = (0, number)
                self.out.kinds = [Kind.FRONT] * (number + 1)
                return number + 1
        return 0

    def _block(self, number: int, line: str, stripped: str) -> int:
        """Take the block that starts on ``line``; return the next line to look at."""
        indent = _width(line, len(line) - len(stripped))
        quote = _QUOTE.match(line)
        if quote and quote.end() < len(line):
            stripped = line[quote.end() :].lstrip(" ")
        self._close_items(indent, number)
        base = self.containers[-1][0] if self.containers else 0
        if indent - base <= 3 or quote:
            fence = _FENCE.match(stripped)
            if fence and not (fence[1][0] == "`" and "`" in fence[2]):
                return self._fence(number, fence, base, bool(quote))
            heading = _HEADING.match(stripped)
            if heading:
                text = heading[2] or ""
                start = (
                    len(line) - len(stripped) + (heading.start(2) if heading[2] else len(stripped))
                )
                self.out.headings.append(Heading(number, len(heading[1]), text, start))
                self.out.kinds.append(Kind.HEADING)
                return self._comments(number, line)
            item = _ITEM.match(stripped)
            if item and not _RULE.match(stripped):
                return self._item(number, line, stripped, item)
        self.out.kinds.append(Kind.TEXT)
        return self._comments(number, line)

    def _item(self, number: int, line: str, stripped: str, item: re.Match[str]) -> int:
        at = len(line) - len(stripped)
        indent = _width(line, at)
        start = at + item.end()
        self._close_items(indent, number)
        padding = len(item[2]) if 0 < len(item[2]) <= 4 else 1
        self.containers.append((indent + len(item[1]) + padding, number))
        self.open_items[number] = (number, indent, item[1], line[start:].rstrip(), start)
        self.out.kinds.append(Kind.ITEM)
        inner = _FENCE.match(line[start:])
        if inner and not (inner[1][0] == "`" and "`" in inner[2]):
            self.out.kinds.pop()
            return self._fence(number, inner, self.containers[-1][0], quoted=False)
        return self._comments(number, line)

    def _close_items(self, indent: int, number: int) -> None:
        """Close the list items that a line indented by ``indent`` columns is not part of."""
        while self.containers and self.containers[-1][0] > indent:
            # a paragraph may continue an item lazily, without indentation
            _, first = self.containers.pop()
            line, item_indent, marker, text, start = self.open_items.pop(first)
            end = number
            while end > line + 1 and self.out.kinds[end - 1] is Kind.BLANK:
                end -= 1
            self.out.items.append(Item(line, end, item_indent, marker, text, start))

    def _fence(self, number: int, fence: re.Match[str], base: int, quoted: bool) -> int:  # noqa: FBT001
        marker, info = fence[1], fence[2].strip()
        kinds, lines = self.out.kinds, self.lines
        kinds.append(Kind.FENCE)
        for at in range(number + 1, len(lines)):
            line = body(lines[at])
            stripped = line.lstrip(" \t")
            quote = _QUOTE.match(line)
            indent = _width(line, len(line) - len(stripped))
            left_container = (base and stripped and indent < base) or (quoted and not quote)
            if left_container:
                self.out.fences.append(Fence(number, at - 1, info, marker))
                return at
            if quoted and quote:
                stripped = line[quote.end() :].lstrip(" ")
                indent = base
            text = stripped.rstrip()
            closes = text and not text.strip(marker[0]) and len(text) >= len(marker)
            if closes and indent - base <= 3:
                kinds.append(Kind.FENCE)
                self.out.fences.append(Fence(number, at, info, marker))
                return at + 1
            kinds.append(Kind.CODE)
        self.out.fences.append(Fence(number, None, info, marker))
        return len(lines)

    def _comments(self, number: int, line: str) -> int:
        """Record the comments that start on ``line``; return the next line to look at."""
        at = 0
        while "<!--" in line[at:]:
            start = _comment_start(line, at)
            if start < 0:
                break
            end_line, end = self._comment_end(number, start)
            closed = end >= 0
            span = Span(number, start, end_line, end if closed else len(body(self.lines[end_line])))
            text = self._text(number, start + 4, end_line, span.end - 3 if closed else span.end)
            self.out.comments.append(Comment(span, text, closed))
            if end_line > number:
                alone = not line[:start].strip()
                if alone:
                    self.out.kinds[-1] = Kind.COMMENT
                self.out.kinds += [Kind.COMMENT] * (end_line - number)
                return end_line + 1
            if not line[:start].strip() and not line[end:].strip():
                self.out.kinds[-1] = Kind.COMMENT
            if not closed:
                break
            at = end
        return number + 1

    def _comment_end(self, number: int, start: int) -> tuple[int, int]:
        at = self.lines[number].find("-->", start + 4)
        if at >= 0:
            return number, at + 3
        for later in range(number + 1, len(self.lines)):
            at = self.lines[later].find("-->")
            if at >= 0:
                return later, at + 3
        return len(self.lines) - 1, -1

    def _text(self, line: int, start: int, end_line: int, end: int) -> str:
        if line == end_line:
            return self.lines[line][start:end]
        middle = "".join(self.lines[line + 1 : end_line])
        return self.lines[line][start:] + middle + self.lines[end_line][:end]


def _comment_start(line: str, at: int) -> int:
    """Return where a comment opens outside of code spans, -1 where none does."""
    spans = [match.span() for match in _CODE_SPAN.finditer(line)]
    start = line.find("<!--", at)
    while start >= 0 and any(low < start < high for low, high in spans):
        start = line.find("<!--", start + 4)
    return start


def _width(line: str, end: int) -> int:
    """Return the columns that ``line[:end]`` takes, tabs to the next multiple of four."""
    if "\t" not in line[:end]:
        return end
    width = 0
    for char in line[:end]:
        width = width + 4 - width % 4 if char == "\t" else width + 1
    return width
