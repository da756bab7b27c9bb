"""Search with the FTS5 index, for stores with thousands of entries.

The index returns the entries of each word; filters and BM25 run on numbers in memory. FTS5's own
ranking has other constants, and counts all entries instead of those the filter matches.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from agent_memory.entries.instruction_mirror import NO_MIRRORS
from agent_memory.language.tokenize import words
from agent_memory.recall import bm25
from agent_memory.recall.doc_table import DocTable
from agent_memory.recall.fts_index import FtsIndex
from agent_memory.recall.mirrored_search import Mirrored
from agent_memory.recall.plain_search import SearchHit

if TYPE_CHECKING:
    from pathlib import Path

    from agent_memory.entries.instruction_mirror import Mirrors
    from agent_memory.entries.markdown_store import MarkdownEntries
    from agent_memory.entries.store import Filter
    from agent_memory.recall.doc_table import Selection
    from agent_memory.recall.fts_index import Change

_CACHED_WORDS = 128
"""Postings in memory: the most frequent word of 100,000 entries takes 3 ms and 0.5 MB."""


class IndexedSearch:
    """The entries of ``store`` in an index at ``path``, which other processes may share.

    Raises:
        OSError, sqlite3.Error: from every method, if the index cannot be used.

    """

    def __init__(self, store: MarkdownEntries, path: Path) -> None:
        self._index = FtsIndex(store, path)
        self._postings = lru_cache(_CACHED_WORDS)(self._index.postings)
        try:
            self._load()
            self.refresh()
        except BaseException:
            self.close()
            raise

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
        self, query: str, wanted: Filter, limit: int, mirrors: Mirrors = NO_MIRRORS
    ) -> list[SearchHit]:
        """Return the best entries for ``query``; without one, the latest."""
        with self._index.reading():
            if self._index.changed_elsewhere():
                self._load()
            selection = self._table.select(wanted)
            if mirrors is NO_MIRRORS:
                mirrored = None
            else:
                mirrored = Mirrored(mirrors, self._table, self._index.read, selection, wanted)
            if query.strip():
                best = self._best(words(query, query=True), selection, limit, mirrored)
            else:
                hidden = len(mirrored.hidden) if mirrored else 0
                latest = self._table.latest(selection, limit + hidden)
                best = [(number, 0.0) for number in latest]
            if mirrored:
                return mirrored.hits(best, limit, by_time=not query.strip())
            hits = [(self._index.read(number), score) for number, score in best]
        return [SearchHit(entry, score) for entry, score in hits if entry and wanted.takes(entry)]

    def _best(
        self, asked: list[str], selection: Selection, limit: int, mirrored: Mirrored | None
    ) -> list[tuple[int, float]]:
        if mirrored:
            return mirrored.best(asked, lambda word: selection.counted(self._postings(word)), limit)
        scores = bm25.score(
            asked,
            lambda word: selection.counted(self._postings(word)),
            self._table.lengths,
            selection.count,
            selection.total,
        )
        bm25.boost(scores, asked, lambda word: self._table.tagged.get(word, ()))
        return bm25.best(scores, limit, self._table.order)

    def _load(self) -> None:
        self._index.changed_elsewhere()
        self._postings.cache_clear()
        self._table = DocTable(self._index.doc, self._index.docs())

    def _apply(self, change: Change) -> None:
        if self._index.changed_elsewhere():
            self._load()
            return
        if change.removed or change.added:
            self._postings.cache_clear()
        for doc in change.removed:
            self._table.remove(doc)
        for doc in change.added:
            self._table.add(doc)
