"""What filters and the ranking look at, in memory: whose an entry is, its length and tags.

Entries have small numbers, so lists and masks stand in place of objects: at 100,000 entries that
is what keeps a search, and Python's garbage collector, quick.
"""

from __future__ import annotations

import heapq
from collections import Counter, defaultdict
from dataclasses import replace
from itertools import compress
from typing import TYPE_CHECKING

from agent_memory.entries.entry_file import Entry

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from agent_memory.entries.store import Filter
    from agent_memory.recall.file_scan import Doc

Owner = tuple[str, str, str, str]  # scope, agent, run, kind
_ORDER = {"global": 0, "agents": 1, "runs": 2}
_NOBODY = -1
_MASKS = 64


class Table:
    """The entries that count, by number: where an id is there twice, the last in load order.

    ``look_up`` gives the :class:`Doc` of a number that was added.
    """

    def __init__(self, look_up: Callable[[int], Doc], docs: Iterable[Doc] = ()) -> None:
        self.lengths: list[int] = []
        self.owners: list[int] = []
        self.changed: list[int] = []
        self.tagged: dict[str, set[int]] = defaultdict(set)
        self.groups: dict[Owner, int] = {}
        self.counts: list[int] = []
        self.totals: list[int] = []
        self._look_up = look_up
        self._numbers: dict[str, int] = {}
        self._same: dict[str, list[Doc]] = {}
        self._masks: dict[frozenset[int], bytearray] = {}
        for doc in docs:
            self.add(doc)

    def add(self, doc: Doc) -> None:
        """Take in ``doc``."""
        if doc.number >= len(self.owners):
            self._grow(doc.number + 1 - len(self.owners))
        first = self._numbers.setdefault(doc.ulid, doc.number)
        if first == doc.number:
            self._enter(doc)
            return
        same = self._same.setdefault(doc.ulid, [])
        if not same:
            same.append(self._look_up(first))
        self._leave(same[-1])
        same.append(doc)
        same.sort(key=lambda item: (_ORDER[item.path.split("/", 1)[0]], item.path))
        self._enter(same[-1])

    def remove(self, doc: Doc) -> None:
        """Drop ``doc``, which was added."""
        same = self._same.get(doc.ulid)
        if same is None:
            del self._numbers[doc.ulid]
            self._leave(doc)
            return
        self._leave(same[-1])
        same.remove(doc)
        self._enter(same[-1])
        if len(same) == 1:
            self._numbers[doc.ulid] = same[0].number
            del self._same[doc.ulid]

    def taken(self, wanted: Filter) -> Taken:
        """Return the entries that ``wanted`` takes."""
        untagged = replace(wanted, tags=())
        groups = frozenset(
            group for owner, group in self.groups.items() if untagged.takes(_of_owner(owner))
        )
        mask = self._mask(groups)
        if not wanted.tags:
            return Taken(self, groups, mask, None)
        tagged: set[int] = set()
        for tag in wanted.tags:
            tagged |= self.tagged.get(tag.lower(), set())
        return Taken(self, groups, mask, {number for number in tagged if mask[number]})

    def recent(self, taken: Taken, limit: int) -> list[int]:
        """Return the entries of ``taken`` that changed last, the latest first."""
        numbers: Iterable[int] = range(len(self.owners))
        numbers = compress(numbers, taken.mask) if taken.among is None else taken.among
        return heapq.nsmallest(limit, numbers, key=lambda at: (-self.changed[at], at))

    def _mask(self, groups: frozenset[int]) -> bytearray:
        """Return 1 at the number of each entry of ``groups``; kept up as entries come and go."""
        mask = self._masks.get(groups)
        if mask is None:
            if len(self._masks) >= _MASKS:
                self._masks.clear()
            mask = self._masks[groups] = bytearray(owner in groups for owner in self.owners)
        return mask

    def _enter(self, doc: Doc) -> None:
        owner = (doc.scope, doc.agent, doc.run, doc.kind)
        group = self.groups.get(owner)
        if group is None:
            group = self.groups[owner] = len(self.counts)
            self.counts.append(0)
            self.totals.append(0)
        number = doc.number
        self.owners[number] = group
        self.lengths[number] = doc.length
        self.changed[number] = doc.changed
        self.counts[group] += 1
        self.totals[group] += doc.length
        for groups, mask in self._masks.items():
            mask[number] = group in groups
        for tag in doc.tags.split("\n") if doc.tags else ():
            self.tagged[tag].add(number)

    def _grow(self, count: int) -> None:
        self.owners += [_NOBODY] * count
        self.lengths += [0] * count
        self.changed += [0] * count
        for mask in self._masks.values():
            mask.extend(bytes(count))

    def _leave(self, doc: Doc) -> None:
        group = self.owners[doc.number]
        self.owners[doc.number] = _NOBODY
        self.counts[group] -= 1
        self.totals[group] -= doc.length
        for mask in self._masks.values():
            mask[doc.number] = 0
        for tag in doc.tags.split("\n") if doc.tags else ():
            self.tagged[tag].discard(doc.number)


class Taken:
    """The entries a filter takes: those of ``groups``, or just ``among`` where that is given.

    ``mask`` has 1 at the number of each entry of ``groups``.
    """

    def __init__(
        self, table: Table, groups: frozenset[int], mask: bytearray, among: set[int] | None
    ) -> None:
        self.groups = groups
        self.mask = mask
        self.among = among
        if among is None:
            self.count = sum(table.counts[group] for group in groups)
            self.total = sum(table.totals[group] for group in groups)
        else:
            self.count = len(among)
            self.total = sum(table.lengths[number] for number in among)

    def counted(self, numbers: Sequence[int]) -> Mapping[int, int]:
        """Return how often each entry that is taken stands in ``numbers``."""
        if self.among is not None:
            return Counter(filter(self.among.__contains__, numbers))
        return Counter(compress(numbers, map(self.mask.__getitem__, numbers)))


def _of_owner(owner: Owner) -> Entry:
    scope, agent, run, kind = owner
    return Entry("", scope, kind, "", "", 0, agent or None, run or None)
