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
TAG_BOOST = 1.0
FIXED = K1 * (1 - B)
_ONE = 1


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
    """Return the BM25 score of each entry that contains a word of ``query``.

    ``postings`` returns how often each entry has a word, among the ``count`` entries that are
    searched. ``lengths`` are the numbers of words of all entries, ``total`` is their sum for the
    entries that are searched.
    """
    scores: dict[int, float] = {}
    slope = K1 * B / (total / count) if total else 0.0
    for word, repeated in Counter(query).items():
        found = postings(word)
        weight = repeated * idf(count, len(found)) * (K1 + 1)
        of_word = _of_word(found, lengths, weight, slope)
        if scores:
            for entry in scores.keys() & of_word.keys():
                of_word[entry] += scores[entry]
            scores |= of_word
        else:
            scores = of_word
    return scores


def _of_word(
    found: Mapping[int, int],
    lengths: Mapping[int, int] | Sequence[int],
    weight: float,
    slope: float,
) -> dict[int, float]:
    """Return the score that one word adds to each entry that contains it.

    ``found`` is how often an entry contains it, ``slope`` what each word of an entry adds to the
    divisor. Most contain it once. Then the score depends only on the entry's length and is cached
    by it.
    """
    once = _Once(weight, slope)
    out = dict(zip(found, map(once.__getitem__, map(lengths.__getitem__, found)), strict=True))
    for entry in compress(found, map(_ONE.__lt__, found.values())):  # those that have it repeatedly
        times = found[entry]
        out[entry] = weight * times / (times + FIXED + slope * lengths[entry])
    return out


class _Once(dict[int, float]):
    """The score of a word that occurs once, by the length of the entry."""

    def __init__(self, weight: float, slope: float) -> None:
        super().__init__()
        self._weight = weight
        self._slope = slope

    def __missing__(self, length: int) -> float:
        value = self[length] = self._weight / (_ONE + FIXED + self._slope * length)
        return value


def boost(
    scores: dict[int, float], query: Iterable[str], tagged: Callable[[str], Iterable[int]]
) -> None:
    """Add the tag boost: ``tagged`` returns the entries that have the word as a tag."""
    for word in query:
        for entry in tagged(word):
            if entry in scores:
                scores[entry] += TAG_BOOST


def best(
    scores: Mapping[int, float], limit: int, order: Callable[[int], Any] | None = None
) -> list[tuple[int, float]]:
    """Return the ``limit`` best (entry, score), equal ones by ``order`` (default: by number)."""
    if len(scores) > 64 and limit < len(scores):  # do not sort what is too low anyway
        least = heapq.nlargest(limit, scores.values())[-1]
        candidates = [(entry, value) for entry, value in scores.items() if value >= least]
    else:
        candidates = list(scores.items())
    order = order or int
    return sorted(candidates, key=lambda pair: (-pair[1], order(pair[0])))[:limit]
