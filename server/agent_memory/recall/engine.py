"""Recall: the entries that match a query, best first, never those of another agent.

:func:`search` is all an ordinary store needs. :class:`Recall` keeps the entries of a folder in
memory between searches and, from :data:`INDEX_FROM` files on, in an index on disk.
"""

from __future__ import annotations

import os
import sqlite3
import time
from itertools import islice
from typing import TYPE_CHECKING, TypeVar

from agent_memory.entries.instruction_mirror import NO_MIRRORS
from agent_memory.entries.markdown_store import MarkdownEntries
from agent_memory.entries.store import EntryStore, Filter
from agent_memory.entries.validation import EntryError, units
from agent_memory.recall.database import discard, index_path, is_damage
from agent_memory.recall.indexed_search import IndexedSearch
from agent_memory.recall.plain_search import PlainSearch, SearchHit, document, rank

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from agent_memory.entries.instruction_mirror import Mirrors

    Searcher = PlainSearch | IndexedSearch

__all__ = [
    "INDEX_FROM",
    "LIMIT",
    "LIMIT_MAX",
    "QUERY_MAX",
    "Recall",
    "SearchHit",
    "check_query",
    "search",
]
T = TypeVar("T")
QUERY_MAX = 500
LIMIT_MAX = 50
LIMIT = 10
INDEX_FROM = 2000
"""Files. Up to here, reading all of them takes about 0.1 s and a search under 10 ms."""
_SLOW_SCAN_SECONDS = 0.05  # of CPU time
_SCAN_BACKOFF_FACTOR = 20  # times the duration of the last scan: at most 5 % of the time
_SCAN_BACKOFF_MAX = 10.0  # seconds


def check_query(query: str, limit: int) -> None:
    """Check a query against drover's limits.

    Raises:
        EntryError: the query is too long, or the limit is out of range.

    """
    length = units(query)
    if length > QUERY_MAX:
        raise EntryError("io", f"query must be at most {QUERY_MAX} chars (got {length})")
    if not 1 <= limit <= LIMIT_MAX:
        raise EntryError("io", f"limit must be 1-{LIMIT_MAX} (got {limit})")


def search(
    store: EntryStore, query: str, wanted: Filter | None = None, limit: int = LIMIT
) -> list[SearchHit]:
    """Return the best entries of ``store`` for ``query``; without one, the latest.

    Raises:
        EntryError: query, limit or filter is not valid.

    """
    check_query(query, limit)
    wanted = (wanted or Filter()).check()
    taken = filter(wanted.takes, store.current())
    return rank(map(document, taken), query, wanted, limit)


class Recall:
    """Repeated searches of the entries below ``root``. Not thread-safe.

    Call :meth:`refresh` after any change on disk, :meth:`update` after a change of one file.
    ``index`` is the path of the index; None: never use one. If the index cannot be used, searches
    go on without it, only slower.
    """

    def __init__(
        self, root: Path, index: Path | None = None, *, index_from: int = INDEX_FROM
    ) -> None:
        self.store = MarkdownEntries(root)
        self._index_path = index
        self._index_from = index_from
        self._next_scan = 0.0
        self._searcher = self._open()

    @classmethod
    def open(cls, root: Path, env: Mapping[str, str] | None = None) -> Recall:
        """Open a search with its index, if one is needed, in the user's cache folder."""
        root = MarkdownEntries(root).root
        return cls(root, index_path(root, os.environ if env is None else env))

    @property
    def is_indexed(self) -> bool:
        """Whether an index on disk is in use."""
        return isinstance(self._searcher, IndexedSearch)

    def close(self) -> None:
        """Close the index."""
        self._searcher.close()

    def refresh(self) -> None:
        """Read what changed on disk.

        Raises:
            UsageError: another process is writing the index.

        """
        self._with_fallback(lambda searcher: searcher.refresh())
        plain = self._searcher
        if self._index_path and isinstance(plain, PlainSearch) and len(plain) >= self._index_from:
            self._searcher = self._open_index(self._index_path)

    def refresh_throttled(self) -> None:
        """Like :meth:`refresh`, rate-limited; safe to call on every keystroke.

        Scanning very many files takes longer than a search, so it backs off. Report a known
        change with :meth:`update`.
        """
        now = time.monotonic()
        if now < self._next_scan:
            return
        before = time.thread_time()
        self.refresh()
        cost = time.thread_time() - before
        if cost > _SLOW_SCAN_SECONDS:
            self._next_scan = now + min(_SCAN_BACKOFF_FACTOR * cost, _SCAN_BACKOFF_MAX)

    def update(self, path: Path) -> None:
        """Read the one file ``path``, which may be new, changed or gone.

        Raises:
            UsageError: another process is writing the index.

        """
        self._with_fallback(lambda searcher: searcher.update(path))

    def search(
        self,
        query: str,
        wanted: Filter | None = None,
        limit: int = LIMIT,
        mirrors: Mirrors = NO_MIRRORS,
    ) -> list[SearchHit]:
        """Return the best entries for ``query``, ``mirrors`` included; without one, the latest.

        Raises:
            EntryError: query, limit or filter is not valid.

        """
        check_query(query, limit)
        checked = (wanted or Filter()).check()
        return self._with_fallback(lambda searcher: searcher.search(query, checked, limit, mirrors))

    def _open(self) -> Searcher:
        files = islice(self.store.files(), self._index_from)
        if self._index_path is None or sum(1 for _ in files) < self._index_from:
            return PlainSearch(self.store)
        return self._open_index(self._index_path)

    def _open_index(self, path: Path) -> Searcher:
        try:
            return IndexedSearch(self.store, path)
        except (OSError, sqlite3.Error) as error:
            return self._without_index(error)

    def _without_index(self, error: Exception) -> Searcher:
        """Return a search without index, because of ``error``; a damaged index is deleted.

        The next process creates it again.
        """
        if self._index_path is not None and is_damage(error):
            discard(self._index_path)
        self._index_path = None
        return PlainSearch(self.store)

    def _with_fallback(self, work: Callable[[Searcher], T]) -> T:
        """Return the result of ``work``, without the index if that turns out to be unusable."""
        try:
            return work(self._searcher)
        except sqlite3.DatabaseError as error:
            self._searcher.close()
            self._searcher = self._without_index(error)
            return work(self._searcher)
