"""Recall: the entries that match a query, best first, never those of another agent.

:class:`Recall` keeps an index of the entries of a folder: in memory, and from :data:`INDEX_FROM`
files on in the user's cache folder. Both give the same results.
"""

from __future__ import annotations

import os
import sqlite3
import time
from itertools import islice
from typing import TYPE_CHECKING, TypeVar

from agent_memory.entries.markdown_store import MarkdownEntries
from agent_memory.entries.store import Filter
from agent_memory.entries.validation import EntryError, units
from agent_memory.recall.database import discard, index_path, is_damage
from agent_memory.recall.hits import RANKINGS, SearchHit
from agent_memory.recall.indexed_search import IndexedSearch

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from agent_memory.recall.semantic import Model
    from agent_memory.recall.view import ExtraEntries

__all__ = [
    "INDEX_FROM",
    "LIMIT",
    "LIMIT_MAX",
    "QUERY_MAX",
    "RANKINGS",
    "Recall",
    "SearchHit",
    "check_query",
]
T = TypeVar("T")
QUERY_MAX = 500  # UTF-16 units, as drover counts
LIMIT_MAX = 50  # entries of one search
LIMIT = 10  # the same, by default
INDEX_FROM = 500
"""Files. Up to here, indexing all of them in memory takes about 0.1 s."""
_SLOW_SCAN_SECONDS = 0.05  # of CPU time
_SCAN_BACKOFF_FACTOR = 20  # times the duration of a slow scan, so that scans take 5 % of the time
_SCAN_BACKOFF_MAX = 10.0  # seconds; scans of over 0.5 s take a larger share


def check_query(query: str, limit: int, by: str = RANKINGS[0]) -> None:
    """Raise an error unless drover's limits allow the query and the ranking ``by`` is known.

    ``query`` may have at most ``QUERY_MAX`` UTF-16 units. "io" is drover's code of such an error.

    Raises:
        EntryError: the query is too long, the limit is out of range, or the ranking is unknown.

    """
    length = units(query)
    if length > QUERY_MAX:
        raise EntryError("io", f"query must be at most {QUERY_MAX} chars (got {length})")
    if not 1 <= limit <= LIMIT_MAX:
        raise EntryError("io", f"limit must be 1-{LIMIT_MAX} (got {limit})")
    if by not in RANKINGS:
        raise EntryError("io", f"ranking must be one of {', '.join(RANKINGS)} (got '{by}')")


class Recall:
    """Repeated searches of the entries below ``root``. Not thread-safe.

    A search does not look for changes on disk: call :meth:`refresh` after any change, or
    :meth:`update` after a change of one file. ``index`` is the path of the index on disk; None:
    never use one. It is used for a store of at least ``index_from`` files. If it cannot be used,
    searches use an index in memory, which takes longer to open.
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
        """Return a search of ``root`` with its index, if one is needed, in the user's cache folder.

        ``env`` are the variables that name this folder (None: those of the process).

        Raises:
            UsageError: another process is writing the index.

        """
        root = MarkdownEntries(root).root  # absolute: the name of the index depends on the path
        return cls(root, index_path(root, os.environ if env is None else env))

    @property
    def is_indexed(self) -> bool:
        """Whether an index on disk is in use."""
        return self._on_disk

    def close(self) -> None:
        """Close the index."""
        self._searcher.close()

    def refresh(self) -> None:
        """Read what changed on disk.

        Raises:
            UsageError: another process is writing the index.

        """
        self._with_fallback(lambda searcher: searcher.refresh())
        current = self._searcher
        # A store that was indexed in memory may have grown so large that it needs the disk.
        if self._index_path and not self._on_disk and len(current) >= self._index_from:
            self._searcher = self._open_index(self._index_path)
            current.close()

    def refresh_throttled(self) -> None:
        """Like :meth:`refresh`, but does nothing for a while after a slow scan.

        So it can be called on every keystroke: scanning very many files takes longer than a
        search. Report a known change with :meth:`update`.

        Raises:
            UsageError: another process is writing the index.

        """
        now = time.monotonic()
        if now < self._next_scan:
            return
        started = time.thread_time()  # CPU time: waiting for the disk or a lock does not count
        self.refresh()
        seconds = time.thread_time() - started
        if seconds > _SLOW_SCAN_SECONDS:
            self._next_scan = now + min(_SCAN_BACKOFF_FACTOR * seconds, _SCAN_BACKOFF_MAX)

    def invalidate(self) -> None:
        """Let the next :meth:`refresh_throttled` read what changed, also after a slow scan."""
        self._next_scan = 0.0

    def update(self, path: Path) -> None:
        """Read the one file ``path``, which may be new, changed or deleted.

        Raises:
            UsageError: another process is writing the index.

        """
        self._with_fallback(lambda searcher: searcher.update(path))

    def search(
        self,
        query: str,
        wanted: Filter | None = None,
        limit: int = LIMIT,
        extra: ExtraEntries | None = None,
        *,
        by: str = RANKINGS[0],
        model: Model | None = None,
    ) -> list[SearchHit]:
        """Return up to ``limit`` entries, the best for ``query``; for a blank one, the latest.

        ``by`` is one of RANKINGS. ``extra`` entries, which are in no file of the store, are
        searched as well. With a ``model`` (:mod:`agent_memory.recall.semantic`), relevance also
        depends on meaning.

        Raises:
            EntryError: query, limit or filter is not valid.

        """
        check_query(query, limit, by)
        checked = (wanted or Filter()).checked()
        return self._with_fallback(
            lambda searcher: searcher.search(query, checked, limit, extra, by=by, model=model)
        )

    def _open(self) -> IndexedSearch:
        """Return the search by an index on disk if the store has enough files, else in memory.

        Raises:
            UsageError: another process is writing the index.

        """
        files = islice(self.store.files(), self._index_from)  # no need to count more
        if self._index_path is None or sum(1 for _ in files) < self._index_from:
            return self._in_memory()
        return self._open_index(self._index_path)

    def _open_index(self, path: Path) -> IndexedSearch:
        """Return the search by the index on disk, or one in memory if the index cannot be used.

        Raises:
            UsageError: another process is writing the index.

        """
        try:
            searcher = IndexedSearch(self.store, path)
        except (OSError, sqlite3.Error) as error:
            return self._without_index(error)
        self._on_disk = True
        return searcher

    def _in_memory(self) -> IndexedSearch:
        """Return a search by a new index in memory."""
        self._on_disk = False
        return IndexedSearch(self.store)

    def _without_index(self, error: Exception) -> IndexedSearch:
        """Return a search in memory, because of ``error``; a damaged index is deleted.

        This object uses no index on disk from now on; the next :class:`Recall` may create it again.
        """
        if self._index_path is not None and is_damage(error):
            discard(self._index_path)
        self._index_path = None
        return self._in_memory()

    def _with_fallback(self, work: Callable[[IndexedSearch], T]) -> T:
        """Return the result of ``work`` with the current index.

        If that is on disk and turns out to be unusable, ``work`` is called again with an index in
        memory, which later calls use too.
        """
        try:
            return work(self._searcher)
        except sqlite3.DatabaseError as error:
            if not self._on_disk:
                raise
            self._searcher.close()
            self._searcher = self._without_index(error)
            return work(self._searcher)
