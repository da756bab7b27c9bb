"""Search with the FTS5 index, in memory for a small store and on disk for a large one.

The index returns the entries of each term; filters and scores are computed on numbers in memory.
FTS5's own ranking has other constants, and counts all entries instead of those the filter matches.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from agent_memory.language.tokenize import words
from agent_memory.recall import bm25, ranking, semantic
from agent_memory.recall.doc_table import DocTable
from agent_memory.recall.fts_index import FtsIndex
from agent_memory.recall.hits import BY_SCORE, RANKINGS, SearchHit
from agent_memory.recall.terms import query_terms
from agent_memory.recall.view import View, extended

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from agent_memory.entries.markdown_store import MarkdownEntries
    from agent_memory.entries.store import Filter
    from agent_memory.recall.fts_index import IndexChange
    from agent_memory.recall.ranking import Candidate
    from agent_memory.recall.semantic import Model
    from agent_memory.recall.view import ExtraEntries

_CACHED_TERMS = 128
"""Postings in memory: the most frequent word of 100,000 entries takes 3 ms and 0.5 MB."""


class _Figures(NamedTuple):
    """How well an entry matches: drover's score, the relevance, and that by words alone.

    The last two differ only in a search with a model.
    """

    score: float
    relevance: float
    by_words: float


class IndexedSearch:
    """The entries of ``store`` in an index at ``path``, which other processes may share.

    Without a path, the index is in memory.

    Raises:
        OSError, sqlite3.Error: from every method, if the index cannot be used.

    """

    def __init__(self, store: MarkdownEntries, path: Path | None = None) -> None:
        self._index = FtsIndex(store, path)
        # With these two functions, this object is the `Index` that `_view` passes to a ranking.
        # Their results are cached until the index changes.
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
        """Return the number of indexed files, also of those that are not entries."""
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
        """Index the one file ``path``, which may be new, changed or deleted.

        Raises:
            UsageError: another process is writing the index.

        """
        self._apply(self._index.update(path))

    def search(
        self,
        query: str,
        wanted: Filter,
        limit: int,
        extra: ExtraEntries | None = None,
        *,
        by: str = RANKINGS[0],
        model: Model | None = None,
    ) -> list[SearchHit]:
        """Return up to ``limit`` entries, the best for ``query``; for a blank one, the latest.

        ``by`` is one of RANKINGS. ``extra`` entries are searched as well. With a ``model``,
        relevance also depends on the similarity in meaning.
        """
        with self._index.reading():
            if self._index.changed_elsewhere():
                self._load()
            view = self._view(wanted, extra)
            if not query.strip():
                hits = self._latest(view, limit)
            elif by == BY_SCORE:
                hits = _by_drover(view, query, limit)
            else:
                hits = self._by_relevance(view, query, limit, model)
        # Entries were read from their files just now, which may have changed since the indexing.
        return [hit for hit in hits if wanted.takes(hit.entry)]

    def _view(self, wanted: Filter, extra: ExtraEntries | None) -> View:
        """Return the entries that ``wanted`` matches, with those of ``extra`` if there are any."""
        table = self._table
        view = View(
            index=self,
            selection=table.select(wanted),
            lengths=table.lengths,
            order=table.order,
            tagged=lambda word: table.tagged.get(word, ()),
            read=self._index.read,
        )
        return view if extra is None else extended(view, extra, wanted)

    def _latest(self, view: View, limit: int) -> list[SearchHit]:
        """Return the ``limit`` entries of ``view`` that changed last, the latest first.

        Of equally old ones, those of the store come first.
        """
        size = len(self._table.lengths)  # numbers from `size` on are those of extra entries
        stored = self._table.latest(view.selection.only(range(size)), limit)
        added = range(size, len(view.lengths))
        entries = view.entries([*stored, *added]).values()
        latest = sorted(entries, key=lambda entry: -entry.changed)
        return [SearchHit(entry, 0.0) for entry in latest[:limit]]

    def _by_relevance(
        self, view: View, query: str, limit: int, model: Model | None
    ) -> list[SearchHit]:
        """Return the best hits by relevance: by words, and by meaning too with a ``model``."""
        by_words = {item.number: item.relevance for item in _candidates(view, query)}
        relevance = self._fused(view, model, query, by_words) if model else by_words
        scores = _drover_scores(view, query)
        figures = {
            number: _Figures(scores.get(number, 0.0), value, by_words.get(number, 0.0))
            for number, value in bm25.best(relevance, limit, view.order)
        }
        return _hits(view, figures)

    def _fused(
        self, view: View, model: Model, query: str, by_words: dict[int, float]
    ) -> dict[int, float]:
        """Return the relevance by words and by meaning together, from 0 to 1, by entry number.

        ``by_words`` is the relevance by words alone, of the entries that match words. Another entry
        is only returned if its similarity in meaning is at least ``semantic.LEAST_SIMILARITY``.
        Entries in no file of the store have no vector: their similarity in meaning is 0.
        """
        numbers = list(by_words)  # in a large store, only these are compared by meaning
        if view.selection.count <= semantic.ENTRIES_MAX:
            numbers = list(view.selection.only(range(len(view.lengths))))
        stored = [number for number in numbers if number < len(self._table.lengths)]
        by_meaning = self._vectors.similarities(model, query, stored)
        least = semantic.LEAST_SIMILARITY
        similar = {number for number, value in by_meaning.items() if value >= least}
        weight = semantic.WEIGHT
        fused = {}
        for number in by_words.keys() | similar:
            total = by_words.get(number, 0.0) + weight * by_meaning.get(number, 0.0)
            fused[number] = total / (1 + weight)
        return fused

    def _load(self) -> None:
        """Read the whole table from the index, and drop all that is cached."""
        self._index.changed_elsewhere()  # the next call reports only what changes from now on
        self._forget_cached()
        self._vectors.forget()
        self._table = DocTable(self._index.doc, self._index.docs())

    def _forget_cached(self) -> None:
        """Drop the cached results of the index."""
        self.postings.cache_clear()
        self.expansions.cache_clear()

    def _apply(self, change: IndexChange) -> None:
        """Apply ``change`` of the index to the table, so that both are equal again."""
        if self._index.changed_elsewhere():  # another process has changed more than `change`
            self._load()
            return
        if change.removed or change.added:
            self._forget_cached()
            self._vectors.forget(doc.number for doc in (*change.removed, *change.added))
        for doc in change.removed:
            self._table.remove(doc)
        for doc in change.added:
            self._table.add(doc)


def _by_drover(view: View, query: str, limit: int) -> list[SearchHit]:
    """Return the best hits in the order of drover, with the relevance by words."""
    best = bm25.best(_drover_scores(view, query), limit, view.order)
    relevance = {item.number: item.relevance for item in _candidates(view, query)}
    figures = {}
    for number, score in best:
        by_words = relevance.get(number, 0.0)  # 0: not a candidate
        figures[number] = _Figures(score, by_words, by_words)
    return _hits(view, figures)


def _hits(view: View, figures: Mapping[int, _Figures]) -> list[SearchHit]:
    """Return a hit for each entry in ``figures`` that still exists, in the same order.

    ``figures`` has the figures by the number of the entry. Only words decide whether a hit is
    relevant: similarity in meaning separates answers from other entries less well.
    """
    hits = []
    for number, entry in view.entries(figures).items():
        score, relevance, by_words = figures[number]
        is_relevant = by_words >= ranking.RELEVANT
        shown_relevance = round(relevance, 6)  # without the inexact last digits
        hits.append(SearchHit(entry, score, shown_relevance, is_relevant))
    return hits


def _candidates(view: View, query: str) -> list[Candidate]:
    """Return the entries that match words of ``query`` best, with their relevance, best first."""
    return ranking.candidates(
        view.index, query_terms(query), view.selection, view.lengths, view.order
    )


def _drover_scores(view: View, query: str) -> dict[int, float]:
    """Return drover's score of each entry that has a word of ``query``."""
    query_words = words(query, query=True)
    scores = bm25.score(
        query_words,
        lambda word: view.selection.counted(view.index.postings(word).words),
        view.lengths,
        view.selection.count,
        view.selection.total,
    )
    bm25.boost(scores, query_words, view.tagged)
    return scores
