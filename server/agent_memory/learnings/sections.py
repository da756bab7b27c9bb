"""The sections of a Claude MPM memory file and their items."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agent_memory.base.text import split_lines
from agent_memory.language.similarity import same
from agent_memory.markdown.parser import scan
from agent_memory.markdown.sections import plain_title

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agent_memory.markdown.model import Item


@dataclass(frozen=True, slots=True)
class SectionSpec:
    """A ``## `` section: its name, the heading's line, the line after its end, its items."""

    name: str
    line: int
    end: int
    items: tuple[Item, ...]


def sections_of(lines: Sequence[str]) -> list[SectionSpec]:
    """Return the level-2 sections with their items (``- `` lines, nested ones inside them)."""
    markdown = scan(lines)
    found = [item for item in markdown.items if item.indent == 0 and item.marker in "-*+"]
    lines_of = [item.line for item in found]
    starts = [item for item in markdown.headings if item.level == 2 and item.rows == 1]
    ends = [*(heading.line for heading in starts), len(lines)][1:]
    return [
        SectionSpec(
            plain_title(heading.text),
            heading.line,
            end,
            tuple(found[bisect_left(lines_of, heading.line) : bisect_left(lines_of, end)]),
        )
        for heading, end in zip(starts, ends, strict=True)
    ]


def find_item(text: str, wanted: str) -> tuple[str, int] | None:
    """Return section name and line (from 0) of the first item that says the same as ``wanted``.

    None if there is no such item.
    """
    for section in sections_of(split_lines(text)):
        for item in section.items:
            if same(wanted, item.text):
                return section.name, item.line
    return None


def items_of(text: str) -> dict[str, list[str]]:
    """Return the items of each section, without their markers."""
    lines = split_lines(text)
    out: dict[str, list[str]] = {}
    for section in sections_of(lines):
        rows = out.setdefault(section.name, [])
        rows += [
            " ".join("".join(lines[item.line : item.end_line]).split())[2:]
            for item in section.items
        ]
    return out
