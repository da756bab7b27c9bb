"""The limits of a Claude MPM memory file, and eviction: only the oldest items are removed.

Headings, comments and prose are never removed, nor is the newest item.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from agent_memory.base.text import split_lines
from agent_memory.l10n import t
from agent_memory.language.similarity import same
from agent_memory.learnings.extract import RECENT
from agent_memory.learnings.sections import SectionSpec, sections_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agent_memory.markdown.model import Item


@dataclass(frozen=True, slots=True)
class Limits:
    """Bytes per file, sections, items per section, characters per line including ``- ``."""

    size: int = 8 * 1024
    sections: int = 10
    items: int = 15
    line: int = 120


@dataclass(frozen=True, slots=True)
class Evicted:
    """An item that was removed: its section and its lines, verbatim."""

    section: str
    text: str


class NotAdded(ValueError):  # noqa: N818 -- a refusal with its reason
    """The item is not added and the file unchanged; the message says why."""


def shrink(text: str, limits: Limits, keep: str = "") -> tuple[str, list[Evicted]]:
    """Return ``text`` without its oldest items, so that it is within ``limits.size`` bytes.

    The item ``keep`` is not removed.

    Raises:
        NotAdded: it is still too large.

    """
    evicted: list[Evicted] = []
    while len(text.encode("utf-8", "surrogatepass")) > limits.size:
        lines = split_lines(text)
        found = _oldest(sections_of(lines), keep)
        if found is None:
            size = len(text.encode("utf-8", "surrogatepass"))
            raise NotAdded(
                t(
                    "the file would have {0:,} bytes, over its limit of {1:,}, and only "
                    "headings and prose are left. Shorten them manually",
                    size,
                    limits.size,
                )
            )
        text, one = cut(lines, *found)
        evicted.append(one)
    return text, evicted


def evict_over(text: str, name: str, most: int) -> tuple[str, list[Evicted]]:
    """Return ``text`` with only the last ``most`` items in section ``name``, and the others."""
    evicted: list[Evicted] = []
    while True:
        lines = split_lines(text)
        section = next(item for item in sections_of(lines) if item.name == name)
        if len(section.items) <= most:
            return text, evicted
        text, one = cut(lines, section, section.items[0])
        evicted.append(one)


def _oldest(sections: Sequence[SectionSpec], keep: str) -> tuple[SectionSpec, Item] | None:
    def removable(section: SectionSpec) -> list[Item]:
        return [item for item in section.items if not keep or not same(item.text, keep)]

    recent = [section for section in sections if section.name == RECENT]
    longest = sorted(sections, key=lambda section: -len(section.items))
    for section in (*recent, *longest):
        items = removable(section)
        if items:
            return section, items[0]
    return None


def cut(lines: Sequence[str], section: SectionSpec, item: Item) -> tuple[str, Evicted]:
    """Return the text without ``item`` of ``section``, and the removed item."""
    rows = "".join(lines[item.line : item.end_line])
    text = "".join(lines[: item.line]) + "".join(lines[item.end_line :])
    return text, Evicted(section.name, rows.replace("\r\n", "\n").rstrip("\n"))


def with_limits(limits: Limits, size_kb: int | None) -> Limits:
    """Return ``limits`` with a size of ``size_kb`` KB, unless that is None."""
    return limits if size_kb is None else replace(limits, size=size_kb * 1024)
