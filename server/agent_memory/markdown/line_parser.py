"""Classify one line of Markdown without its context."""

from __future__ import annotations

import re
from typing import NamedTuple

from agent_memory.markdown.line_model import (
    BlankLine,
    CommentLine,
    FenceLine,
    HeadingLine,
    ItemLine,
    Line,
    QuoteLine,
    RuleLine,
    TextLine,
)

# Patterns of lines without their indent.
# The marker and the info: "```" and "python".
_FENCE = re.compile(r"(`{3,}|~{3,})(.*)", re.DOTALL)
# The hashes, then white space or the end of the line: "## Setup".
_HEADING = re.compile(r"(#{1,6})(?:[ \t]+|\Z)")
# The marker, its number if it has one, and the white space after it: "- text" or "12) text".
_ITEM = re.compile(r"([-*+]|(\d{1,9})[.)])([ \t]+|\Z)")
# A thematic break: "---", "* * *" or "___".
_BREAK = re.compile(r"(?:-[ \t]*){3,}\Z|(?:\*[ \t]*){3,}\Z|(?:_[ \t]*){3,}\Z")
# The underline of a setext heading: "---" or "===", of one character or more.
_UNDERLINE = re.compile(r"(?:-+|=+)[ \t]*\Z")
_SIMPLE_ITEM = re.compile(r"[-*+] (?:[^\s`~#\-*+_=><0-9]|\d+[^\d.)])")
"""A bullet, a space and text that starts no block."""
_STARTS = frozenset("`~#-*+_=><0123456789")
"""The first characters of the lines that can start a block other than a paragraph."""
MAX_MARKERS = 100
"""The most quotes and items inside each other that begin on one line."""


class _Opened(NamedTuple):
    """A quote or item, and the rest of its line, which can start another block."""

    container: QuoteLine | ItemLine
    rest: str


def classify(line: str) -> Line:
    """Return what ``line`` is; it may have its newline.

    Markers nested deeper than :data:`MAX_MARKERS` are text. Inside a quote, columns count from the
    text after its marker: nothing in a quote is recorded with its position.
    """
    line = line.rstrip("\r\n")
    block = _start(line)
    if not isinstance(block, _Opened):
        return block
    containers: list[QuoteLine | ItemLine] = []  # outermost first
    # How many characters further right a text is in `rest` than in the line, because `rest` has
    # spaces in place of tabs.
    widened = 0
    while isinstance(block, _Opened):
        container = block.container
        if isinstance(container, ItemLine):
            container = container._replace(column=container.column - widened)
            widened = container.content - container.column
        containers.append(container)
        line = block.rest
        block = _start(line) if len(containers) < MAX_MARKERS else _as_text(line)
    if widened:
        block = _moved_left(block, widened)
    for container in reversed(containers):
        block = container._replace(inner=block)
    return block


def _moved_left(block: Line, by: int) -> Line:
    """Return ``block`` with its text ``by`` code points further left in its line."""
    if isinstance(block, ItemLine | HeadingLine):
        return block._replace(column=block.column - by)
    if isinstance(block, RuleLine) and block.item:
        return block._replace(item=block.item._replace(column=block.item.column - by))
    return block


def _start(line: str) -> Line | _Opened:
    """Return what ``line`` starts with, without blocks inside.

    An :class:`_Opened` means that its text can start another block, which the caller examines.
    """
    stripped = line.lstrip(" \t")
    if not stripped:
        return BlankLine()
    at = len(line) - len(stripped)
    indent = width(line, at)
    has_comment = "<!--" in line
    if stripped[0] not in _STARTS:
        return TextLine(indent, has_comment)
    if _SIMPLE_ITEM.match(stripped):
        # Most items. Without this case a first scan takes 1.5 times as long.
        content = indent + 2
        inner = TextLine(content, has_comment)
        text = stripped[2:].rstrip()
        # True: a bullet with text can follow a paragraph without a blank line.
        return ItemLine(indent, has_comment, stripped[0], text, at + 2, content, True, inner)  # noqa: FBT003
    return (
        _fence(stripped, indent)
        or _heading(stripped, at, indent)
        or _quote(stripped, indent)
        or _comment(stripped, indent)
        or _rule(line, at, indent)
        or _item_or_opened(line, at, indent)
        or TextLine(indent, has_comment)
    )


def _as_text(line: str) -> TextLine:
    """Return ``line`` as text, although it may start a block."""
    at = len(line) - len(line.lstrip(" \t"))
    return TextLine(width(line, at), "<!--" in line)


def _fence(text: str, indent: int) -> FenceLine | None:
    """Return the fence ``text``, a line without its indent; None if it is not one.

    The info of a fence of backticks cannot contain any (CommonMark 4.5).
    """
    fence = _FENCE.match(text)
    if not fence or (text[0] == "`" and "`" in fence[2]):
        return None
    return FenceLine(indent, "<!--" in text, fence[1], fence[2].strip())


def _heading(text: str, at: int, indent: int) -> HeadingLine | None:
    """Return the heading ``text``, a line without its indent; None if it is not one.

    The indent is ``at`` code points, or ``indent`` columns with expanded tabs.
    """
    heading = _HEADING.match(text)
    if not heading:
        return None
    title = _without_closing(text[heading.end() :].rstrip())
    return HeadingLine(indent, "<!--" in text, len(heading[1]), title, at + heading.end())


def _without_closing(text: str) -> str:
    """Return the text of a heading without its closing hashes, which follow a space.

    ``Setup ##`` gives ``Setup``, but ``C#`` stays.
    """
    body = text.rstrip("#")
    return body.rstrip(" \t") if not body or body[-1] in " \t" else text


def _quote(text: str, indent: int) -> _Opened | None:
    """Return the block quote that ``text`` starts, with the rest of the line, else None."""
    if text[0] != ">":
        return None
    quote = QuoteLine(indent, "<!--" in text, BlankLine())  # `classify` replaces the blank line
    return _Opened(quote, text[1:].removeprefix(" "))


def _comment(text: str, indent: int) -> CommentLine | None:
    """Return the comment that ``text`` starts, None if it starts none."""
    return CommentLine(indent) if text.startswith("<!--") else None


def _rule(line: str, at: int, indent: int) -> RuleLine | None:
    """Return the thematic break or setext underline ``line``, None if it is neither.

    The line begins with white space: ``at`` code points, which take ``indent`` columns.
    """
    is_break, is_underline = bool(_BREAK.match(line, at)), bool(_UNDERLINE.match(line, at))
    if not (is_break or is_underline):
        return None
    # A single `-` is an underline or an empty item: the lines above decide.
    item = None if is_break else _item(line, at, indent)
    return RuleLine(indent, is_underline, is_break, item)


def _item_or_opened(line: str, at: int, indent: int) -> ItemLine | _Opened | None:
    """Return the item that ``line`` starts, opened if its text can start a block, else None.

    The rest of an opened item keeps its columns, with spaces in place of the marker. An item is
    not opened if it has no text, or if its text is indented code. ``at`` and ``indent``: see
    :func:`_item`.
    """
    item = _item(line, at, indent)
    if item and item.text and isinstance(item.inner, BlankLine):
        return _Opened(item, " " * item.content + item.text)
    return item


def _item(line: str, at: int, indent: int) -> ItemLine | None:
    """Return the item that ``line`` starts, None if it starts none.

    Its ``inner`` line is indented code, or else blank: if there is a text, the caller parses it.
    ``at`` is the column of the marker in code points, ``indent`` with expanded tabs.
    """
    match = _ITEM.match(line, at)
    if not match:
        return None
    marker, number = match[1], match[2]
    column = match.end()
    text = line[column:].rstrip()
    after_marker = indent + len(marker)
    space = width(line, column) - width(line, match.end(1)) if text else 0  # columns
    is_code = space > 4  # one space after the marker, and four that make the text code (5.2)
    content = after_marker + (1 if is_code or not text else space)
    inner = TextLine(content + 4) if is_code else BlankLine()  # code is indented by 4
    # Other numbers at the start of a line are often part of a sentence (5.2).
    interrupts = bool(text) and (number is None or int(number) == 1)
    return ItemLine(indent, "<!--" in line, marker, text, column, content, interrupts, inner)


def width(line: str, end: int) -> int:
    """Return how many columns ``line[:end]`` takes, with tabs to the next multiple of four."""
    if "\t" not in line[:end]:
        return end
    columns = 0
    for char in line[:end]:
        columns = columns + 4 - columns % 4 if char == "\t" else columns + 1
    return columns
