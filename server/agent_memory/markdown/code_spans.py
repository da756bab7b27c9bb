"""Code spans of a line, in linear time.

A regular expression with a back reference searches the rest of the line for every run of backticks
that nothing closes.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from agent_memory.base.text_cache import text_cache

if TYPE_CHECKING:
    from collections.abc import Iterator

_RUN = re.compile(r"`+")
"""A run of backticks."""


class CodeSpan(NamedTuple):
    """A code span: the columns ``first`` to ``end`` with its backticks; ``text`` is at ``start``.

    In "a `b`" these are 2, 5, "b" and 3.
    """

    first: int
    end: int
    text: str
    start: int


@lru_cache(maxsize=1 << 14)  # for several rules, each of which passes all lines of a file of 1 MB
def code_spans(line: str) -> tuple[CodeSpan, ...]:
    """Return the code spans of ``line``: between a run of backticks and the next one as long.

    The text is without one space on each side, unless nothing else would be left.
    """
    if "``" not in line:
        return tuple(_spans_of_single_backticks(line))
    runs = [run.span() for run in _RUN.finditer(line)]
    later: dict[int, list[int]] = {}  # by length: the numbers of the runs, the last one first
    for number, (first, start) in reversed([*enumerate(runs)]):
        later.setdefault(start - first, []).append(number)
    spans, number = [], 0
    while number < len(runs):
        first, start = runs[number]  # the text of a span starts where its first run ends
        candidates = later[start - first]  # the runs of this length
        while candidates and candidates[-1] <= number:
            candidates.pop()  # this run itself, or an earlier one
        number += 1
        if candidates:  # the next run of this length closes it
            stop, end = runs[candidates[-1]]
            spans.append(_span(line, first, start, stop, end))
            number = candidates[-1] + 1
    return tuple(spans)


def _spans_of_single_backticks(line: str) -> Iterator[CodeSpan]:
    """Yield the code spans of a line without two backticks in a row: most lines."""
    first = line.find("`")
    while first >= 0:
        stop = line.find("`", first + 1)
        if stop < 0:
            return
        yield _span(line, first, first + 1, stop, stop + 1)
        first = line.find("`", stop + 1)


def _may_have_code(text: str) -> bool:
    """Return whether ``text`` may have a code span, False is certain: the prefilter."""
    return "`" in text


@text_cache(_may_have_code)
def spaced_spans(line: str) -> tuple[CodeSpan, ...]:
    """Return the code spans with a space or a tab, as in a command with an argument."""
    return tuple(span for span in code_spans(line) if " " in span.text or "\t" in span.text)


def in_code(line: str, column: int) -> bool:
    """Return whether ``column`` is inside a code span of ``line``, its backticks included."""
    spans = code_spans(line)
    # The number of the last span that begins at or before the column; -1 without one.
    last = bisect_right(spans, column, key=lambda span: span.first) - 1
    return last >= 0 and column < spans[last].end


def without_code_spans(line: str) -> str:
    """Return ``line`` with a NUL in place of each character of a code span."""
    out, at = [], 0
    for span in code_spans(line):
        out += [line[at : span.first], "\0" * (span.end - span.first)]
        at = span.end
    return "".join([*out, line[at:]])


def _span(line: str, first: int, start: int, stop: int, end: int) -> CodeSpan:
    """Return the span at the columns ``first`` to ``end``; its text is at ``start`` to ``stop``.

    One space on each side is not part of the text, unless nothing else would be left.
    """
    if stop - start > 1 and line[start] == " ":
        start += 1
    if stop - start > 1 and line[stop - 1] == " ":
        stop -= 1
    return CodeSpan(first, end, line[start:stop], start)
