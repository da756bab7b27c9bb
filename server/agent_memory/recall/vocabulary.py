"""The terms of an index: how many entries have each, and which are similar to a word."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from agent_memory.language.tokenize import is_dense
from agent_memory.recall.expand import Expansion, expansions, trigrams
from agent_memory.recall.stem import stem

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Mapping

    from agent_memory.recall.terms import QueryTerm

_SIMILAR_MAX = 200
_LEAST_SHARE = 0.25  # of the trigrams of a word that a similar term has
_CHARACTER = 0.3
"""Weight of one Chinese or Japanese character of a pair."""
_ADD = """
INSERT INTO vocab(term, stem, count) VALUES (?, ?, ?)
ON CONFLICT(term) DO UPDATE SET count = count + excluded.count
"""
_SIMILAR = """
SELECT vocab.term FROM
(SELECT term, count(*) AS shared FROM gram WHERE gram IN ({0}) GROUP BY term HAVING shared >= ?)
AS near JOIN vocab ON vocab.id = near.term ORDER BY shared DESC, vocab.term LIMIT ?
"""


class Vocabulary:
    """The terms in the tables ``vocab`` and ``gram`` of ``db``. The caller manages transactions."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def add(self, counts: Mapping[str, int]) -> None:
        """Add terms with the number of entries that have them."""
        (last,) = self._db.execute("SELECT coalesce(max(id), 0) FROM vocab").fetchone()
        rows = ((term, stem(term), count) for term, count in sorted(counts.items()))
        self._db.executemany(_ADD, rows)
        fresh = self._db.execute("SELECT id, term FROM vocab WHERE id > ?", (last,)).fetchall()
        grams = [
            (gram, number) for number, term in fresh if not is_dense(term) for gram in trigrams(term)
        ]
        self._db.executemany("INSERT INTO gram VALUES (?, ?)", sorted(grams))

    def remove(self, terms: Iterable[str]) -> None:
        """Count one entry less for each of ``terms``."""
        rows = ((term,) for term in sorted(terms))
        self._db.executemany("UPDATE vocab SET count = count - 1 WHERE term = ?", rows)

    def clean(self) -> None:
        """Remove the terms that no entry has."""
        for number, term in self._db.execute("SELECT id, term FROM vocab WHERE count <= 0"):
            rows = [(gram, number) for gram in trigrams(term)]
            self._db.executemany("DELETE FROM gram WHERE gram = ? AND term = ?", rows)
        self._db.execute("DELETE FROM vocab WHERE count <= 0")

    def expansions(self, word: QueryTerm) -> list[Expansion]:
        """Return the terms that ``word`` stands for, the best first."""
        known = self.has(word.text)
        if word.dense:
            return self._of_pair(word.text, known=known)
        return expansions(word.text, self._near(word.text), known=known)

    def has(self, term: str) -> bool:
        """Whether an entry has ``term``."""
        return self._db.execute("SELECT 1 FROM vocab WHERE term = ?", (term,)).fetchone() is not None

    def _of_pair(self, pair: str, *, known: bool) -> list[Expansion]:
        out = [Expansion(pair, 1.0)] if known else []
        if len(pair) > 1:
            out += [Expansion(char, _CHARACTER) for char in dict.fromkeys(pair) if self.has(char)]
        return out

    def _near(self, word: str) -> list[str]:
        """Return the terms with the same stem and those that share trigrams with ``word``."""
        grams = sorted(trigrams(word))
        least = math.ceil(len(grams) * _LEAST_SHARE)
        query = _SIMILAR.format(",".join("?" * len(grams)))
        found = self._db.execute(query, (*grams, least, _SIMILAR_MAX)).fetchall()
        found += self._db.execute("SELECT term FROM vocab WHERE stem = ?", (stem(word),)).fetchall()
        return list({term for (term,) in found})
