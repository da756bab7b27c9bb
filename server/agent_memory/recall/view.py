"""What one search looks at: the indexed entries, and others that are in no file of the store.

Such an entry has a number after those of the table. It is ranked like any other.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Protocol

from agent_memory.entries.validation import INSTRUCTIONS_TAG
from agent_memory.recall.database import connect
from agent_memory.recall.expand import Expansion
from agent_memory.recall.ranking import Postings
from agent_memory.recall.terms import entry_terms, indexable
from agent_memory.recall.vocabulary import Vocabulary

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from agent_memory.entries.entry_file import Entry
    from agent_memory.entries.store import Filter
    from agent_memory.recall.ranking import Index, Selected
    from agent_memory.recall.terms import QueryTerm

_AFTER_ALL = 99
"""In a sort key of the load order, in place of the number of a folder: after all folders."""
_CACHED = 4  # groups of extra entries whose terms are cached


class ExtraEntries(Protocol):
    """Entries of a search that are in no file, and the stored ones that they replace."""

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The entries to add."""

    def hides(self, entry: Entry) -> bool:
        """Whether these entries replace the stored ``entry``, which has the instructions tag."""


@dataclass(frozen=True)
class View:
    """The entries of one search, by number."""

    index: Index
    selection: Selected
    lengths: Sequence[int]  # in words
    order: Callable[[int], tuple[int, str]]  # the sort key of an entry: its load order
    tagged: Callable[[str], Iterable[int]]  # the entries with a tag, in lower case
    read: Callable[[int], Entry | None]  # None: the entry no longer exists

    def entries(self, numbers: Iterable[int]) -> dict[int, Entry]:
        """Return the entries of ``numbers`` that still exist, in the same order."""
        read = ((number, self.read(number)) for number in numbers)
        return {number: entry for number, entry in read if entry}


def extended(view: View, extra: ExtraEntries, wanted: Filter) -> View:
    """Return ``view`` with those entries of ``extra`` that ``wanted`` matches.

    The added entries get the numbers after those of ``view``. Stored entries that ``extra`` hides
    are no longer selected.
    """
    entries = tuple(entry for entry in extra.entries if wanted.takes(entry))
    added = _Added(_terms(entries), len(view.lengths))
    # Only selected entries with this tag can be hidden, so only these are read.
    instructions = list(view.selection.only(sorted(view.tagged(INSTRUCTIONS_TAG))))
    hidden = {number for number, entry in view.entries(instructions).items() if extra.hides(entry)}
    both = _BothEntries(view, entries)
    return View(
        index=_BothIndexes(view.index, added),
        selection=_BothSelections(view, added, hidden),
        lengths=[*view.lengths, *added.terms.lengths],
        order=both.order,
        tagged=both.tagged,
        read=both.read,
    )


@dataclass(frozen=True)
class _BothEntries:
    """The entries of ``base``, and the ``added`` ones, which have the numbers after those."""

    base: View
    added: tuple[Entry, ...]

    def order(self, number: int) -> tuple[int, str]:
        """Return the sort key of the entry ``number``: added ones come after all stored ones."""
        position = self._position(number)
        if position < 0:
            return self.base.order(number)
        return _AFTER_ALL, f"{position:06d}"  # six digits: texts of one length sort like numbers

    def tagged(self, tag: str) -> set[int]:
        """Return the numbers of the entries with ``tag``, which is in lower case."""
        first = len(self.base.lengths)
        added_numbers = {
            number
            for number, entry in enumerate(self.added, first)
            if tag in map(str.lower, entry.tags)
        }
        return {*self.base.tagged(tag), *added_numbers}

    def read(self, number: int) -> Entry | None:
        """Return the entry ``number``; None if its file no longer has one."""
        position = self._position(number)
        return self.base.read(number) if position < 0 else self.added[position]

    def _position(self, number: int) -> int:
        """Return the position of the entry ``number`` in ``added``; negative for a stored entry."""
        return number - len(self.base.lengths)


class _Terms:
    """The terms of a few entries, in memory; ``postings`` are by term. Entries count from 0."""

    def __init__(self, entries: Iterable[Entry]) -> None:
        self.lengths: list[int] = []
        self.postings: defaultdict[str, Postings] = defaultdict(lambda: Postings([], []))
        counts: Counter[str] = Counter()
        for number, entry in enumerate(entries):
            terms = entry_terms(indexable(entry))
            self.lengths.append(len(terms.words))
            counts.update({*terms.words, *terms.extra})
            for term in terms.words:
                self.postings[term].words.append(number)
            for term in terms.extra:
                self.postings[term].extra.append(number)
        self.vocabulary = Vocabulary(connect(None))
        self.vocabulary.add(counts)


# Cached by the tuple of entries: repeated searches add the same ones.
_terms = lru_cache(_CACHED)(_Terms)


@dataclass(frozen=True)
class _Added:
    """Entries that get the numbers from ``first`` on."""

    terms: _Terms
    first: int

    def postings(self, term: str) -> Postings:
        """Return the entries that have ``term``, numbered from ``first`` on."""
        words, extra = self.terms.postings.get(term, Postings([], []))
        return Postings(
            [self.first + number for number in words], [self.first + number for number in extra]
        )


@dataclass(frozen=True)
class _BothIndexes:
    """The terms of indexed and of added entries."""

    base: Index
    added: _Added

    def expansions(self, word: QueryTerm) -> list[Expansion]:
        """Return the terms that ``word`` stands for in either index, best first.

        The indexes may weigh a term differently; the higher weight counts.
        """
        of_base = self.base.expansions(word)
        of_added = self.added.terms.vocabulary.expansions(word)
        weights: dict[str, float] = {}
        for term, weight in (*of_base, *of_added):
            weights[term] = max(weight, weights.get(term, 0.0))
        both = [Expansion(term, weight) for term, weight in weights.items()]
        return sorted(both, key=lambda expansion: (-expansion.weight, expansion.term))

    def postings(self, term: str) -> Postings:
        """Return the entries of both indexes that have ``term``."""
        base, added = self.base.postings(term), self.added.postings(term)
        return Postings(base.words + added.words, base.extra + added.extra)


class _BothSelections:
    """The selected entries without the ``hidden`` ones, and all added entries."""

    def __init__(self, view: View, added: _Added, hidden: set[int]) -> None:
        self._base = view.selection
        self._first = added.first
        self._hidden = hidden
        hidden_words = sum(view.lengths[number] for number in hidden)
        self.count = view.selection.count - len(hidden) + len(added.terms.lengths)
        self.total = view.selection.total - hidden_words + sum(added.terms.lengths)

    def only(self, numbers: Sequence[int]) -> list[int]:
        """Return those of ``numbers`` that are selected, the added ones last."""
        base = self._base.only([number for number in numbers if number < self._first])
        stored = [number for number in base if number not in self._hidden]
        return stored + [number for number in numbers if number >= self._first]

    def counted(self, numbers: Sequence[int]) -> Mapping[int, int]:
        """Return how often each selected entry occurs in ``numbers``."""
        return Counter(self.only(numbers))
