"""The limits of a Claude MPM memory file, and eviction: only the oldest items are removed.

Headings, comments and prose are never removed. :func:`shrink` also leaves the item that it is told
to keep, normally the new one; :func:`evict_over` with a limit of 0 removes all items.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from heapq import heapify, heappop, heapreplace
from typing import TYPE_CHECKING

from agent_memory.base.text import split_lines
from agent_memory.l10n import t
from agent_memory.language.similarity import same
from agent_memory.learnings.extract import RECENT
from agent_memory.learnings.sections import SectionSpec, sections_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from agent_memory.markdown.model import Item


@dataclass(frozen=True, slots=True)
class Limits:
    """Bytes per file, sections, items per section, characters per line including ``- ``.

    Each is at least 1: config.yml allows no less.
    """

    size: int = 8 * 1024
    sections: int = 10
    items: int = 15
    line: int = 120


@dataclass(frozen=True, slots=True)
class Evicted:
    r"""An item that was removed: the name of its section, and its lines.

    The lines have ``\n`` between them and none at the end; else they are as in the file.
    """

    section: str
    text: str


class NotAdded(ValueError):  # noqa: N818 -- a refusal with its reason
    """The item is not added and the file unchanged; the message says why."""


def shrink(text: str, limits: Limits, keep: str = "") -> tuple[str, list[Evicted]]:
    """Return ``text`` within ``limits.size`` bytes, and the items that were removed for that.

    They are removed in the order of :func:`_in_eviction_order`, as many as necessary. An item that
    says the same as ``keep`` stays ('': no item).

    Raises:
        NotAdded: the text is too large even without all items that can be removed.

    """
    evicted: list[Evicted] = []
    while _size(text) > limits.size:  # again, because a cut can change how the rest is parsed
        lines = split_lines(text)
        chosen = []
        excess = _size(text) - limits.size  # in bytes
        for section, item in _in_eviction_order(sections_of(lines), keep):
            if excess <= 0:
                break
            chosen.append((section, item))
            excess -= _size("".join(lines[item.line : item.end_line]))
        if not chosen:
            raise NotAdded(
                t(
                    "the file would have {0:,} bytes, over its limit of {1:,}, and only "
                    "headings and prose are left. Shorten them manually",
                    _size(text),
                    limits.size,
                )
            )
        text, removed = cut(lines, chosen)
        evicted += removed
    return text, evicted


def _size(text: str) -> int:
    """Return the size of ``text`` in UTF-8 bytes."""
    return len(text.encode("utf-8", "surrogatepass"))


def evict_over(text: str, most: int, name: str | None = None) -> tuple[str, list[Evicted]]:
    """Return ``text`` with only the last ``most`` items in each section, and the removed items.

    ``most`` is at least 0. With a ``name``, only the sections of this name lose items.
    """
    evicted: list[Evicted] = []
    while True:  # again, because a cut can change how the rest is parsed
        lines = split_lines(text)
        oldest: list[tuple[SectionSpec, Item]] = []
        for section in sections_of(lines):
            if name is None or section.name == name:
                excess = max(0, len(section.items) - most)
                oldest += [(section, item) for item in section.items[:excess]]
        if not oldest:
            return text, evicted
        text, removed = cut(lines, oldest)
        evicted += removed


def _in_eviction_order(
    sections: Sequence[SectionSpec], keep: str
) -> Iterator[tuple[SectionSpec, Item]]:
    """Yield each item with its section, except items that say the same as ``keep``.

    First all items of Recent Learnings. Then repeatedly the oldest item of the section that has the
    most items left; of equally long sections, the first one is chosen.
    """
    # By the number of the section. An item that says `keep` counts as one that is left.
    removable = {  # the oldest item is last, so that `pop` returns it
        number: [item for item in section.items if not keep or not same(item.text, keep)][::-1]
        for number, section in enumerate(sections)
    }
    for number, section in enumerate(sections):
        while section.name == RECENT and removable[number]:
            yield section, removable[number].pop()
    heap = [  # (negative number of items, number of the section): the longest one is first
        (-len(section.items), number)
        for number, section in enumerate(sections)
        if section.name != RECENT
    ]
    heapify(heap)
    while heap:
        negative_length, number = heap[0]
        if not removable[number]:
            heappop(heap)
            continue
        yield sections[number], removable[number].pop()
        heapreplace(heap, (negative_length + 1, number))  # the section has one item less


def cut(
    lines: Sequence[str], items: Sequence[tuple[SectionSpec, Item]]
) -> tuple[str, list[Evicted]]:
    """Return the text of ``lines`` without ``items``, and these items.

    ``items`` are pairs of a section and an item in it.
    """
    remaining: list[str] = list(lines)
    evicted = []
    for section, item in items:
        item_text = "".join(lines[item.line : item.end_line])
        # '' in place of each line, so that the line numbers of the other items stay right.
        remaining[item.line : item.end_line] = [""] * (item.end_line - item.line)
        evicted.append(Evicted(section.name, item_text.replace("\r\n", "\n").rstrip("\n")))
    return "".join(remaining), evicted


def with_limits(limits: Limits, size_kb: int | None) -> Limits:
    """Return ``limits`` with a size of ``size_kb`` KB, unless that is None."""
    return limits if size_kb is None else replace(limits, size=size_kb * 1024)
