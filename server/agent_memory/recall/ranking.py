"""The ranking of recall: how well entries answer a query, from 0 to 1.

Every word of the query stands for terms of the index (expand.py). An entry gets the best of them
for each word, times how rare the word is and how often the entry has the term (BM25's saturation
and length). The sum is divided by that of an entry that has all words, and multiplied with the
square root of the share of words found.
"""

from __future__ import annotations

import math
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple, Protocol

from agent_memory.recall import bm25

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from agent_memory.recall.expand import Expansion
    from agent_memory.recall.terms import QueryTerm

RELEVANT = 0.25
"""Entries of a lower relevance are probably no answer."""
_CANDIDATES = 200  # entries that a search ranks, at most
_K = 1.2  # of BM25, as _B; drover's score has others
_B = 0.5
_UNKNOWN_PAIR = 0.3  # factor for the weight of a pair of characters that no selected entry has
_STEM_WEIGHT = 0.9
"""Terms of at least this weight are the word itself or another form of it."""
_FULL = 3 / (3 + _K)
"""BM25's value for a word that an entry of mean length has in its summary, which counts 3 times."""


class Postings(NamedTuple):
    """The numbers of the entries that have a term, once per occurrence.

    ``words`` counts as drover does, ``extra`` are additional ones.
    """

    words: list[int]
    extra: list[int]


class Index(Protocol):
    """What the ranking needs to know about the terms of entries."""

    def expansions(self, word: QueryTerm) -> list[Expansion]:
        """Return the terms that ``word`` stands for, the best first."""

    def postings(self, term: str) -> Postings:
        """Return the entries that have ``term``."""


class Selected(Protocol):
    """The entries that a filter matches: ``count`` of them with ``total`` words."""

    count: int
    total: int

    def only(self, numbers: Sequence[int]) -> Iterable[int]:
        """Return those of ``numbers`` that are selected."""

    def counted(self, numbers: Sequence[int]) -> Mapping[int, int]:
        """Return how often each selected entry occurs in ``numbers``."""


class Candidate(NamedTuple):
    """An entry that matches words of the query; ``relevance`` is from 0 to 1."""

    number: int
    relevance: float


def candidates(
    index: Index,
    query: Sequence[QueryTerm],
    selection: Selected,
    lengths: Sequence[int],
    order: Callable[[int], object],
) -> list[Candidate]:
    """Return at most ``_CANDIDATES`` entries of ``selection`` that match ``query``, the best first.

    ``query`` has the words of the query, ``lengths`` the number of words of each entry; ``order``
    returns the sort key of equally relevant entries.
    """
    mean_length = selection.total / selection.count if selection.count else 1.0
    saturation = _Saturation(mean_length or 1.0)  # 0: no entry has a word
    totals: dict[int, float] = {}  # by entry
    by_word: list[dict[int, float]] = []
    total_of_all_words = 0.0  # of an entry that has every word
    for word in query:
        values, weight = _match(index, word, selection, lengths, saturation)
        total_of_all_words += weight
        by_word.append(values)
        _add_weighted(totals, values, weight)
    best = bm25.best(totals, _CANDIDATES, order)
    out = []
    for number, total in best:
        share_found = sum(number in values for values in by_word) / len(query)  # of the words
        relevance = total / total_of_all_words * math.sqrt(share_found)
        out.append(Candidate(number, min(1.0, relevance)))  # rounding may exceed 1
    out.sort(key=lambda candidate: (-candidate.relevance, order(candidate.number)))
    return out


def _add_weighted(totals: dict[int, float], values: Mapping[int, float], weight: float) -> None:
    """Add ``values``, times ``weight``, to ``totals``."""
    weighted = dict(zip(values, map(weight.__mul__, values.values()), strict=True))
    for number in totals.keys() & weighted.keys():
        weighted[number] += totals[number]
    totals |= weighted


def _match(
    index: Index,
    word: QueryTerm,
    selection: Selected,
    lengths: Sequence[int],
    saturation: _Saturation,
) -> tuple[dict[int, float], float]:
    """Return how well entries match ``word`` ({entry: 0 to 1}), and the weight of the word.

    The value of an entry is that of its best term. The fewer selected entries have the word itself
    or another form of it, the higher is the weight.
    """
    values: dict[int, float] = {}
    containing: set[int] = set()  # the entries with the word itself or another form of it
    for term, likeness in index.expansions(word):
        times_by_entry = selection.counted(list(chain(*index.postings(term))))
        if likeness >= _STEM_WEIGHT:
            containing.update(times_by_entry)
        term_values = _term_values(likeness, times_by_entry, lengths, saturation)
        for number in values.keys() & term_values.keys():
            term_values[number] = max(term_values[number], values[number])
        values |= term_values
    weight = bm25.idf(selection.count, len(containing))
    if word.dense and not containing:  # perhaps not a word: two characters next to each other
        weight *= _UNKNOWN_PAIR
    return values, weight


def _term_values(
    likeness: float,
    times_by_entry: Mapping[int, int],
    lengths: Sequence[int],
    saturation: _Saturation,
) -> dict[int, float]:
    """Return {entry: ``likeness`` of a term * ``saturation`` of its times and the entry's length}.

    ``times_by_entry`` is how often each entry has the term. `map` is faster than a loop.
    """
    entry_lengths = map(lengths.__getitem__, times_by_entry)
    keys = zip(times_by_entry.values(), entry_lengths, strict=True)
    products = map(likeness.__mul__, map(saturation.__getitem__, keys))
    return dict(zip(times_by_entry, products, strict=True))


class _Saturation(dict[tuple[int, int], float]):
    """The value of a term from 0 to 1, by (times that it occurs, length of the entry in words).

    The value grows less with each occurrence, as in BM25. It is computed on its first look-up.
    """

    def __init__(self, mean_length: float) -> None:
        super().__init__()
        self._mean_length = mean_length

    def __missing__(self, key: tuple[int, int]) -> float:
        """Compute and cache the value for ``key``; called by ``[key]`` if it is missing."""
        times, length = key
        # BM25's value approaches 1 with more occurrences; with so many, it is one half.
        times_for_half = _K * (1 - _B + _B * length / self._mean_length)
        value = self[key] = min(1.0, times / (times + times_for_half) / _FULL)
        return value
