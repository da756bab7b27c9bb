"""Operations on segments that keep the origin of every piece of text."""

from __future__ import annotations

import re
import string
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.base.model import Segment
from agent_memory.base.text import split_lines

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence


_RUNS = lazy_compile(r"\n+|[^\n]+")
"""Matches in turn the newlines in a row and the text between them."""


class MessageBlock(NamedTuple):
    """A block of the prompt: the role of its message, such as ``user``, and its segments."""

    role: str
    segments: Sequence[Segment]


def comments_in(text: str) -> Iterator[tuple[int, int]]:
    """Yield the offsets of the start and end of each closed HTML comment in ``text``.

    They are those of the regular expression ``<!--.*?-->``. It is not used, because it is slow: it
    would search the rest of the text for each ``<!--`` that nothing closes.
    """
    start = text.find("<!--")
    while start >= 0:
        closing = text.find("-->", start + len("<!--"))
        if closing < 0:
            return
        end = closing + len("-->")
        yield start, end
        start = text.find("<!--", end)


def outside_comments(text: str) -> str:
    """Return ``text`` without its closed HTML comments."""
    out, after_comment = [], 0
    for start, end in comments_in(text):
        out.append(text[after_comment:start])
        after_comment = end
    return "".join([*out, text[after_comment:]])


def fill(template: str, fields: Mapping[str, str | Sequence[Segment]]) -> list[Segment]:
    """Return ``template`` filled as ``str.format`` does, with segments as values too.

    ``fields`` has a value for each name. Only the template is parsed for braces, never a value.
    A conversion or format of a name (`{x!r}`, `{x:>9}`) has no effect.

    Raises:
        KeyError: the template has a name that ``fields`` lacks.

    """
    out: list[Segment] = []
    for text, name, _, _ in string.Formatter().parse(template):
        out.append(Segment(text))
        if name is not None:  # None if no placeholder follows the text
            value = fields[name]
            out += [Segment(value)] if isinstance(value, str) else value
    return merged(out)


def merged(segments: Sequence[Segment]) -> list[Segment]:
    """Return ``segments`` without empty ones; adjacent ones that :func:`_can_join` are joined."""
    out: list[Segment] = []
    for segment in segments:
        if not segment.text:
            continue
        if out and _can_join(out[-1], segment):
            out[-1] = replace(out[-1], text=out[-1].text + segment.text)
        else:
            out.append(segment)
    return out


def _can_join(last: Segment, following: Segment) -> bool:
    """Whether both segments are text of no file and look the same in the preview.

    Joined text of files would lose the line in the file at which each segment begins.
    """
    if last.path is not None or following.path is not None:
        return False
    return (last.kind, last.label, last.block) == (
        following.kind,
        following.label,
        following.block,
    )


def in_blocks(
    blocks: Sequence[MessageBlock],
) -> tuple[tuple[Segment, ...], tuple[str, ...]]:
    """Return (segments, roles) of ``blocks``, with a blank line between two blocks.

    Each segment has in ``block`` the index of its role; a blank line has None there. Blocks
    without text are left out.
    """
    out: list[Segment] = []
    roles: list[str] = []
    for role, segments in blocks:
        with_text = merged(segments)
        if not with_text:
            continue
        if out:
            out.append(Segment("\n\n", block=None))
        out += [replace(segment, block=len(roles)) for segment in with_text]
        roles.append(role)
    return tuple(out), tuple(roles)


def without_comments(segment: Segment) -> list[Segment]:
    """Return the pieces of ``segment`` that are outside of its HTML comments.

    Each piece has the line of the file at which it begins. An unclosed comment stays, as it does in
    the runtimes.
    """
    pieces: list[Segment] = []
    text = segment.text
    piece_start, line = 0, segment.line  # where the next piece starts
    at_end = (len(text), len(text))  # so that the piece after the last comment is added too
    for start, end in [*comments_in(text), at_end]:
        if start > piece_start:
            pieces.append(replace(segment, text=text[piece_start:start], line=line))
        line += line_breaks(text[piece_start:end])
        piece_start = end
    return pieces


def part(segment: Segment, start: int, end: int) -> Segment:
    """Return ``segment`` with only its characters from ``start`` to ``end``, and their line."""
    line = segment.line + line_breaks(segment.text[:start])
    return replace(segment, text=segment.text[start:end], line=line)


def with_short_gaps(segments: Sequence[Segment], most: int = 2) -> list[Segment]:
    """Return ``segments`` with at most ``most`` newlines in a row, across their borders too."""
    out: list[Segment] = []
    newlines = 0  # newlines in a row so far, those at the end of earlier segments included
    for segment in segments:
        piece_start = 0  # the text before it is in `out`, or is a surplus newline
        for match in _RUNS.finditer(segment.text):
            if not match[0].startswith("\n"):
                newlines = 0
                continue
            newlines += len(match[0])
            surplus = newlines - most
            if surplus > 0:  # the last `surplus` newlines of this match are left out
                out.append(part(segment, piece_start, match.end() - surplus))
                piece_start, newlines = match.end(), most
        out.append(part(segment, piece_start, len(segment.text)))
    return out


def line_breaks(text: str) -> int:
    r"""Return the number of newlines in ``text``; ``\r\n`` is one."""
    lines = split_lines(text)
    ends_with_newline = not text or text.endswith(("\n", "\r"))
    return len(lines) if ends_with_newline else len(lines) - 1


def line_starts(text: str) -> list[int]:
    """Return the offset at which each line of ``text`` begins, and at last the end of ``text``.

    Only line feeds count as newlines.
    """
    return [0, *(match.end() for match in re.finditer("\n", text)), len(text)]


def right_stripped(segments: Sequence[Segment]) -> list[Segment]:
    """Return ``segments`` without the white space at the end of their joined text."""
    out = list(segments)
    while out:
        last = out.pop()
        text = last.text.rstrip()
        if text:
            return [*out, replace(last, text=text)]
    return []
