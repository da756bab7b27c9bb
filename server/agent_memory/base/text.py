r"""Lines and positions of a text.

A *span* counts lines from 0 and columns in code points from 0, independent of the unit of an
editor. Interfaces convert with :func:`to_units` and :func:`from_units`.
Only ``\r\n``, ``\n`` and ``\r`` end a line, as the Language Server Protocol says; Python's
``str.splitlines`` would also split at U+2028, form feeds and others.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

Encoding = Literal["utf-8", "utf-16", "utf-32"]

BOM = "\ufeff"
"""The byte order mark, U+FEFF."""

# A line with its newline, or the last line if it has none.
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+\Z")


class Span(NamedTuple):
    """A half-open range of text: (line, start) up to (end_line, end), in code points."""

    line: int
    start: int
    end_line: int
    end: int

    @classmethod
    def on_line(cls, line: int, start: int, end: int) -> Span:
        """Return the span of columns ``start`` to ``end`` of one line."""
        return cls(line, start, line, end)


def split_lines(text: str) -> list[str]:
    r"""Return the lines of ``text`` with their newlines, so that joined they are ``text`` again.

    There is no empty line after a final newline.
    """
    if "\r" in text:
        return _LINE.findall(text)
    lines = text.split("\n")
    last = lines.pop()  # after the last newline
    lines = [line + "\n" for line in lines]
    if last:
        lines.append(last)
    return lines


def without_newline(line: str) -> str:
    """Return ``line`` without its newline."""
    return line.rstrip("\r\n")


def newline_of(lines: Sequence[str]) -> str:
    r"""Return the newline of a file: that of its first line, ``\n`` if it has none."""
    if not lines:
        return "\n"
    ending = lines[0][len(without_newline(lines[0])) :]
    return ending or "\n"


def with_final_newline(text: str, newline: str) -> str:
    """Return ``text`` with ``newline`` at its end, unless it is empty or its last line has one."""
    return text if not text or text.endswith(("\n", "\r")) else text + newline


def full_span(lines: Sequence[str]) -> Span:
    """Return the span of all ``lines``; after a final newline, it ends at line ``len(lines)``."""
    if not lines:
        return Span(0, 0, 0, 0)
    last = lines[-1]
    if last != without_newline(last):
        return Span(0, 0, len(lines), 0)
    return Span(0, 0, len(lines) - 1, len(last))


def to_units(line: str, column: int, encoding: Encoding) -> int:
    """Return ``column`` of ``line``, which is in code points, in units of ``encoding``.

    A column after the end of the line counts as its end.
    """
    column = min(column, len(without_newline(line)))
    if encoding == "utf-32" or line.isascii():
        return column
    head = line[:column]
    if encoding == "utf-8":
        return len(head.encode("utf-8", "surrogatepass"))
    return len(head.encode("utf-16-le", "surrogatepass")) // 2


def from_units(line: str, units: int, encoding: Encoding) -> int:
    """Return the column of ``line``, in code points, for a column of ``units`` of ``encoding``.

    A column after the end of the line counts as its end, a negative one as 0. A column inside a
    character counts as the start of that character.
    """
    text = without_newline(line)
    if encoding == "utf-32" or text.isascii():
        return max(0, min(units, len(text)))
    units_so_far = 0  # up to the end of `char`
    for column, char in enumerate(text):
        if encoding == "utf-16":
            units_so_far += 2 if char > "\uffff" else 1
        else:
            units_so_far += len(char.encode("utf-8", "surrogatepass"))
        if units_so_far > units:
            return column
    return len(text)


def slice_span(lines: Sequence[str], span: Span) -> str:
    """Return the text of ``lines`` that ``span`` covers.

    A span may begin or end below the last line; it covers no text there.
    """
    if span.line >= len(lines):
        return ""
    if span.line == span.end_line:
        return lines[span.line][span.start : span.end]
    parts = [lines[span.line][span.start :], *lines[span.line + 1 : span.end_line]]
    if span.end_line < len(lines):
        parts.append(lines[span.end_line][: span.end])
    return "".join(parts)


def apply_edits(lines: Sequence[str], edits: Sequence[tuple[Span, str]]) -> str:
    """Return the text of ``lines`` after ``edits``, (span, new text), which must not overlap.

    Insertions at the same position are applied in the given order.

    Raises:
        ValueError: two edits overlap. A replacement and an insertion at its start overlap if the
            insertion is the later one in ``edits``.

    """
    # `sorted` is stable: edits with the same start keep their order.
    ordered = sorted(edits, key=lambda edit: (edit[0].line, edit[0].start))
    out: list[str] = []
    line, column = 0, 0  # the text before this position is in `out` already
    for span, new_text in ordered:
        if (span.line, span.start) < (line, column):
            raise ValueError(f"edits overlap at line {span.line + 1}")
        out += [slice_span(lines, Span(line, column, span.line, span.start)), new_text]
        line, column = span.end_line, span.end
    out.append(slice_span(lines, Span(line, column, len(lines), 0)))
    return "".join(out)
