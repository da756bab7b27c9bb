"""What one line of Markdown is without its context: a class for each kind of line.

``indent`` counts columns, with tabs to the next multiple of four. ``has_comment`` says whether the
line contains ``<!--``.
"""

from __future__ import annotations

from typing import NamedTuple


class BlankLine(NamedTuple):
    """A line without text."""

    indent: int = 0
    has_comment: bool = False


class TextLine(NamedTuple):
    """A line that starts no block."""

    indent: int
    has_comment: bool = False


class HeadingLine(NamedTuple):
    """An ATX heading; ``text`` starts at ``column``."""

    indent: int
    has_comment: bool
    level: int
    text: str
    column: int


class ItemLine(NamedTuple):
    """The first line of a list item."""

    indent: int
    has_comment: bool
    marker: str
    text: str
    column: int  # of text, in code points
    content: int  # the column that further lines of the item are indented to
    interrupts: bool  # whether it can follow a paragraph without a blank line
    inner: Line  # what the text is by itself


class FenceLine(NamedTuple):
    """A line that opens a fence; it can also close one if ``info`` is empty."""

    indent: int
    has_comment: bool
    marker: str
    info: str

    def closes(self, marker: str) -> bool:
        """Whether the line closes a fence that ``marker`` opened.

        A closing line has no info, and at least as many of the same characters as ``marker``.
        """
        return not self.info and self.marker.startswith(marker)


class QuoteLine(NamedTuple):
    """A line of a block quote."""

    indent: int
    has_comment: bool
    inner: Line


class CommentLine(NamedTuple):
    """A line that starts with an HTML comment."""

    indent: int
    has_comment: bool = True


class RuleLine(NamedTuple):
    """A thematic break, the underline of a setext heading, or both."""

    indent: int
    is_underline: bool
    is_break: bool
    item: ItemLine | None  # a lone dash is an item where it underlines nothing
    has_comment: bool = False

    def as_block(self) -> Line:
        """Return what the line is where it underlines nothing."""
        if self.is_break:
            return self
        return self.item or TextLine(self.indent)


Line = (
    BlankLine | TextLine | HeadingLine | ItemLine | FenceLine | QuoteLine | CommentLine | RuleLine
)
