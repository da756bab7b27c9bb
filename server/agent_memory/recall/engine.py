"""Recall: the entries that fit a query, best first, and never those of another agent."""

from __future__ import annotations

import os
import sqlite3
import time
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from agent_memory.entries.markdown_store import MarkdownEntries
from agent_memory.entries.store import EntryStore, Filter
from agent_memory.entries.validation import EntryError, units
from agent_memory.language.tokenize import words
from agent_memory.recall import bm25
from agent_memory.recall.database import index_path
from agent_memory.recall.doc_table import Table
from agent_memory.recall.file_scan import searched
from agent_memory.recall.fts_index import FtsIndex

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from agent_memory.entries.entry_file import Entry
    from agent_memory.recall.doc_table import Taken
    from agent_memory.recall.fts_index import Change

    Postings = Mapping[int, int]

T = TypeVar("T")
QUERY_MAX = 500
LIMIT_MAX = 50
LIMIT = 10
_DEAR_LOOK = 0.05  # seconds of the processor
_LOOKS_APART = 20  # times what the last one took, so that a twentieth of the time goes into it
_LOOKS_APART_MOST = 10.0  # seconds
_KEPT_POSTINGS = 2_000_000


@dataclass(frozen=True, slots=True)
class SearchHit:
    """An entry that was found; the score is 0 where there was no query."""

    entry: Entry
    score: float


def check_query(query: str, limit: int) -> None:
    """See that a query keeps drover's limits.

    Raises:
        EntryError: it does not.

    """
    length = units(query)
    if length > QUERY_MAX:
        raise EntryError("io", f"query must be at most {QUERY_MAX} chars (got {length})")
    if not 1 <= limit <= LIMIT_MAX:
        raise EntryError("io", f"limit must be 1-{LIMIT_MAX} (got {limit})")


def search(
    store: EntryStore, query: str, wanted: Filter | None = None, limit: int = LIMIT
) -> list[SearchHit]:
    """Search ``store`` without an index: for few entries, or those that are only in memory.

    Raises:
        EntryError: query, limit or filter is not valid.

    """
    check_query(query, limit)
    wanted = (wanted or Filter()).check()
    asked = words(query, query=True)
    if not query.strip():
        return [SearchHit(entry, 0.0) for entry in store.find(wanted)[:limit]]
    entries = [entry for entry in store.current() if wanted.takes(entry)]
    held = [Counter(words(searched(entry.summary, entry.body, entry.tags))) for entry in entries]
    lengths = [counts.total() for counts in held]

    def postings(word: str) -> dict[int, int]:
        return {at: counts[word] for at, counts in enumerate(held) if word in counts}

    def tagged(word: str) -> list[int]:
        return [at for at, entry in enumerate(entries) if word in map(str.lower, entry.tags)]

    scores = bm25.score(asked, postings, lengths, len(entries), sum(lengths))
    bm25.boost(scores, asked, tagged)
    return [SearchHit(entries[at], value) for at, value in bm25.best(scores, limit)]


class Recall:
    """A search over a folder of entries that is asked again and again.

    Call :meth:`refresh` to take in what changed anywhere, :meth:`update` for one file.
    ``path`` is where the index is kept (None: in memory). Not thread-safe.
    """

    def __init__(self, root: Path, path: Path | None = None) -> None:
        self.store = MarkdownEntries(root)
        self._index = FtsIndex(self.store, path)
        self._postings: dict[str, dict[frozenset[int], Postings]] = {}
        self._kept = 0
        self._next_look = 0.0
        self._lasting(self._load)
        self.refresh()

    @classmethod
    def open(cls, root: Path, env: Mapping[str, str] | None = None) -> Recall:
        """Open the search with its index in the user's cache folder."""
        root = MarkdownEntries(root).root
        return cls(root, index_path(root, os.environ if env is None else env))

    def close(self) -> None:
        """Close the index."""
        self._index.close()

    def refresh(self) -> None:
        """Take in what changed on disk."""
        self._lasting(lambda: self._apply(self._index.refresh()))

    def keep_up(self) -> None:
        """As :meth:`refresh`, for who asks with every letter that is typed.

        Looking at very many files takes longer than searching: then it is done once in a while.
        What is known to have changed meanwhile is told by :meth:`update`.
        """
        now = time.monotonic()
        if now < self._next_look:
            return
        before = time.thread_time()
        self.refresh()
        cost = time.thread_time() - before
        if cost > _DEAR_LOOK:
            self._next_look = now + min(_LOOKS_APART * cost, _LOOKS_APART_MOST)

    def update(self, path: Path) -> None:
        """Take in the one file ``path``, which may be new, changed or gone."""
        self._lasting(lambda: self._apply(self._index.update(path)))

    def search(
        self, query: str, wanted: Filter | None = None, limit: int = LIMIT
    ) -> list[SearchHit]:
        """Return the best entries for ``query``; without one, the last changed.

        Raises:
            EntryError: query, limit or filter is not valid.

        """
        check_query(query, limit)
        asked = (wanted or Filter()).check()
        return self._lasting(lambda: self._search(query, asked, limit))

    def _search(self, query: str, wanted: Filter, limit: int) -> list[SearchHit]:
        with self._index.reading():
            if self._index.overtaken():
                self._load()
            taken = self._table.taken(wanted)
            if query.strip():
                best = self._best(words(query, query=True), taken, limit)
            else:
                best = [(number, 0.0) for number in self._table.recent(taken, limit)]
            hits = [(self._index.read(number), value) for number, value in best]
        return [SearchHit(entry, value) for entry, value in hits if entry and wanted.takes(entry)]

    def _lasting(self, work: Callable[[], T]) -> T:
        """Return what ``work`` gives, also where the index turns out to be damaged."""
        try:
            return work()
        except sqlite3.DatabaseError:
            self._index.begin_anew()
            self._load()
            self._apply(self._index.refresh())
            return work()

    def _best(self, asked: list[str], taken: Taken, limit: int) -> list[tuple[int, float]]:
        scores = bm25.score(
            asked,
            lambda word: self._holding(word, taken),
            self._table.lengths,
            taken.count,
            taken.total,
        )
        bm25.boost(scores, asked, lambda word: self._table.tagged.get(word, ()))
        return bm25.best(scores, limit)

    def _holding(self, word: str, taken: Taken) -> Postings:
        """Return which of the entries that are taken hold ``word``; kept until that changes."""
        if taken.among is not None:
            return taken.counted(self._index.postings(word))
        kept = self._postings.setdefault(word, {})
        found = kept.get(taken.groups)
        if found is None:
            found = kept[taken.groups] = taken.counted(self._index.postings(word))
            self._kept += len(found)
            if self._kept > _KEPT_POSTINGS:
                self._postings = {word: {taken.groups: found}}
                self._kept = len(found)
        return found

    def _load(self) -> None:
        """Take over the whole index."""
        self._index.overtaken()
        self._table = Table(self._index.doc, self._index.docs())
        self._postings.clear()
        self._kept = 0

    def _apply(self, change: Change) -> None:
        if self._index.overtaken():
            self._load()
            return
        if change.many:
            self._postings.clear()
            self._kept = 0
        for word in change.words:
            self._kept -= sum(map(len, self._postings.pop(word, {}).values()))
        for doc in change.removed:
            self._table.remove(doc)
        for doc in change.added:
            self._table.add(doc)
