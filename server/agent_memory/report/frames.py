"""The line a finding stands on, with the place marked and every secret in it masked."""

from __future__ import annotations

from bisect import bisect_left
from itertools import accumulate
from typing import TYPE_CHECKING

from agent_memory.base.text import body
from agent_memory.report import visible
from agent_memory.secrets import find

if TYPE_CHECKING:
    from collections.abc import Collection

    from agent_memory.base.text import Span
    from agent_memory.fs.reader import FileText
    from agent_memory.secrets import Secret

    Places = tuple[list[int], list[Secret]]

LEAST_ROOM = 20


def frame(
    content: FileText, span: Span, allowed: Collection[str], room: int
) -> tuple[str, str] | None:
    """Return the first line of ``span`` in at most ``room`` columns, and the carets below it.

    None where the file has no such line. Values whose SHA-256 is in ``allowed`` are shown.
    """
    if span.line >= len(content.lines):
        return None
    room = max(LEAST_ROOM, room)
    line = body(content.lines[span.line])
    end = span.end if span.end_line == span.line else len(line)
    shown = visible.cells(line) if len(line) < 4 * room else None
    offset = 0
    if shown is None:  # of a line of a megabyte, only what can be seen is looked at
        offset = max(0, span.start - 2 * room)
        shown = visible.cells(line[offset : span.start + 2 * room])
    _mask(shown, content, (span.line, offset), allowed)
    start = min(span.start - offset, len(shown))
    text, at, width = visible.clip(shown, start, end - offset, room)
    return text, " " * at + "^" * width


def _mask(
    shown: list[str], content: FileText, place: tuple[int, int], allowed: Collection[str]
) -> None:
    """Replace the cells of each secret that touches them; ``place`` is (line, first column)."""
    starts, secrets = content.once(_places, content)
    if not secrets:
        return
    first = starts[place[0]] + place[1]
    last = first + len(shown)
    for secret in secrets[max(0, bisect_left(secrets, first, key=_start) - 1) :]:
        if secret.start >= last:
            break
        if secret.end > first and secret.sha256 not in allowed:
            low, high = max(0, secret.start - first), min(len(shown), secret.end - first)
            shown[low:high] = [""] * (high - low)
            shown[low] = secret.redacted if secret.start >= first else "\u2026"


def _places(content: FileText) -> Places:
    """Return the offset each line starts at, and the secrets of the whole text, in order."""
    return list(accumulate(map(len, content.lines), initial=0)), find(content.text)


def _start(secret: Secret) -> int:
    return secret.start
