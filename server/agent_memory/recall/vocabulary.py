"""The terms of an index: how many entries have each, and which are similar to a word."""

from __future__ import annotations

import json
import math
from array import array
from collections import Counter, defaultdict
from itertools import chain
from typing import TYPE_CHECKING

from agent_memory.language.tokenize import is_dense
from agent_memory.recall.expand import Expansion, expansions, trigrams
from agent_memory.recall.stem import stem
from agent_memory.recall.synonyms import synonym_stems

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Collection, Iterable, Mapping

    from agent_memory.recall.terms import QueryTerm

_SIMILAR_MAX = 200
"""Terms that are compared with a word."""
_LEAST_SHARE = 0.25  # of the trigrams of a word: a similar term has at least as many of them
_LEAST_SHARE_IF_INDEXED = 0.4  # the same, if an entry has the word itself
_NUMBERS = "I"  # the type of term numbers in a blob
_LONGEST = 64
"""Characters of a term that is found by a part of it."""
_SYNONYM = 0.6
"""Weight of a term that is a synonym of the word."""
_CHARACTER = 0.3
"""Weight of one character of a pair, in a script without spaces (Chinese, Japanese, Thai)."""
_ADD = """
INSERT INTO vocab(term, stem, count) VALUES (?, ?, ?)
ON CONFLICT(term) DO UPDATE SET count = count + excluded.count
"""
_WITH_STEMS = "SELECT term FROM vocab WHERE stem IN (SELECT value FROM json_each(?))"
_WITH_IDS = "SELECT term, id FROM vocab WHERE id IN (SELECT value FROM json_each(?))"
_WITH_GRAMS = "SELECT gram, terms FROM gram WHERE gram IN (SELECT value FROM json_each(?))"


class Vocabulary:
    """The terms in the tables ``vocab`` and ``gram`` of ``db``. The caller manages transactions."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def add(self, counts: Mapping[str, int]) -> None:
        """Add entries to the counts of their terms; list new terms by their trigrams.

        ``counts`` is {term: number of the added entries that have it}. Long terms and terms of
        scripts without spaces are not listed: they are found only by the whole term or its stem.
        """
        (last,) = self._db.execute("SELECT coalesce(max(id), 0) FROM vocab").fetchone()
        rows = ((term, stem(term), count) for term, count in sorted(counts.items()))
        self._db.executemany(_ADD, rows)
        new = self._db.execute("SELECT id, term FROM vocab WHERE id > ?", (last,)).fetchall()
        by_gram: defaultdict[str, array[int]] = defaultdict(lambda: array(_NUMBERS))
        for number, term in new:
            if len(term) <= _LONGEST and not is_dense(term):
                for gram in trigrams(term):
                    by_gram[gram].append(number)
        for gram, stored in self._terms_by_gram(by_gram).items():
            by_gram[gram] = stored + by_gram[gram]
        self._store_grams(by_gram)

    def remove(self, terms: Iterable[str]) -> None:
        """Count one entry less for each of ``terms``; :meth:`clean` removes those without any."""
        rows = ((term,) for term in sorted(terms))
        self._db.executemany("UPDATE vocab SET count = count - 1 WHERE term = ?", rows)

    def clean(self) -> None:
        """Remove the terms that no entry has."""
        unused = self._db.execute("SELECT id, term FROM vocab WHERE count <= 0").fetchall()
        if not unused:
            return
        removed = {number for number, _ in unused}
        by_gram = self._terms_by_gram({gram for _, term in unused for gram in trigrams(term)})
        self._store_grams(
            {
                gram: array(_NUMBERS, (number for number in stored if number not in removed))
                for gram, stored in by_gram.items()
            }
        )
        self._db.execute("DELETE FROM vocab WHERE count <= 0")

    def expansions(self, word: QueryTerm) -> list[Expansion]:
        """Return the terms that ``word`` stands for, the best first."""
        indexed = self.has(word.text)
        if word.dense:
            return self._expansions_of_pair(word.text, indexed=indexed)
        similar = expansions(
            word.text, self._possibly_similar(word.text, indexed=indexed), indexed=indexed
        )
        similar_terms = {expansion.term for expansion in similar}
        synonyms = [
            Expansion(term, _SYNONYM)
            for term in self._with_stems(synonym_stems(word.text))
            if term not in similar_terms
        ]
        return sorted([*similar, *synonyms], key=lambda item: (-item.weight, item.term))

    def has(self, term: str) -> bool:
        """Whether an entry has ``term``."""
        return (
            self._db.execute("SELECT 1 FROM vocab WHERE term = ?", (term,)).fetchone() is not None
        )

    def _expansions_of_pair(self, pair: str, *, indexed: bool) -> list[Expansion]:
        """Return the terms that ``pair`` stands for: itself and each of its two characters.

        Only terms that an entry has are returned. ``pair`` can be one character, of a script
        without spaces. ``indexed``: an entry has it.
        """
        out = [Expansion(pair, 1.0)] if indexed else []
        if len(pair) > 1:
            out += [Expansion(char, _CHARACTER) for char in dict.fromkeys(pair) if self.has(char)]
        return out

    def _possibly_similar(self, word: str, *, indexed: bool) -> dict[str, int]:
        """Return the terms that may be similar to ``word``, with the number of shared trigrams.

        These are the terms that share many trigrams with the word, and all terms with its stem. A
        term with its stem has 0 if it shares few trigrams: its weight does not depend on the
        number. ``indexed``: an entry has the word itself.
        """
        grams = trigrams(word)
        # Each list has the numbers of the terms with one trigram of the word.
        shared = Counter(chain.from_iterable(self._terms_by_gram(grams).values()))
        share = _LEAST_SHARE_IF_INDEXED if indexed else _LEAST_SHARE
        least = _least_shared(Counter(shared.values()), math.ceil(len(grams) * share))
        similar = {number: count for number, count in shared.items() if count >= least}
        rows = self._db.execute(_WITH_IDS, (json.dumps([*similar]),))
        with_stem = dict.fromkeys(self._with_stems([stem(word)]), 0)
        return with_stem | {term: similar[number] for term, number in rows}

    def _terms_by_gram(self, grams: Collection[str]) -> dict[str, array[int]]:
        """Return {trigram: numbers of the terms that have it}, without unknown trigrams."""
        found = self._db.execute(_WITH_GRAMS, (json.dumps(sorted(grams)),))
        return {gram: array(_NUMBERS, blob) for gram, blob in found}

    def _store_grams(self, by_gram: Mapping[str, array[int]]) -> None:
        """Store the numbers of the terms that have each trigram, in place of earlier lists."""
        rows = ((gram, by_gram[gram].tobytes()) for gram in sorted(by_gram))
        self._db.executemany("INSERT OR REPLACE INTO gram VALUES (?, ?)", rows)

    def _with_stems(self, stems: Collection[str]) -> list[str]:
        """Return the terms that have one of ``stems``."""
        return [term for (term,) in self._db.execute(_WITH_STEMS, (json.dumps(sorted(stems)),))]


def _least_shared(terms_by_shared: Mapping[int, int], least: int) -> int:
    """Return how many trigrams a term must share so that at most ``_SIMILAR_MAX`` terms qualify.

    The result is ``least`` or more. ``terms_by_shared`` is {number of shared trigrams: number of
    terms that share as many}. A list of terms that is cut off at ``_SIMILAR_MAX`` would instead
    depend on the order of terms that share equally many.
    """
    while True:
        qualifying = sum(count for shared, count in terms_by_shared.items() if shared >= least)
        if qualifying <= _SIMILAR_MAX:
            return least
        least += 1
