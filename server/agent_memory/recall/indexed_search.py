"""Search with the FTS5 index, in memory for a small store and on disk for a large one.

The index returns the entries of each term; filters and scores are computed on numbers in memory.
FTS5's own ranking has other constants, and counts all entries instead of those the filter matches.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from agent_memory.language.tokenize import words
from agent_memory.recall import bm25, ranking, semantic
from agent_memory.recall.doc_table import DocTable
from agent_memory.recall.fts_index import FtsIndex
from agent_memory.recall.hits import SearchHit
from agent_memory.recall.terms import query_terms

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from agent_memory.entries.entry_file import Entry
    from agent_memory.entries.markdown_store import MarkdownEntries
    from agent_memory.entries.store import Filter
    from agent_memory.recall.doc_table import Selection
    from agent_memory.recall.fts_index import Change
    from agent_memory.recall.ranking import Candidate
    from agent_memory.recall.semantic import Model

_CACHED_TERMS = 128
"""Postings in memory: the most frequent word of 100,000 entries takes 3 ms and 0.5 MB."""


class IndexedSearch:
    """The entries of ``store`` in an index at ``path``, which other processes may share.

    Without a path, the index is in memory.

    Raises:
        OSError, sqlite3.Error: from every method, if the index cannot be used.

    """

    def __init__(self, store: MarkdownEntries, path: Path | None = None) -> None:
        self._index = FtsIndex(store, path)
        self.postings = lru_cache(_CACHED_TERMS)(self._index.postings)
        self.expansions = lru_cache(_CACHED_TERMS)(self._index.vocabulary.expansions)
        self._vectors = semantic.Vectors(self._index.read)
        try:
            self._load()
            self.refresh()
        except BaseException:
            self.close()
            raise

    def __len__(self) -> int:
        """Return the number of files."""
        return self._index.count()

    def close(self) -> None:
        """Close the index."""
        self._index.close()

    def refresh(self) -> None:
        """Index what changed on disk.

        Raises:
            UsageError: another process is writing the index.

        """
        self._apply(self._index.refresh())

    def update(self, path: Path) -> None:
        """Index the one file ``path``, which may be new, changed or gone.

        Raises:
            UsageError: another process is writing the index.

        """
        self._apply(self._index.update(path))

    def search(
        self,
        query: str,
        wanted: Filter,
        limit: int,
        by: str = "relevance",
        model: Model | None = None,
    ) -> list[SearchHit]:
        """Return the best entries for ``query`` by one of RANKINGS; without one, the latest.

        With a ``model``, relevance also depends on the similarity in meaning.
        """
        with self._index.reading():
            if self._index.changed_elsewhere():
                self._load()
            selection = self._table.select(wanted)
            if not query.strip():
                hits = [SearchHit(entry, 0.0) for entry in self._latest(selection, limit)]
            elif by == "drover":
                hits = self._by_drover(query, selection, limit)
            else:
                hits = self._by_relevance(query, selection, limit, model)
        return [hit for hit in hits if wanted.takes(hit.entry)]

    def _latest(self, selection: Selection, limit: int) -> Iterable[Entry]:
        return self._read(self._table.latest(selection, limit)).values()

    def _by_relevance(
        self, query: str, selection: Selection, limit: int, model: Model | None
    ) -> list[SearchHit]:
        lexical = {item.number: item.relevance for item in self._candidates(query, selection)}
        best = self._fused(model, query, selection, lexical) if model else lexical
        numbers = bm25.best(best, limit, self._table.order)
        scores = self._drover_scores(query, selection)
        return self._hits(
            {
                number: (scores.get(number, 0.0), value, lexical.get(number, 0.0))
                for number, value in numbers
            }
        )

    def _fused(
        self, model: Model, query: str, selection: Selection, lexical: dict[int, float]
    ) -> dict[int, float]:
        """Return the relevance by words and by meaning together."""
        numbers = list(lexical)
        if selection.count <= semantic.ENTRIES_MAX:
            numbers = list(selection.only(range(len(self._table.lengths))))
        near = self._vectors.similarities(model, query, numbers)
        weight = semantic.WEIGHT
        return {
            number: (lexical.get(number, 0.0) + weight * near.get(number, 0.0)) / (1 + weight)
            for number in lexical.keys() | near.keys()
            if number in lexical or near[number] >= semantic.NEAR
        }

    def _by_drover(self, query: str, selection: Selection, limit: int) -> list[SearchHit]:
        best = bm25.best(self._drover_scores(query, selection), limit, self._table.order)
        known = {item.number: item.relevance for item in self._candidates(query, selection)}
        figures = {number: (score, known.get(number, 0.0)) for number, score in best}
        return self._hits({number: (*pair, pair[1]) for number, pair in figures.items()})

    def _hits(self, figures: Mapping[int, tuple[float, float, float]]) -> list[SearchHit]:
        """Return the hits in the same order, by score, relevance and relevance by words alone.

        Only words decide what is relevant: similarity in meaning separates answers worse.
        """
        return [
            SearchHit(entry, score, round(relevance, 6), by_words >= ranking.RELEVANT)
            for number, entry in self._read(figures).items()
            for score, relevance, by_words in (figures[number],)
        ]

    def _candidates(self, query: str, selection: Selection) -> list[Candidate]:
        asked = query_terms(query)
        return ranking.candidates(self, asked, selection, self._table.lengths, self._table.order)

    def _drover_scores(self, query: str, selection: Selection) -> dict[int, float]:
        """Return drover's score of each entry that has a word of ``query``."""
        asked = words(query, query=True)
        scores = bm25.score(
            asked,
            lambda word: selection.counted(self.postings(word).words),
            self._table.lengths,
            selection.count,
            selection.total,
        )
        bm25.boost(scores, asked, lambda word: self._table.tagged.get(word, ()))
        return scores

    def _read(self, numbers: Iterable[int]) -> dict[int, Entry]:
        """Return the entries of ``numbers`` that still exist, in the same order."""
        read = ((number, self._index.read(number)) for number in numbers)
        return {number: entry for number, entry in read if entry}

    def _load(self) -> None:
        self._index.changed_elsewhere()
        self._forget_cached()
        self._vectors.forget()
        self._table = DocTable(self._index.doc, self._index.docs())

    def _forget_cached(self) -> None:
        self.postings.cache_clear()
        self.expansions.cache_clear()

    def _apply(self, change: Change) -> None:
        if self._index.changed_elsewhere():
            self._load()
            return
        if change.removed or change.added:
            self._forget_cached()
            self._vectors.forget(doc.number for doc in (*change.removed, *change.added))
        for doc in change.removed:
            self._table.remove(doc)
        for doc in change.added:
            self._table.add(doc)
