"""Finds lines of a file that already say what an item says, or the opposite."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from agent_memory.base.text import without_newline
from agent_memory.language.imperatives import opposed
from agent_memory.language.similarity import (
    is_nearly_in,
    normalized,
    same,
    without_marker,
)
from agent_memory.markdown.model import LineKind, Markdown
from agent_memory.markdown.parser import scan
from agent_memory.markdown.sections import sections_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from agent_memory.remember.snippet import FormattedItem


@dataclass(frozen=True, slots=True)
class Duplicate:
    """An existing line with the same content.

    ``line`` counts from 0, ``section`` is the heading above ('' without one). ``exact`` is False
    for a near match: a line that says nearly the same.
    """

    line: int
    section: str
    exact: bool


class _Match(NamedTuple):
    """A paragraph that says a bullet: its first line (from 0), and False for a near match."""

    line: int
    exact: bool


def find_duplicate(
    lines: Sequence[str], item: FormattedItem, *, exact: bool = False
) -> Duplicate | None:
    """Return the :class:`Duplicate` of ``item``; None unless ``lines`` contain all of it.

    Its line is the one that says the first bullet, or the first line of the block. With ``exact``,
    near matches are ignored. Only bullets can have near matches.
    """
    markdown = scan(lines)
    if item.block:
        line = _find_block(lines, item.block)
        return None if line is None else _duplicate(markdown, line, exact=True)
    paragraphs = list(_paragraphs(lines, markdown))
    matches = []
    for bullet in item.bullets:
        match = _find_bullet(bullet, paragraphs, exact=exact)
        if match is None:
            return None
        matches.append(match)
    if not matches:  # the item is empty
        return None
    return _duplicate(markdown, matches[0].line, exact=all(match.exact for match in matches))


def find_opposite(lines: Sequence[str], item: FormattedItem) -> int | None:
    """Return a line (from 0) that tells the agent the opposite of a bullet of ``item``.

    It is the first such line for the first bullet that has one; None if no bullet has one. A block
    has no opposite.
    """
    paragraphs = [(line, _plain(text)) for line, text in _paragraphs(lines, scan(lines))]
    for bullet in map(_plain, item.bullets):
        for line, text in paragraphs:
            if opposed(bullet, text):
                return line
    return None


def _find_bullet(
    bullet: str, paragraphs: Sequence[tuple[int, str]], *, exact: bool
) -> _Match | None:
    """Return the first of ``paragraphs``, (line, text), that says ``bullet``; None if none does.

    A near match is returned only if no paragraph matches exactly; with ``exact``, never.
    """
    for line, text in paragraphs:
        if same(bullet, text):
            return _Match(line, exact=True)
    if exact:
        return None
    for line, text in paragraphs:
        # Opposites can share nearly all of their words.
        if is_nearly_in(bullet, text) and not opposed(_plain(bullet), _plain(text)):
            return _Match(line, exact=False)
    return None


def _plain(text: str) -> str:
    """Return ``text`` without list marker, in the form that :func:`opposed` compares."""
    return normalized(without_marker(text))


def _paragraphs(lines: Sequence[str], markdown: Markdown) -> Iterator[tuple[int, str]]:
    """Yield each list item and paragraph as (first line from 0, its lines joined by spaces)."""
    start, parts = 0, list[str]()  # of the item or paragraph that is being read
    for number, kind in enumerate(markdown.kinds):
        if kind is LineKind.TEXT and parts:  # the line continues the item or paragraph
            parts.append(without_newline(lines[number]).strip())
            continue
        if parts:  # any other line ends the item or paragraph
            yield start, " ".join(parts)
        parts = []
        if kind in (LineKind.TEXT, LineKind.ITEM):
            start, parts = number, [without_newline(lines[number]).strip()]
    if parts:
        yield start, " ".join(parts)


def _find_block(lines: Sequence[str], block: str) -> int | None:
    """Return the line (from 0) where ``block`` begins; None if ``lines`` do not contain it.

    Blank lines, indentation and the line with the block's origin (`path:line`) are ignored.
    """
    wanted = [line.strip() for line in block.split("\n") if line.strip()]
    begins_with_code_span = wanted[0].startswith("`") and not wanted[0].startswith("```")
    if begins_with_code_span and len(wanted) > 1:
        # This is `path:line` above a fence: the same code may have another origin. A block of prose
        # that begins with a code span is compared without its first line, too.
        wanted = wanted[1:]
    numbers = [number for number, line in enumerate(lines) if line.strip()]
    texts = [without_newline(lines[number]).strip() for number in numbers]
    for first in range(len(texts) - len(wanted) + 1):
        # The comparison of the first line avoids most of the slices.
        if texts[first] == wanted[0] and texts[first : first + len(wanted)] == wanted:
            return numbers[first]
    return None


def _duplicate(markdown: Markdown, line: int, *, exact: bool) -> Duplicate:
    """Return the duplicate on ``line``, with the title of the section that contains the line."""
    titles = (  # at most one, because sections do not nest
        section.title
        for section in sections_of(markdown)
        if section.heading.line < line < section.end
    )
    return Duplicate(line, next(titles, ""), exact)
