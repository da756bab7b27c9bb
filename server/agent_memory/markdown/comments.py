"""HTML comments outside code: where one starts and ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.base.text import Span, without_newline
from agent_memory.markdown.code_spans import in_code
from agent_memory.markdown.line_model import HeadingLine
from agent_memory.markdown.model import Comment

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from agent_memory.markdown.line_model import Line


_OPENING = len("<!--")
_CLOSING = len("-->")


class CommentFinder:
    """Finds the comments of one section, front to back."""

    def __init__(self, lines: Sequence[str], classify: Callable[[str], Line]) -> None:
        self._lines = lines
        self._classify = classify
        self._without_end = range(0)  # lines of the current paragraph, searched without a "-->"

    def next(self, number: int, at: int, *, block: bool) -> Comment | None:
        """Return the first comment that starts on line ``number`` at column ``at`` or later.

        With ``block``, the comment begins a block: it ends at ``-->``, wherever it is, or with the
        file. Otherwise it is in a paragraph and must end before the next blank line or heading, or
        it is text. None if nothing on the line starts a comment.
        """
        lines = self._lines
        start = _start(lines[number], at)
        if start < 0:
            return None
        text_start = start + _OPENING
        end_line = self._end_line(number, text_start, block=block)
        if end_line is not None:
            column = lines[end_line].index("-->", text_start if end_line == number else 0)
            span = Span(number, start, end_line, column + _CLOSING)
            return Comment(span, self._text(number, text_start, end_line, column), closed=True)
        if not block:
            return None
        last = len(lines) - 1
        end = len(without_newline(lines[last]))
        span = Span(number, start, last, end)
        return Comment(span, self._text(number, text_start, last, end), closed=False)

    def _end_line(self, number: int, at: int, *, block: bool) -> int | None:
        """Return the line with the ``-->`` of a comment, None without one.

        The text of the comment begins on line ``number`` at column ``at``. ``block`` is that of
        :meth:`next`. A paragraph without ``-->`` is searched once, for all comments in it.
        """
        lines = self._lines
        if lines[number].find("-->", at) >= 0:
            return number
        later = number + 1
        if not block and later in self._without_end:  # searched for an earlier comment
            later = self._without_end.stop
        while later < len(lines) and (block or not self._ends_paragraph(lines[later])):
            if "-->" in lines[later]:
                return later
            later += 1
        if not block:
            self._without_end = range(number + 1, later)
        return None

    def _ends_paragraph(self, line: str) -> bool:
        """Whether ``line`` is blank or a heading that is not indented."""
        if line[:1] != "#":
            return not line.strip()
        kind = self._classify(line)
        return isinstance(kind, HeadingLine) and kind.indent == 0

    def _text(self, line: int, start: int, end_line: int, end: int) -> str:
        """Return the text from column ``start`` of ``line`` to column ``end`` of ``end_line``."""
        lines = self._lines
        if line == end_line:
            return lines[line][start:end]
        return "".join([lines[line][start:], *lines[line + 1 : end_line], lines[end_line][:end]])


def _start(line: str, at: int) -> int:
    """Return the column of the first ``<!--`` from ``at`` on outside code spans, or -1."""
    start = line.find("<!--", at)
    if start >= 0 and "`" in line:
        while start >= 0 and in_code(line, start):
            start = line.find("<!--", start + _OPENING)
    return start
