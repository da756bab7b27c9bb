"""Finds lines of a file that already say what an item says, or the opposite."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from agent_memory.base.text import without_newline
from agent_memory.language.imperatives import opposed
from agent_memory.language.similarity import (
    near,
    normalised,
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
    """An existing line with the same content: line, section heading, exact or near match."""

    line: int
    section: str
    exact: bool


def find_duplicate(
    lines: Sequence[str], item: FormattedItem, *, exact: bool = False
) -> Duplicate | None:
    """Return the first line that duplicates ``item``; None unless ``lines`` contain all of it.

    ``exact`` ignores near matches.
    """
    markdown = scan(lines)
    if item.block:
        found = _find_block(lines, item.block)
        return None if found is None else _duplicate(markdown, found, exact=True)
    paragraphs = list(_paragraphs(lines, markdown))
    matches = [_find(bullet, paragraphs, exact=exact) for bullet in item.bullets]
    if not matches or None in matches:
        return None
    line, _ = matches[0] or (0, True)
    return _duplicate(
        markdown, line, exact=all(match is not None and match[1] for match in matches)
    )


def find_opposite(lines: Sequence[str], item: FormattedItem) -> int | None:
    """Return the line that tells the agent to do the opposite of a bullet of ``item``, if any."""
    paragraphs = [(line, _plain(text)) for line, text in _paragraphs(lines, scan(lines))]
    for bullet in map(_plain, item.bullets):
        for line, text in paragraphs:
            if opposed(bullet, text):
                return line
    return None


def _find(
    bullet: str, paragraphs: Sequence[tuple[int, str]], *, exact: bool
) -> tuple[int, bool] | None:
    """Return (line, exact) of the first paragraph that says ``bullet``; exact matches first."""
    for line, text in paragraphs:
        if same(bullet, text):
            return line, True
    if not exact:
        for line, text in paragraphs:
            if near(bullet, text) and not opposed(_plain(bullet), _plain(text)):
                return line, False
    return None


def _plain(text: str) -> str:
    return normalised(without_marker(text))


def _paragraphs(lines: Sequence[str], markdown: Markdown) -> Iterator[tuple[int, str]]:
    """Yield list items and paragraphs as (first line, text on one line)."""
    start, parts = 0, list[str]()
    for number, kind in enumerate(markdown.kinds):
        if kind is LineKind.TEXT and parts:
            parts.append(without_newline(lines[number]).strip())
            continue
        if parts:
            yield start, " ".join(parts)
        parts = []
        if kind in (LineKind.TEXT, LineKind.ITEM):
            start, parts = number, [without_newline(lines[number]).strip()]
    if parts:
        yield start, " ".join(parts)


def _find_block(lines: Sequence[str], block: str) -> int | None:
    """Return the line where ``block`` begins; an origin line and white space are ignored."""
    wanted = [line.strip() for line in block.split("\n") if line.strip()]
    if len(wanted) > 1 and wanted[0][0] == "`" and not wanted[0].startswith("```"):
        wanted = wanted[1:]  # the same code may have another origin
    rows = [
        (number, without_newline(line).strip()) for number, line in enumerate(lines) if line.strip()
    ]
    texts = [text for _, text in rows]
    for at in range(len(texts) - len(wanted) + 1):
        if texts[at] == wanted[0] and texts[at : at + len(wanted)] == wanted:
            return rows[at][0]
    return None


def _duplicate(markdown: Markdown, line: int, *, exact: bool) -> Duplicate:
    above = [item for item in sections_of(markdown) if item.heading.line < line < item.end]
    return Duplicate(line, above[-1].title if above else "", exact)
