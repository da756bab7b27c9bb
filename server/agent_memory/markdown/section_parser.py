"""The state machine that parses one section: a heading and the lines up to the next one."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from agent_memory.markdown.comments import CommentFinder
from agent_memory.markdown.line_model import (
    BlankLine,
    CommentLine,
    FenceLine,
    HeadingLine,
    ItemLine,
    QuoteLine,
    RuleLine,
    TextLine,
)
from agent_memory.markdown.model import Fence, Heading, Item, LineKind, Markdown

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from agent_memory.markdown.line_model import Line

_PENDING = Item(0, 0, 0, "", "", 0)
"""Takes the place of an item until its last line is known."""


class _OpenItem(NamedTuple):
    """An item whose last line is not known yet."""

    position: int  # in Markdown.items
    line: int
    start: ItemLine  # its first line


class _QuotedFence(NamedTuple):
    """A fence in a quote, which is still open."""

    last_line: int  # so far
    depth: int  # the number of quotes it is in
    marker: str


class SectionParser:
    """Parses one section. A method that takes a line number returns the next line to parse."""

    def __init__(self, lines: Sequence[str], classify: Callable[[str], Line]) -> None:
        self.markdown = Markdown()
        self._lines = lines
        self._classify = classify
        self._finder = CommentFinder(lines, classify)
        self._items: list[_OpenItem] = []  # outermost first
        self._in_paragraph = False
        self._in_quote = False  # the paragraph is inside a quote
        self._quoted_fence: _QuotedFence | None = None
        self._paragraph_start = 0
        # The line of the last item without text on its first line. -2 without one: -1 is the line
        # before the first, as `_blank` compares it.
        self._empty_item = -2
        self._content_end = 0  # the line after the last one that is not blank

    def parse(self, first: int) -> int:
        """Parse from line ``first`` to the next heading that is not indented; return its line.

        At the end of the file, this is the number of lines.
        """
        number = self._block(first, self._classify(self._lines[first]))
        while number < len(self._lines):
            line = self._classify(self._lines[number])
            if isinstance(line, HeadingLine) and line.indent == 0:
                break
            number = self._block(number, line)
        self._close_items(0)
        return number

    def _block(self, number: int, line: Line) -> int:
        """Parse the line ``number``, and the lines of a block that it starts."""
        if isinstance(line, BlankLine):
            return self._blank(number)
        if isinstance(line, TextLine) and self._in_paragraph:
            return self._text(number, line)  # also if it is indented less than its item (5.1)
        # `keep` is the number of open items that the line is in, `base` the column of their text.
        keep = len(self._items)
        while keep and self._items[keep - 1].start.content > line.indent:
            keep -= 1
        base = self._items[keep - 1].start.content if keep else 0
        # Whether the line could continue the paragraph above, which is in the same items and not in
        # a quote.
        continues = self._in_paragraph and keep == len(self._items) and not self._in_quote
        if line.indent - base > 3:  # indented code (CommonMark 4.4)
            return self._text(number, line, keep, code=True)
        if isinstance(line, RuleLine):  # ``---``: an underline, a break, an item or text
            if continues and line.is_underline:
                return self._setext_heading(number)
            line = line.as_block()
        is_item_in_text = isinstance(line, ItemLine) and continues and not line.interrupts
        if isinstance(line, TextLine) or is_item_in_text:
            return self._text(number, line, keep)
        self._close_items(keep)
        return self._start(number, line)

    def _blank(self, number: int) -> int:
        """Add a blank line, which ends a paragraph."""
        self.markdown.kinds.append(LineKind.BLANK)
        self._in_paragraph = False
        if self._empty_item == number - 1:  # an item begins with at most one blank line (5.2)
            self._close_items(len(self._items) - 1)
        return number + 1

    def _text(self, number: int, line: Line, keep: int = 0, *, code: bool = False) -> int:
        """Add a line to the paragraph, or start one inside the outer ``keep`` of the open items.

        Return the next line to parse. ``code``: it is indented code where there is no paragraph.
        """
        if not self._in_paragraph:
            self._close_items(keep)
            self._in_paragraph, self._in_quote = not code, False
            self._paragraph_start = number
        self.markdown.kinds.append(LineKind.TEXT)
        self._content_end = number + 1
        if line.has_comment and self._in_paragraph:
            return self._comments(number)
        return number + 1

    def _start(self, number: int, line: Line) -> int:
        """Start a block other than a paragraph inside the items that are open now.

        A heading inside an item counts as text. Return the line after the block, or after its
        first line if it can contain others.
        """
        self._content_end = number + 1
        self._in_paragraph = self._in_quote = False
        if isinstance(line, ItemLine):
            return self._item(number, line)
        if isinstance(line, FenceLine):
            return self._fence(number, line)
        self.markdown.kinds.append(LineKind.TEXT)
        if isinstance(line, HeadingLine) and not self._items:
            self.markdown.kinds[-1] = LineKind.HEADING
            self.markdown.headings.append(Heading(number, line.level, line.text, line.column))
        elif isinstance(line, QuoteLine):
            self._quote(number, line)
        if line.has_comment:
            return self._comments(number, block=isinstance(line, CommentLine))
        return number + 1

    def _setext_heading(self, number: int) -> int:
        """Take the paragraph above line ``number``, the underline, as a heading.

        A heading inside an item is not recorded. Return the line after the underline.
        """
        self.markdown.kinds.append(LineKind.TEXT)
        self._content_end = number + 1
        self._in_paragraph = False
        if not self._items:
            first = self._paragraph_start
            rows = self._lines[first:number]
            level = 1 if "=" in self._lines[number] else 2
            start = len(rows[0]) - len(rows[0].lstrip())
            text = " ".join(" ".join(rows).split())
            heading = Heading(first, level, text, start, number + 1 - first)
            self.markdown.headings.append(heading)
        return number + 1

    def _quote(self, number: int, line: QuoteLine) -> None:
        """Record the state after a line of a quote: whether it is in a paragraph or in a fence."""
        inner, depth = line.inner, 1
        while isinstance(inner, QuoteLine):
            inner, depth = inner.inner, depth + 1
        if self._continues_quoted_fence(number, depth, inner):
            return
        if isinstance(inner, FenceLine):
            self._quoted_fence = _QuotedFence(number, depth, inner.marker)
        is_text = isinstance(inner, TextLine) and inner.indent <= 3  # further right, it is code
        # The next line can also continue the text of an item, without the markers (5.1).
        self._in_paragraph = self._in_quote = is_text or isinstance(inner, ItemLine)

    def _continues_quoted_fence(self, number: int, depth: int, inner: Line) -> bool:
        """Return whether line ``number`` is part of the open fence of a quote, and record it there.

        ``depth`` is the number of quotes around the line, ``inner`` is the line without their
        markers. The fence ends if this line closes it or is not in its quote.
        """
        fence, self._quoted_fence = self._quoted_fence, None
        if not fence or fence.last_line != number - 1 or depth < fence.depth:
            return False
        is_closed = (
            depth == fence.depth and isinstance(inner, FenceLine) and inner.closes(fence.marker)
        )
        if not is_closed:
            self._quoted_fence = fence._replace(last_line=number)
        return True

    def _item(self, number: int, line: ItemLine) -> int:
        """Open an item, the items nested in its first line, and the block its text starts.

        Return the next line to parse.
        """
        self.markdown.kinds.append(LineKind.ITEM)
        inner: Line = line
        while isinstance(inner, ItemLine):
            line = inner  # after the loop, this is the innermost item
            self._items.append(_OpenItem(len(self.markdown.items), number, line))
            self.markdown.items.append(_PENDING)
            inner = line.inner
            if isinstance(inner, RuleLine):  # it has no text above that it could underline
                inner = inner.as_block()
        if isinstance(inner, TextLine):
            self._in_paragraph = inner.indent - line.content <= 3  # further right, it is code
        elif isinstance(inner, BlankLine):
            self._empty_item = number
        elif isinstance(inner, FenceLine):
            self.markdown.kinds.pop()  # the line is a fence instead, which `_fence` adds
            return self._fence(number, inner)
        elif isinstance(inner, QuoteLine):
            self._quote(number, inner)
        is_code = isinstance(inner, TextLine) and not self._in_paragraph
        if "<!--" in line.text and not is_code:
            return self._comments(number, line.column, block=isinstance(inner, CommentLine))
        return number + 1

    def _close_items(self, keep: int) -> None:
        """Close the open items except the outer ``keep``; a quoted fence inside of them ends."""
        if len(self._items) > keep:
            self._quoted_fence = None
        while len(self._items) > keep:
            position, line, start = self._items.pop()
            end_line = max(self._content_end, line + 1)
            self.markdown.items[position] = Item(
                line, end_line, start.indent, start.marker, start.text, start.column
            )

    def _fence(self, number: int, opening: FenceLine) -> int:
        """Parse a fenced code block that opens on line ``number``, to its end or that of its item.

        Return the line after the block.
        """
        kinds = self.markdown.kinds
        kinds.append(LineKind.FENCE)
        base = self._items[-1].start.content if self._items else 0
        close: int | None = None  # the closing fence; the last line if the item ends the block
        code_end = after = len(self._lines)  # the line after the code, and that after the block
        for inner_number in range(number + 1, len(self._lines)):
            line = self._classify(self._lines[inner_number])
            if isinstance(line, BlankLine):
                kinds.append(LineKind.CODE)
                continue
            if line.indent < base:  # the item ends, and the fence with it
                close, code_end, after = inner_number - 1, inner_number, inner_number
                break
            self._content_end = inner_number + 1
            may_close = line.indent - base <= 3  # a fence that is indented more is code
            if may_close and isinstance(line, FenceLine) and line.closes(opening.marker):
                kinds.append(LineKind.FENCE)
                close, code_end, after = inner_number, inner_number, inner_number + 1
                break
            kinds.append(LineKind.CODE)
        self.markdown.fences.append(Fence(number, close, code_end, opening.info, opening.marker))
        return after

    def _comments(self, number: int, at: int = 0, *, block: bool = False) -> int:
        """Record the comments that start on line ``number``, or on the line where one of them ends.

        Return the line after the last comment, or after ``number`` without a comment. ``at`` is the
        first column to search. ``block``: the line starts with the comment. A line is a COMMENT if
        nothing else is on it; text after the end of a comment makes it TEXT.
        """
        is_first = True  # further ones have a comment before them
        text_end = len(self._lines[number].rstrip())  # the column after the last text of the line
        while comment := self._finder.next(number, at, block=block):
            self.markdown.comments.append(comment)
            _, start, end_line, at = comment.span
            starts_line = is_first and not self._lines[number][:start].strip()
            has_further_lines = end_line > number
            if has_further_lines:
                text_end = len(self._lines[end_line].rstrip())
            has_text_after = at < text_end
            if starts_line and (has_further_lines or not has_text_after):
                self.markdown.kinds[-1] = LineKind.COMMENT
            if has_further_lines:  # search the line it ends on for the next comment
                self.markdown.kinds += [LineKind.COMMENT] * (end_line - number - 1)
                self.markdown.kinds.append(LineKind.TEXT if has_text_after else LineKind.COMMENT)
                number = end_line
                self._content_end = number + 1
            is_first = False
        return number + 1
