"""The terms of the index that a word of a query stands for, each with a weight from 0 to 1.

A word stands for itself, its other forms, terms that begin with it or contain it, terms that it
contains (compounds), and terms with a similar spelling.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from agent_memory.recall.stem import stem

if TYPE_CHECKING:
    from collections.abc import Mapping

TERMS_MAX = 24
"""Terms that one word of a query stands for, at most; synonyms are added to these."""
# Weights; the word itself has 1.
_SAME_STEM = 0.9
_PREFIX = 0.7
_PART = 0.55
_SIMILAR = 0.75
_SIMILAR_IF_INDEXED = 0.8  # a factor of _SIMILAR, if an entry has the word itself
# The least Dice coefficient of a similar spelling; the strict one if an entry has the word itself,
# or if the first letters differ.
_DICE = 0.4
_STRICT_DICE = 0.62
# Characters.
_SHORTEST_PREFIX = 3
_SHORTEST_PART = 4


class Expansion(NamedTuple):
    """A term of the index, and how well it stands for the word of the query."""

    term: str
    weight: float


def trigrams(word: str) -> set[str]:
    """Return the trigrams of ``word`` with a space before and after it."""
    padded = f" {word} "
    return {padded[at : at + 3] for at in range(len(padded) - 2)}


def expansions(word: str, possible: Mapping[str, int], *, indexed: bool) -> list[Expansion]:
    """Return the ``possible`` terms that ``word`` stands for, at most ``TERMS_MAX``, best first.

    ``possible`` has the number of trigrams that each term shares with the word. ``indexed``: an
    entry has the word itself. Then a similar spelling must be more similar.
    """
    root = stem(word)
    out = []
    for term, shared in possible.items():
        if term == word:
            weight = 1.0
        elif stem(term) == root:
            weight = _SAME_STEM
        else:
            weight = _containment(word, root, term) or _similarity(
                word, term, shared, indexed=indexed
            )
        if weight:  # 0: the word does not stand for it
            out.append(Expansion(term, weight))
    out.sort(key=lambda item: (-item.weight, item.term))
    return out[:TERMS_MAX]


def _containment(word: str, root: str, term: str) -> float:
    """Return the weight of a term that begins with the word, contains it, or is a part of it.

    The smaller the share of letters in common, the lower is the weight. Any other term has 0.
    ``root`` is the word's stem.
    """
    for inner in (word, root):  # "test" in "testing", "base" in "database"
        share = math.sqrt(len(inner) / len(term))
        shortest = _SHORTEST_PREFIX if term.isascii() else 2  # a character can be a syllable
        if len(inner) >= shortest and term.startswith(inner):
            return _PREFIX * share
        if len(inner) >= _SHORTEST_PART and inner in term:
            return _PART * share
    for inner in (term, stem(term)):  # the word is a compound of the term
        if len(inner) >= _SHORTEST_PART and inner in word:
            return _PART * math.sqrt(len(inner) / len(word))
    return 0.0


def _similarity(word: str, term: str, shared: int, *, indexed: bool) -> float:
    """Return the weight of a term with a similar spelling; 0 for any other term.

    It is also 0 if ``word`` or ``term`` contains anything but letters: 2019 does not stand for
    2018. The similarity is the Dice coefficient of the trigrams, of which ``shared`` are in both.
    """
    if not (word.isalpha() and term.isalpha()):
        return 0.0
    dice = 2 * shared / (len(word) + len(term))  # n letters give n trigrams, fewer if some repeat
    is_strict = indexed or word[0] != term[0]  # the first letter is seldom misspelled
    if dice < (_STRICT_DICE if is_strict else _DICE):
        return 0.0
    return _SIMILAR * dice * (_SIMILAR_IF_INDEXED if indexed else 1.0)
