"""Similarity of texts by their character n-grams, which decides the order of the best entries.

It takes the order of words and parts of words into account, which the ranking by words does not.
"""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING

from agent_memory.language.tokenize import words

if TYPE_CHECKING:
    from collections.abc import Sequence

_SIZES = (3, 4, 5)


def similarities(query: str, texts: Sequence[str]) -> list[float]:
    """Return the similarity of ``query`` and each text, from 0 to 1.

    It is the cosine of the n-grams' counts, weighted by how rare they are among ``texts``.
    """
    asked = _ngrams(query)
    counted = [_ngrams(text) for text in texts]
    found = Counter(gram for grams in counted for gram in grams)
    rare = {gram: 1 + math.log((1 + len(texts)) / (1 + count)) for gram, count in found.items()}
    highest = 1 + math.log(1 + len(texts))
    norm = math.sqrt(sum((n * rare.get(gram, highest)) ** 2 for gram, n in asked.items()))
    return [_cosine(asked, grams, rare, norm) for grams in counted]


def _cosine(
    asked: Counter[str], grams: Counter[str], rare: dict[str, float], norm: float
) -> float:
    dot = sum(n * grams[gram] * rare[gram] ** 2 for gram, n in asked.items() if gram in grams)
    if not dot:
        return 0.0
    length = math.sqrt(sum((n * rare[gram]) ** 2 for gram, n in grams.items()))
    return dot / (norm * length)


def _ngrams(text: str) -> Counter[str]:
    """Return the n-grams of the words of ``text``, which may cross the space between words."""
    joined = f" {' '.join(words(text))} "
    return Counter(
        joined[at : at + size] for size in _SIZES for at in range(len(joined) - size + 1)
    )
