"""BM25 as drover documents it: k1 1.5, b 0.75, over the entries that the filter matches.

``idf = ln(1 + (N - df + 0.5) / (df + 0.5))``; a word repeated in the query counts each time; a
word equal to a whole tag adds 1.0. Entries without any word of the query are not returned.
"""

from __future__ import annotations

import heapq
import math
from collections import Counter
from itertools import compress
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

K1 = 1.5
B = 0.75
TAG_BOOST = 1.0  # added to the score for each word of the query that is a tag
FIXED = K1 * (1 - B)
"""The part of the divisor that does not depend on the length of the entry."""
_ONE = 1  # the times of a word that occurs once
_SORTED_WHOLE = 64
"""Up to so many entries, sorting all is faster than finding the least score first."""


def idf(count: int, containing: int) -> float:
    """Return the weight of a word that ``containing`` of ``count`` entries contain."""
    return math.log(1 + (count - containing + 0.5) / (containing + 0.5))


def score(
    query: Sequence[str],
    postings: Callable[[str], Mapping[int, int]],
    lengths: Mapping[int, int] | Sequence[int],
    count: int,
    total: int,
) -> dict[int, float]:
    """Return the BM25 score of each entry that contains a word of ``query``, by its number.

    ``postings`` returns {entry: times} for a word, among the ``count`` entries that are searched.
    ``lengths`` are the numbers of words of all entries, ``total`` is their sum for the entries that
    are searched. A word that ``query`` repeats counts each time.
    """
    scores: dict[int, float] = {}
    slope = K1 * B / (total / count) if total else 0.0  # per word; 0: no entry has a word
    for word, repeated in Counter(query).items():
        times_by_entry = postings(word)
        weight = repeated * idf(count, len(times_by_entry)) * (K1 + 1)
        word_scores = _word_scores(times_by_entry, lengths, weight, slope)
        if scores:
            for entry in scores.keys() & word_scores.keys():
                word_scores[entry] += scores[entry]
            scores |= word_scores
        else:
            scores = word_scores
    return scores


def _word_scores(
    times_by_entry: Mapping[int, int],
    lengths: Mapping[int, int] | Sequence[int],
    weight: float,
    slope: float,
) -> dict[int, float]:
    """Return the score that one word adds to each entry that contains it.

    ``times_by_entry`` is how often an entry contains it, ``weight`` the factor of the word,
    ``slope`` what each word of an entry adds to the divisor. Most entries contain the word once.
    Then the score depends only on the entry's length, by which it is cached.
    """
    score_of_one = _Once(weight, slope)  # by length
    entry_lengths = map(lengths.__getitem__, times_by_entry)
    out = dict(zip(times_by_entry, map(score_of_one.__getitem__, entry_lengths), strict=True))
    repeatedly = map(_ONE.__lt__, times_by_entry.values())  # 1 < times
    for entry in compress(times_by_entry, repeatedly):
        times = times_by_entry[entry]
        out[entry] = weight * times / (times + FIXED + slope * lengths[entry])
    return out


class _Once(dict[int, float]):
    """The score of a word that occurs once, by the length of the entry."""

    def __init__(self, weight: float, slope: float) -> None:
        super().__init__()
        self._weight = weight
        self._slope = slope

    def __missing__(self, length: int) -> float:
        """Compute and cache the score for ``length``; called by ``[length]`` if it is missing."""
        value = self[length] = self._weight / (_ONE + FIXED + self._slope * length)
        return value


def boost(
    scores: dict[int, float], query: Iterable[str], tagged: Callable[[str], Iterable[int]]
) -> None:
    """Add ``TAG_BOOST`` to the score of an entry for each word of ``query`` that is its tag.

    ``tagged`` returns all entries with a tag. The words of a tag count as words of its entry, so
    an entry without a score is one that the filter does not match.
    """
    for word in query:
        for entry in tagged(word):
            if entry in scores:
                scores[entry] += TAG_BOOST


def best(
    scores: Mapping[int, float], limit: int, order: Callable[[int], Any] | None = None
) -> list[tuple[int, float]]:
    """Return (entry, score) of the ``limit`` entries with the highest scores, the best first.

    Entries with equal scores are sorted by the key ``order`` (None: by their number).
    """
    if len(scores) > _SORTED_WHOLE and limit < len(scores):  # do not sort what is too low anyway
        least = heapq.nlargest(limit, scores.values())[-1]
        candidates = [(entry, value) for entry, value in scores.items() if value >= least]
    else:
        candidates = list(scores.items())
    order = order or int  # `int` of a number is the number itself
    return sorted(candidates, key=lambda pair: (-pair[1], order(pair[0])))[:limit]
