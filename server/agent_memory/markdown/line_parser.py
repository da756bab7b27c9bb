"""What a line of markdown could be by itself, whatever stands around it.

The answer depends on the text of the line alone and is kept per text, so that scanning a file
again after a keystroke costs a look-up a line.
"""

from __future__ import annotations

import re
from enum import IntEnum
from typing import Any, NamedTuple

_CACHE_MAX = 1 << 16
_cache: dict[str, Line] = {}

_FENCE = re.compile(r"(`{3,}|~{3,})(.*)", re.DOTALL)
_HEADING = re.compile(r"(#{1,6})(?:[ \t]+|\Z)")
_CLOSING = re.compile(r"(?:\A|[ \t]+)#+\Z")
_ITEM = re.compile(r"([-*+]|(\d{1,9})[.)])([ \t]+|\Z)")
_RULE = re.compile(r"(?:-[ \t]*){3,}\Z|(?:\*[ \t]*){3,}\Z|(?:_[ \t]*){3,}\Z")
_UNDERLINE = re.compile(r"(?:-+|=+)[ \t]*\Z")
_SIMPLE = re.compile(r"[-*+] (?:[^\s`~#\-*+_=><0-9]|\d+[^\d.)])")
"""Nearly every item: a bullet, a blank, and text that starts nothing else."""
_STARTS = frozenset("`~#-*+_=><0123456789")


class Start(IntEnum):
    """What a line could start."""

    BLANK = 0
    PLAIN = 1
    HEADING = 2
    ITEM = 3
    FENCE = 4
    QUOTE = 5
    RULE = 6  # a thematic break or the underline of a heading
    COMMENT = 7


class Line(NamedTuple):
    """A line by itself: ``indent`` in columns, ``data`` by ``start``."""

    start: Start
    indent: int
    data: Any = None
    comment: bool = False  # "<!--" is somewhere in it


class HeadingData(NamedTuple):
    """``column`` is where ``text`` begins."""

    level: int
    text: str
    column: int


class ItemData(NamedTuple):
    """``content`` is the column lines of the item are indented to; ``inner`` what text starts."""

    marker: str
    text: str
    column: int  # of text, in code points
    content: int
    interrupts: bool  # whether it may follow a paragraph without a blank line
    inner: Line


class FenceData(NamedTuple):
    """A line of a fence; it can close one if ``info`` is empty."""

    marker: str
    info: str


class RuleData(NamedTuple):
    """A line of dashes, stars or equal signs."""

    underline: bool
    rule: bool
    item: Line | None  # a lone dash, where it underlines nothing


def of(line: str) -> Line:
    """Return what ``line``, with or without its ending, is by itself."""
    known = _cache.get(line)
    if known is None:
        if len(_cache) >= _CACHE_MAX:
            _cache.clear()
        known = _cache[line] = _classify(line.rstrip("\r\n"))
    return known


def _classify(line: str) -> Line:
    stripped = line.lstrip(" \t")
    if not stripped:
        return Line(Start.BLANK, 0)
    at = len(line) - len(stripped)
    indent = width(line, at)
    comment = "<!--" in line
    if stripped[0] not in _STARTS:
        return Line(Start.PLAIN, indent, None, comment)
    if _SIMPLE.match(stripped):
        text, content = stripped[2:].rstrip(), indent + 2
        inner = Line(Start.PLAIN, content, None, comment)
        data = ItemData(stripped[0], text, at + 2, content, True, inner)  # noqa: FBT003
        return Line(Start.ITEM, indent, data, comment)
    start, data = _start(line, stripped, at, indent)
    return Line(start, indent, data, comment)


def _start(line: str, stripped: str, at: int, indent: int) -> tuple[Start, Any]:
    first = stripped[0]
    if first in "`~":
        fence = _FENCE.match(stripped)
        if fence and not (first == "`" and "`" in fence[2]):
            return Start.FENCE, FenceData(fence[1], fence[2].strip())
    elif first == "#":
        heading = _HEADING.match(stripped)
        if heading:
            rest = stripped[heading.end() :].rstrip()
            text = _CLOSING.sub("", rest)
            return Start.HEADING, HeadingData(len(heading[1]), text, at + heading.end())
    elif first == ">":
        return Start.QUOTE, of(stripped[1:].removeprefix(" "))
    elif stripped.startswith("<!--"):
        return Start.COMMENT, None
    else:
        rule, underline = _RULE.match(stripped), _UNDERLINE.match(stripped)
        item = None if rule else _item(line, at, indent)
        if rule or underline:
            return Start.RULE, RuleData(
                bool(underline), bool(rule), Line(Start.ITEM, indent, item) if item else None
            )
        if item:
            return Start.ITEM, item
    return Start.PLAIN, None


def _item(line: str, at: int, indent: int) -> ItemData | None:
    match = _ITEM.match(line, at)
    if not match:
        return None
    marker, number = match[1], match[2]
    column = match.end()
    text = line[column:].rstrip()
    after = indent + len(marker)
    space = width(line, column) - width(line, match.end(1)) if text else 0
    code = space > 4
    content = after + (1 if code or not text else space)
    inner = Line(Start.BLANK, 0)
    if code:
        inner = Line(Start.PLAIN, content + 4)
    elif text:
        inner = _classify(" " * content + text)
    interrupts = bool(text) and (number is None or int(number) == 1)
    return ItemData(marker, text, column, content, interrupts, inner)


def width(line: str, end: int) -> int:
    """Return the columns that ``line[:end]`` takes, tabs to the next multiple of four."""
    if "\t" not in line[:end]:
        return end
    columns = 0
    for char in line[:end]:
        columns = columns + 4 - columns % 4 if char == "\t" else columns + 1
    return columns
