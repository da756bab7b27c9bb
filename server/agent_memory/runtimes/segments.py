"""Operations on segments that keep the origin of every piece of text."""

from __future__ import annotations

import string
from dataclasses import replace
from typing import TYPE_CHECKING

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.base.model import Segment
from agent_memory.base.text import split_lines

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence


_RUNS = lazy_compile(r"\n+|[^\n]+")


def comments_in(text: str) -> Iterator[tuple[int, int]]:
    """Yield the start and end of each closed HTML comment, as ``<!--.*?-->`` finds them.

    The expression would search the rest of the text for each ``<!--`` that nothing closes.
    """
    start = text.find("<!--")
    while start >= 0 and (end := text.find("-->", start + 4)) >= 0:
        yield start, end + 3
        start = text.find("<!--", end + 3)


def outside_comments(text: str) -> str:
    """Return ``text`` without its closed HTML comments."""
    out, at = [], 0
    for start, end in comments_in(text):
        out.append(text[at:start])
        at = end
    return "".join([*out, text[at:]])


def fill(template: str, fields: Mapping[str, str | Sequence[Segment]]) -> list[Segment]:
    """Return ``template`` filled as ``str.format`` does.

    Only the template is parsed for braces, never the memory.
    """
    out: list[Segment] = []
    for text, name, _, _ in string.Formatter().parse(template):
        out.append(Segment(text))
        if name is not None:
            value = fields[name]
            out += [Segment(value)] if isinstance(value, str) else value
    return merged(out)


def merged(segments: Sequence[Segment]) -> list[Segment]:
    """Return ``segments`` without empty ones and with adjacent ones of no file joined."""
    out: list[Segment] = []
    for segment in segments:
        if not segment.text:
            continue
        last = out[-1] if out else None
        # `path` None on both: their text is of no file, so no line is lost
        if last and last.path is segment.path is None and _look(last) == _look(segment):
            out[-1] = replace(last, text=last.text + segment.text)
        else:
            out.append(segment)
    return out


def _look(segment: Segment) -> tuple[str, str, int | None]:
    return segment.kind, segment.label, segment.block


def in_blocks(
    blocks: Sequence[tuple[str, Sequence[Segment]]],
) -> tuple[tuple[Segment, ...], tuple[str, ...]]:
    """Return the segments of ``blocks`` (role, segments) with a blank line between, and the roles.

    Blocks without text are left out.
    """
    out: list[Segment] = []
    roles: list[str] = []
    for role, segments in blocks:
        found = merged(segments)
        if not found:
            continue
        if out:
            out.append(Segment("\n\n", block=None))
        out += [replace(segment, block=len(roles)) for segment in found]
        roles.append(role)
    return tuple(out), tuple(roles)


def without_comments(segment: Segment) -> list[Segment]:
    """Return a file's segment without HTML comments; each piece has its own first line.

    An unclosed comment stays, as it does in the runtimes.
    """
    out: list[Segment] = []
    at, text, line = 0, segment.text, segment.line
    for start, end in [*comments_in(text), (len(text), len(text))]:
        if start > at:
            out.append(replace(segment, text=text[at:start], line=line))
        line += line_breaks(text[at:end])
        at = end
    return out


def part(segment: Segment, start: int, end: int) -> Segment:
    """Return the characters ``start`` to ``end`` of ``segment``, with their first line."""
    line = segment.line + line_breaks(segment.text[:start])
    return replace(segment, text=segment.text[start:end], line=line)


def with_short_gaps(segments: Sequence[Segment], most: int = 2) -> list[Segment]:
    """Return ``segments`` with at most ``most`` newlines in a row, across their borders too."""
    out: list[Segment] = []
    run = 0  # newlines in a row so far, those of the segments before included
    for segment in segments:
        at = 0
        for match in _RUNS.finditer(segment.text):
            run = run + len(match[0]) if match[0][0] == "\n" else 0
            if run > most:  # keep those up to the limit; the segments before may have reached it
                out.append(part(segment, at, max(match.start(), match.end() - run + most)))
                at, run = match.end(), most
        out.append(part(segment, at, len(segment.text)))
    return out


def line_breaks(text: str) -> int:
    """Return the number of newlines in ``text``."""
    lines = split_lines(text)
    has_open_line = bool(lines) and not text.endswith(("\n", "\r"))
    return len(lines) - has_open_line


def right_stripped(segments: Sequence[Segment]) -> list[Segment]:
    """Return ``segments`` without the white space at the end of their joined text."""
    out = list(segments)
    while out:
        last = out.pop()
        text = last.text.rstrip()
        if text:
            return [*out, replace(last, text=text)]
    return []
