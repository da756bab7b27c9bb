"""HTML comments outside code: where one starts and ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.base.text import Span, without_newline
from agent_memory.markdown.model import Comment
from agent_memory.markdown.references import CODE_SPAN

if TYPE_CHECKING:
    from collections.abc import Sequence


def next_comment(lines: Sequence[str], number: int, at: int, *, block: bool) -> Comment | None:
    """Return the first comment that starts on line ``number`` at column ``at`` or later.

    A comment that begins a block ends at ``-->``, wherever it is, or with the file. A comment in a
    paragraph must end before the next blank line, or it is text.
    """
    start = _start(without_newline(lines[number]), at)
    if start < 0:
        return None
    end_line = _end_line(lines, number, start + 4, block=block)
    if end_line is not None:
        column = lines[end_line].index("-->", start + 4 if end_line == number else 0)
        span = Span(number, start, end_line, column + 3)
        return Comment(span, _text(lines, number, start + 4, end_line, column), closed=True)
    if not block:
        return None
    last = len(lines) - 1
    end = len(without_newline(lines[last]))
    span = Span(number, start, last, end)
    return Comment(span, _text(lines, number, start + 4, last, end), closed=False)


def _start(line: str, at: int) -> int:
    """Return the column of the next ``<!--`` outside code spans, or -1."""
    start = line.find("<!--", at)
    if start < 0 or "`" not in line:
        return start
    spans = [match.span() for match in CODE_SPAN.finditer(line)]
    while start >= 0 and any(low < start < high for low, high in spans):
        start = line.find("<!--", start + 4)
    return start


def _end_line(lines: Sequence[str], number: int, at: int, *, block: bool) -> int | None:
    if lines[number].find("-->", at) >= 0:
        return number
    for later in range(number + 1, len(lines)):
        if "-->" in lines[later]:
            return later
        if not block and not lines[later].strip():
            return None
    return None


def _text(lines: Sequence[str], line: int, start: int, end_line: int, end: int) -> str:
    if line == end_line:
        return lines[line][start:end]
    return "".join([lines[line][start:], *lines[line + 1 : end_line], lines[end_line][:end]])
