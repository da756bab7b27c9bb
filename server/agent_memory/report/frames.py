"""The source line of a finding, with the position marked and secrets masked."""

from __future__ import annotations

from bisect import bisect_left
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from agent_memory.base.text import without_newline
from agent_memory.report import visible
from agent_memory.secrets import find

if TYPE_CHECKING:
    from collections.abc import Collection

    from agent_memory.base.text import Span
    from agent_memory.fs.reader import FileText
    from agent_memory.secrets import Secret

MIN_COLUMNS = 20
"""Columns of a frame in a terminal that is too narrow for one."""


class Frame(NamedTuple):
    """The first line of a span, and the line with carets that mark the span, to print below it."""

    source_line: str
    carets: str


class _FileSecrets(NamedTuple):
    """The secrets of a file in order, and the offset of the start of each of its lines."""

    line_starts: list[int]
    secrets: list[Secret]


def frame(content: FileText, span: Span, allowed: Collection[str], columns: int) -> Frame | None:
    """Return the frame of ``span`` in ``content``, of at most ``columns`` columns.

    A long line is clipped around the span; fewer than ``MIN_COLUMNS`` columns count as that many.
    None if the file has no such line. Secrets are masked, except those with a SHA-256 in
    ``allowed``.
    """
    if span.line >= len(content.lines):
        return None
    columns = max(MIN_COLUMNS, columns)
    line = without_newline(content.lines[span.line])
    end = span.end if span.end_line == span.line else len(line)
    offset = 0  # of the first shown character in the line
    reach = 2 * columns  # characters before and after the start of the span: more than are visible
    if len(line) >= 2 * reach:  # without the rest, a very long line is fast
        offset = max(0, span.start - reach)
        line = line[offset : span.start + reach]
    shown = visible.cells(line)
    _mask(shown, content, (span.line, offset), allowed)
    start = min(span.start - offset, len(shown))
    clipped = visible.clip(shown, start, end - offset, columns)
    return Frame(clipped.text, " " * clipped.column + "^" * clipped.width)


def _mask(
    shown: list[str], content: FileText, position: tuple[int, int], allowed: Collection[str]
) -> None:
    """Replace the cells of each secret in ``shown``, which has one cell for each character.

    ``position`` is the (line, column) of the first cell, from 0. ``allowed``: see :func:`frame`.
    The number of cells stays the same: the first cell of a secret becomes its redacted form, the
    others become ''. If a secret starts before the cells, its first cell becomes '…' instead.
    """
    line_starts, secrets = content.once(_find_secrets, content)
    if not shown:  # an empty line, even inside a private key, has no cell to mask
        return
    line, column = position
    # Offsets in the file, as those of secrets: the cells are from `start` to `end` (exclusive).
    start = line_starts[line] + column
    end = start + len(shown)
    # Secrets do not overlap, so of those that start before the cells, only the last one may extend
    # into them.
    first_in_cells = bisect_left(secrets, start, key=_start)
    for secret in secrets[max(0, first_in_cells - 1) :]:
        if secret.start >= end:
            break
        if secret.end > start and secret.sha256 not in allowed:
            # The cells from `low` to `high` (exclusive) show the secret or a part of it.
            low, high = max(0, secret.start - start), min(len(shown), secret.end - start)
            shown[low:high] = [""] * (high - low)
            shown[low] = secret.redacted if secret.start >= start else "\u2026"


def _find_secrets(content: FileText) -> _FileSecrets:
    """Return the secrets of ``content`` and the starts of its lines."""
    line_starts = list(accumulate(map(len, content.lines), initial=0))
    return _FileSecrets(line_starts, find(content.text))


def _start(secret: Secret) -> int:
    """Return the offset of the start of ``secret`` in its file."""
    return secret.start
