"""Finding out whether a file already says what is to be filed, and where."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from agent_memory.base.text import body
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
    """Where it stands: the line, its section's heading, and whether it is word for word."""

    line: int
    section: str
    exact: bool


def find_said(
    lines: Sequence[str], item: FormattedItem, *, exact: bool = False
) -> Duplicate | None:
    """Return where ``lines`` say every bullet of ``item`` (or its block); None if they do not.

    ``exact`` looks for the same words only.
    """
    markdown = scan(lines)
    if item.block:
        at = _block_line(lines, item.block)
        return None if at is None else _said(markdown, at, exact=True)
    passages = list(_passages(lines, markdown))
    hits = [_find(bullet, passages, exact=exact) for bullet in item.bullets]
    if not hits or None in hits:
        return None
    line, _ = hits[0] or (0, True)
    return _said(markdown, line, exact=all(hit is not None and hit[1] for hit in hits))


def _find(
    bullet: str, passages: Sequence[tuple[int, str]], *, exact: bool
) -> tuple[int, bool] | None:
    for line, text in passages:
        if same(bullet, text):
            return line, True
    if not exact:
        for line, text in passages:
            if near(bullet, text) and not opposed(_plain(bullet), _plain(text)):
                return line, False
    return None


def find_opposite(lines: Sequence[str], item: FormattedItem) -> int | None:
    """Return the line that tells the agent to do the opposite of a bullet of ``item``, if any."""
    passages = [(line, _plain(text)) for line, text in _passages(lines, scan(lines))]
    for bullet in map(_plain, item.bullets):
        for line, text in passages:
            if opposed(bullet, text):
                return line
    return None


def _plain(text: str) -> str:
    return normalised(without_marker(text))


def _passages(lines: Sequence[str], markdown: Markdown) -> Iterator[tuple[int, str]]:
    """Yield list items and paragraphs as one line each, with the line they begin on."""
    start, parts = 0, list[str]()
    for number, kind in enumerate(markdown.kinds):
        if kind is LineKind.TEXT and parts:
            parts.append(body(lines[number]).strip())
            continue
        if parts:
            yield start, " ".join(parts)
        parts = []
        if kind in (LineKind.TEXT, LineKind.ITEM):
            start, parts = number, [body(lines[number]).strip()]
    if parts:
        yield start, " ".join(parts)


def _block_line(lines: Sequence[str], block: str) -> int | None:
    """Return where the lines of ``block`` stand; an origin line and white space do not count."""
    wanted = [line.strip() for line in block.split("\n") if line.strip()]
    if len(wanted) > 1 and wanted[0][0] == "`" and not wanted[0].startswith("```"):
        wanted = wanted[1:]  # the same code, selected elsewhere
    have = [(number, body(line).strip()) for number, line in enumerate(lines) if line.strip()]
    texts = [text for _, text in have]
    for at in range(len(texts) - len(wanted) + 1):
        if texts[at] == wanted[0] and texts[at : at + len(wanted)] == wanted:
            return have[at][0]
    return None


def _said(markdown: Markdown, line: int, *, exact: bool) -> Duplicate:
    above = [item for item in sections_of(markdown) if item.heading.line < line < item.end]
    return Duplicate(line, above[-1].title if above else "", exact)
