"""What filters and the ranking look at, in memory: whose an entry is, its length and tags."""

from __future__ import annotations

import heapq
from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

from agent_memory.entryfile import Entry

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from agent_memory.entries import Filter
    from agent_memory.recallindex import Doc

Owner = tuple[str, str, str, str]  # scope, agent, run, kind
_ORDER = {"global": 0, "agents": 1, "runs": 2}


class Table:
    """The entries that count, by number: where an id is there twice, the last in load order."""

    def __init__(self, docs: Iterable[Doc] = ()) -> None:
        self.lengths: dict[int, int] = {}
        self.owners: dict[int, int] = {}
        self.tagged: dict[str, set[int]] = defaultdict(set)
        self.groups: dict[Owner, int] = {}
        self.counts: list[int] = []
        self.totals: list[int] = []
        self._docs: dict[int, Doc] = {}
        self._same: dict[str, list[Doc]] = {}
        for doc in docs:
            self.add(doc)

    def add(self, doc: Doc) -> None:
        """Take in ``doc``."""
        same = self._same.setdefault(doc.ulid, [])
        if same:
            self._leave(same[-1])
        same.append(doc)
        if len(same) > 1:
            same.sort(key=lambda item: (_ORDER[item.path.split("/", 1)[0]], item.path))
        self._docs[doc.number] = doc
        self._enter(same[-1])

    def remove(self, number: int) -> None:
        """Drop the entry ``number``, if it is there."""
        doc = self._docs.pop(number, None)
        if doc is None:
            return
        same = self._same[doc.ulid]
        self._leave(same[-1])
        same.remove(doc)
        if same:
            self._enter(same[-1])
        else:
            del self._same[doc.ulid]

    def taken(self, wanted: Filter) -> Taken:
        """Return the entries that ``wanted`` takes."""
        untagged = replace(wanted, tags=())
        groups = {group for owner, group in self.groups.items() if untagged.takes(_of_owner(owner))}
        if not wanted.tags:
            return Taken(self, groups, None)
        tagged: set[int] = set()
        for tag in wanted.tags:
            tagged |= self.tagged.get(tag.lower(), set())
        return Taken(self, groups, {number for number in tagged if self.owners[number] in groups})

    def recent(self, taken: Taken, limit: int) -> list[int]:
        """Return the entries of ``taken`` that changed last, the latest first."""
        numbers = taken.among
        if numbers is None:
            numbers = {number for number, group in self.owners.items() if group in taken.groups}
        docs = self._docs
        return heapq.nsmallest(limit, numbers, key=lambda at: (-docs[at].changed, at))

    def _enter(self, doc: Doc) -> None:
        owner = (doc.scope, doc.agent, doc.run, doc.kind)
        group = self.groups.get(owner)
        if group is None:
            group = self.groups[owner] = len(self.counts)
            self.counts.append(0)
            self.totals.append(0)
        self.owners[doc.number] = group
        self.lengths[doc.number] = doc.length
        self.counts[group] += 1
        self.totals[group] += doc.length
        for tag in doc.tags.split("\n") if doc.tags else ():
            self.tagged[tag].add(doc.number)

    def _leave(self, doc: Doc) -> None:
        group = self.owners.pop(doc.number)
        del self.lengths[doc.number]
        self.counts[group] -= 1
        self.totals[group] -= doc.length
        for tag in doc.tags.split("\n") if doc.tags else ():
            self.tagged[tag].discard(doc.number)


class Taken:
    """The entries a filter takes: those of ``groups``, or just ``among`` where that is given."""

    def __init__(self, table: Table, groups: set[int], among: set[int] | None) -> None:
        self.groups = frozenset(groups)
        self.among = among
        self._owners = table.owners
        if among is None:
            self.count = sum(table.counts[group] for group in groups)
            self.total = sum(table.totals[group] for group in groups)
        else:
            self.count = len(among)
            self.total = sum(table.lengths[number] for number in among)

    def only(self, postings: Sequence[tuple[int, int]]) -> Sequence[tuple[int, int]]:
        """Return those of ``postings`` that are taken."""
        if self.among is not None:
            among = self.among
            return [pair for pair in postings if pair[0] in among]
        owners, groups = self._owners, self.groups
        return [pair for pair in postings if owners.get(pair[0]) in groups]


def _of_owner(owner: Owner) -> Entry:
    scope, agent, run, kind = owner
    return Entry("", scope, kind, "", "", 0, agent or None, run or None)
