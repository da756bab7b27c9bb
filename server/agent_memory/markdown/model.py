"""The result of a scan (see :mod:`agent_memory.markdown.parser`)."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from agent_memory.base.text import Span


class LineKind(IntEnum):
    """The kind of a line in its context."""

    BLANK = 0
    TEXT = 1
    HEADING = 2
    ITEM = 3  # the first line of a list item
    FENCE = 4  # an opening or closing fence
    CODE = 5  # inside a fence
    COMMENT = 6  # all of the line is inside an HTML comment
    FRONT = 7  # front matter, its fences included


# Python 3.11 takes 72 ns for a member of an enum, four times as long as for other attributes.
_FIRST_PROSE, _LAST_PROSE = LineKind.TEXT, LineKind.ITEM


class Heading(NamedTuple):
    """A heading outside items and quotes; ``text`` is without markers and closing hashes.

    A setext heading spans ``rows`` lines (text plus underline). Its lines keep kind TEXT because an
    underline is often meant as a thematic break.
    """

    line: int
    level: int
    text: str
    start: int  # the column of the first character of text
    rows: int = 1

    @property
    def below(self) -> int:
        """The line after the heading."""
        return self.line + self.rows


class Item(NamedTuple):
    """A list item; ``end_line`` is the line after its last one, nested items included."""

    line: int
    end_line: int
    indent: int  # columns before the marker, tabs counted to the next multiple of four
    marker: str
    text: str  # the first line's text, without the marker
    start: int  # the column of text


class Fence(NamedTuple):
    """A fenced code block; its code is on the lines from ``open + 1`` to ``code_end`` (exclusive).

    ``close`` is the line of the closing fence, None if the block is open up to the end of the file.
    A block can also end with its list item, without a closing fence: ``close`` is then the last
    line before ``code_end``.
    """

    open: int
    close: int | None
    code_end: int
    info: str
    marker: str


class Comment(NamedTuple):
    """An HTML comment outside code; ``closed`` is False if it runs to the end of the file."""

    span: Span
    text: str
    closed: bool


@dataclass(slots=True)
class Markdown:
    """The blocks of a file, in its order."""

    kinds: list[LineKind] = field(default_factory=list)
    headings: list[Heading] = field(default_factory=list)
    items: list[Item] = field(default_factory=list)
    fences: list[Fence] = field(default_factory=list)
    comments: list[Comment] = field(default_factory=list)
    front_matter: tuple[int, int] | None = None  # lines of the two fences

    def is_prose(self, line: int) -> bool:
        """Whether ``line`` is text, an item or a heading: not code, comment or front matter."""
        return _FIRST_PROSE <= self.kinds[line] <= _LAST_PROSE
