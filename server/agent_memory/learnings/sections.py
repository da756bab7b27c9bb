"""The sections of a Claude MPM memory file and their items."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from agent_memory.base.text import split_lines
from agent_memory.language.similarity import same
from agent_memory.markdown.parser import scan
from agent_memory.markdown.sections import plain_title

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agent_memory.markdown.model import Item


@dataclass(frozen=True, slots=True)
class SectionSpec:
    """A ``## `` section.

    ``name`` is its heading without a note such as ``(Max: 15 items)``, ``line`` the heading's line
    (from 0), ``end`` the line after the section, ``items`` its top-level bullets. Headings of other
    levels do not end it, unlike a :class:`agent_memory.markdown.sections.Section`.
    """

    name: str
    line: int
    end: int
    items: tuple[Item, ...]


def sections_of(lines: Sequence[str]) -> list[SectionSpec]:
    """Return the level-2 sections with their top-level bullets, in order.

    Nested items are part of their bullet. Setext headings and numbered items do not count.
    """
    markdown = scan(lines)
    bullets = [item for item in markdown.items if item.indent == 0 and item.marker in "-*+"]
    starts = [bullet.line for bullet in bullets]
    headings = [
        heading for heading in markdown.headings if heading.level == 2 and heading.rows == 1
    ]
    # A section ends at the next of these headings, the last one at the end of the file. The first
    # heading ends no section.
    ends = [*(heading.line for heading in headings), len(lines)][1:]
    return [
        SectionSpec(
            plain_title(heading.text),
            heading.line,
            end,
            tuple(bullets[bisect_left(starts, heading.line) : bisect_left(starts, end)]),
        )
        for heading, end in zip(headings, ends, strict=True)
    ]


class FoundItem(NamedTuple):
    """Where an item is: the name of its section, and its first line (from 0)."""

    section: str
    line: int


def find_item(text: str, wanted: str) -> FoundItem | None:
    """Return the place of the first item that says the same as ``wanted``.

    Only the first line of an item is compared. None if there is no such item.
    """
    for section in sections_of(split_lines(text)):
        for item in section.items:
            if same(wanted, item.text):
                return FoundItem(section.name, item.line)
    return None


def items_of(text: str) -> dict[str, list[str]]:
    """Return the items by the name of their section, each on one line without its marker.

    The items of sections with the same name are in one list.
    """
    lines = split_lines(text)
    out: dict[str, list[str]] = {}
    for section in sections_of(lines):
        texts = out.setdefault(section.name, [])
        for item in section.items:
            words = "".join(lines[item.line : item.end_line]).split()
            texts.append(" ".join(words)[2:])  # without the marker and its space
    return out
