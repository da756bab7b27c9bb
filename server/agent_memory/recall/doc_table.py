"""The owners, lengths and tags of all indexed entries, in memory.

Each entry has a small number. Lists by number replace objects: with 100,000 entries
this keeps both a search and Python's garbage collector fast.
"""

from __future__ import annotations

import heapq
import json
from collections import Counter, defaultdict
from dataclasses import replace
from itertools import compress
from typing import TYPE_CHECKING, NamedTuple

from agent_memory.entries.entry_file import Entry
from agent_memory.recall.file_scan import load_order
from agent_memory.secrets import shown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from agent_memory.entries.store import Filter

Owner = tuple[str, str, str, str]  # scope, agent, run, kind
_REMOVED = -1
"""The group of a number that is not (or no longer) the current entry of an id."""


class Doc(NamedTuple):
    """What the index stores of an entry besides its words; ``length`` is their number.

    ``changed`` is in milliseconds since the epoch. ``agent`` and ``run`` are '' without one.
    """

    number: int
    path: str  # below the root of the store
    ulid: str
    scope: str
    agent: str
    run: str
    kind: str
    tags: str  # a JSON list, lower case; '' for none
    changed: int
    length: int


class DocTable:
    """The current entry of each id: of several files with one id, the last in load order.

    ``look_up`` returns the :class:`Doc` of a number that was added. The position of an entry in
    the load order is that of the first file with its id.
    """

    def __init__(self, look_up: Callable[[int], Doc], docs: Iterable[Doc] = ()) -> None:
        # By the number of an entry:
        self.lengths: list[int] = []
        self._group_of: list[int] = []  # a number of _groups, or _REMOVED
        self._changed: list[int] = []
        self._paths: list[str] = []  # for the load order
        self.tagged: dict[str, set[int]] = defaultdict(set)  # the numbers by tag
        self._groups: dict[Owner, int] = {}  # the number of the group of an owner's entries
        self._counts: list[int] = []  # entries by group
        self._totals: list[int] = []  # words by group
        self._look_up = look_up
        # By id: the number of its only file. Of several files: the number of the one that was added
        # first, which may have been removed since.
        self._numbers: dict[str, int] = {}
        self._versions: dict[str, list[Doc]] = {}  # by id, only where several files have it
        for doc in docs:
            self.add(doc)

    def add(self, doc: Doc) -> None:
        """Add ``doc``. Of several files with its id, the last one in load order is the entry."""
        if doc.number >= len(self._group_of):
            self._grow(doc.number + 1 - len(self._group_of))
        first = self._numbers.setdefault(doc.ulid, doc.number)
        if first == doc.number:  # no other file has this id
            self._enter(doc, doc.path)
            return
        versions = self._versions.setdefault(doc.ulid, [])
        if not versions:
            versions.append(self._look_up(first))  # until now the only file with this id
        self._leave(versions[-1])  # the entry up to now
        versions.append(doc)
        versions.sort(key=lambda version: load_order(version.path))
        self._enter(versions[-1], versions[0].path)

    def remove(self, doc: Doc) -> None:
        """Remove ``doc``, which was added before.

        Of the other files with its id, the last one in load order is then the entry.
        """
        versions = self._versions.get(doc.ulid)
        if versions is None:  # no other file has this id
            del self._numbers[doc.ulid]
            self._leave(doc)
            return
        # The current entry leaves and enters again even if it is not `doc`, because its position
        # may change: that is the position of the first file.
        self._leave(versions[-1])
        versions.remove(doc)
        self._enter(versions[-1], versions[0].path)
        if len(versions) == 1:
            self._numbers[doc.ulid] = versions[0].number
            del self._versions[doc.ulid]

    def select(self, wanted: Filter) -> Selection:
        """Return the entries that ``wanted`` matches.

        An entry matches if its owner does and, if ``wanted`` has tags, the entry has one of them.
        """
        untagged = replace(wanted, tags=())  # a group shares the owner, not the tags
        # By group: whether `wanted` matches its owner.
        in_group = [untagged.takes(_as_entry(owner)) for owner in self._groups]
        count = sum(compress(self._counts, in_group))
        total = sum(compress(self._totals, in_group))
        in_group.append(False)  # the last item, which is at index `_REMOVED`
        selection = Selection(self._group_of, in_group, count, total)
        if not wanted.tags:
            return selection
        tagged = set().union(*(self.tagged.get(tag.lower(), ()) for tag in wanted.tags))
        numbers = {number for number in tagged if in_group[self._group_of[number]]}
        total = sum(self.lengths[number] for number in numbers)
        return Selection(self._group_of, in_group, len(numbers), total, numbers)

    def latest(self, numbers: Iterable[int], limit: int) -> list[int]:
        """Return the ``limit`` entries of ``numbers`` that changed last, the latest first."""
        return heapq.nsmallest(
            limit, numbers, key=lambda number: (-self._changed[number], self.order(number))
        )

    def order(self, number: int) -> tuple[int, str]:
        """Return the sort key of the entry ``number`` in load order."""
        return load_order(self._paths[number])

    def _enter(self, doc: Doc, path: str) -> None:
        """Let ``doc`` be the entry of its id, at the position of ``path`` in the load order."""
        owner = (doc.scope, doc.agent, doc.run, doc.kind)
        group = self._groups.setdefault(owner, len(self._counts))
        if group == len(self._counts):  # the owner's first entry
            self._counts.append(0)
            self._totals.append(0)
        number = doc.number
        self._group_of[number] = group
        self.lengths[number] = doc.length
        self._changed[number] = doc.changed
        self._paths[number] = path
        self._counts[group] += 1
        self._totals[group] += doc.length
        for tag in _tags(doc):
            self.tagged[tag].add(number)

    def _grow(self, count: int) -> None:
        """Make room for ``count`` more numbers, which belong to no entry yet."""
        self._group_of += [_REMOVED] * count
        self.lengths += [0] * count
        self._changed += [0] * count
        self._paths += [""] * count

    def _leave(self, doc: Doc) -> None:
        """Let ``doc`` no longer be the entry of its id."""
        group = self._group_of[doc.number]
        self._group_of[doc.number] = _REMOVED
        self._counts[group] -= 1
        self._totals[group] -= doc.length
        for tag in _tags(doc):
            self.tagged[tag].discard(doc.number)


class Selection:
    """The entries a filter matches: ``count`` of them with ``total`` words.

    ``group_of[number]`` is the group of an entry, or ``_REMOVED``. ``in_group[group]`` is whether
    the filter matches the group; its last item is False, for ``_REMOVED``. With ``numbers``,
    exactly these entries match, and the groups are not consulted.
    """

    def __init__(
        self,
        group_of: Sequence[int],
        in_group: Sequence[bool],
        count: int,
        total: int,
        numbers: set[int] | None = None,
    ) -> None:
        self.count = count
        self.total = total
        self._group_of = group_of
        self._in_group = in_group
        self._numbers = numbers

    def only(self, numbers: Sequence[int]) -> Iterable[int]:
        """Return those of ``numbers`` that are selected."""
        if self._numbers is not None:
            return filter(self._numbers.__contains__, numbers)
        groups = map(self._group_of.__getitem__, numbers)
        return compress(numbers, map(self._in_group.__getitem__, groups))

    def counted(self, numbers: Sequence[int]) -> Mapping[int, int]:
        """Return how often each selected entry occurs in ``numbers``."""
        return Counter(self.only(numbers))


def tags_text(tags: Iterable[str]) -> str:
    """Return ``tags`` in the form of :attr:`Doc.tags`, without those that contain a secret."""
    harmless = [tag.lower() for tag in tags if shown(tag) == tag]
    return json.dumps(harmless) if harmless else ""


def _tags(doc: Doc) -> list[str]:
    """Return the tags of ``doc``, in lower case."""
    return json.loads(doc.tags) if doc.tags else []


def _as_entry(owner: Owner) -> Entry:
    """Return an entry of ``owner`` without id, text and tags, to pass to :meth:`Filter.takes`."""
    scope, agent, run, kind = owner
    return Entry("", scope, kind, "", "", 0, agent or None, run or None)
