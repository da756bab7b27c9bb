"""The search index of a folder of entries: SQLite FTS5 in the user's cache folder.

It is never the truth: any part of it can be deleted at any time and is made again from the
files. FTS5 keeps the words and which entries hold them; the ranking is our own, because FTS5's
has other constants and counts over all entries instead of those the filter takes.
"""

from __future__ import annotations

import contextlib
import gc
import itertools
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from agent_memory.entries.entry_file import Place
from agent_memory.recall.database import busy, connect, discard
from agent_memory.recall.file_scan import (
    Doc,
    Folder,
    changes,
    entry_at,
    folder_of,
    rows,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from agent_memory.entries.entry_file import Entry
    from agent_memory.entries.markdown_store import MarkdownEntries

_BULK = 500  # files from which on they are taken in batches
_BATCH = 4000
_INSERT_DOC = "INSERT INTO docs VALUES (?,?,?,?,?,?,?,?,?,?,?,?)"
_DOCS = """
SELECT id, path, ulid, scope, agent, run, kind, tags, changed, length FROM docs WHERE ulid <> ''
"""
_DOC = """
SELECT id, path, ulid, scope, agent, run, kind, tags, changed, length FROM docs WHERE id = ?
"""
_INDEX_SPAN = "INSERT INTO found(rowid, words) SELECT id, words FROM docs WHERE id BETWEEN ? AND ?"


@dataclass(slots=True)
class Change:
    """What taking in files changed: entries that are gone, new ones, and the words of both.

    ``many``: so many that their words are not named.
    """

    removed: list[Doc] = field(default_factory=list)
    added: list[Doc] = field(default_factory=list)
    words: set[str] = field(default_factory=set)
    many: bool = False


class FtsIndex:
    """The words of every entry of ``store``, on disk at ``path`` or in memory where that is None.

    A damaged or older index is thrown away and made again.
    """

    def __init__(self, store: MarkdownEntries, path: Path | None) -> None:
        self.store = store
        self._path = path
        self._db = connect(path)
        self._seen = self._version()

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def begin_anew(self) -> None:
        """Throw the index away, because it is damaged or its disk is full; go on in memory.

        The next process makes another file.
        """
        self._db.close()
        if self._path is not None:
            discard(self._path)
        self._db = connect(None)

    def refresh(self) -> Change:
        """Take in what changed on disk.

        Raises:
            UsageError: another process keeps the index to itself.

        """
        before = self._version()
        fresh, stale = changes(self.store, self._known())
        if not fresh and not stale:
            return Change()
        with self._writing() as change:
            if self._version() != before:  # another process was quicker
                fresh, stale = changes(self.store, self._known())
            change.many = sum(len(folder.names) for folder in fresh) > _BULK
            self._remove(stale, change)
            (self._add_many if change.many else self._add)(fresh, change)
        if change.many:
            self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # not within the next update
        return change

    def update(self, path: Path) -> Change:
        """Take in the one file ``path``, also if it is gone.

        Raises:
            UsageError: another process keeps the index to itself.

        """
        folder = folder_of(self.store, path)
        if folder is None:
            return Change()
        with self._writing() as change:
            self._remove([folder.below + path.name], change)
            self._add([folder], change)
        return change

    def overtaken(self) -> bool:
        """Whether another process has changed the index since this was last asked."""
        before, self._seen = self._seen, self._version()
        return before != self._seen

    @contextlib.contextmanager
    def reading(self) -> Iterator[None]:
        """Let everything inside see one state of the index, whatever other processes write."""
        self._db.execute("BEGIN")
        try:
            yield
        finally:
            self._db.execute("COMMIT")

    def docs(self) -> Iterator[Doc]:
        """Yield every entry."""
        yield from map(Doc._make, self._db.execute(_DOCS))

    def doc(self, number: int) -> Doc:
        """Return what is kept of the entry ``number``."""
        return Doc._make(self._db.execute(_DOC, (number,)).fetchone())

    def postings(self, word: str) -> list[int]:
        """Return every entry that holds ``word``, as often as it does.

        As one text, because SQLite joins numbers faster than Python takes rows.
        """
        query = "SELECT group_concat(doc) FROM posting WHERE term = ?"
        (numbers,) = self._db.execute(query, (word,)).fetchone()
        return list(map(int, numbers.split(","))) if numbers else []

    def read(self, number: int) -> Entry | None:
        """Return the entry as it is on disk now; None if it is gone or no entry any more."""
        row = self._db.execute("SELECT path FROM docs WHERE id = ?", (number,)).fetchone()
        if row is None:
            return None
        path = self.store.root / row[0]
        return entry_at(path, self.store.place_of(path) or Place("global"))

    def _remove(self, names: Iterable[str], change: Change) -> None:
        for name in names:
            row = self._db.execute("SELECT id, words FROM docs WHERE path = ?", (name,)).fetchone()
            if row is None:
                continue
            number, held = row
            doc = self.doc(number)
            self._db.execute("INSERT INTO found(found, rowid, words) VALUES('delete', ?, ?)", row)
            self._db.execute("DELETE FROM docs WHERE id = ?", (number,))
            if doc.ulid:
                change.removed.append(doc)
                change.words.update(held.split())

    def _add(self, folders: Iterable[Folder], change: Change) -> None:
        for row in rows(folders, self._next()):
            self._db.execute(_INSERT_DOC, row)
            self._db.execute("INSERT INTO found(rowid, words) VALUES (?,?)", (row[0], row[-1]))
            if row[2]:
                change.added.append(Doc._make(row[:10]))
                change.words.update(row[-1].split())

    def _add_many(self, folders: Iterable[Folder], change: Change) -> None:
        """Add ``folders``; while the words of one batch are indexed, the next is read.

        Indexing a batch is one statement, because SQLite lets other threads run only during one.
        """
        taken = rows(folders, self._next())
        with ThreadPoolExecutor(1) as writer, _without_collecting():
            pending = None
            while batch := list(itertools.islice(taken, _BATCH)):
                if pending:
                    pending.result()
                self._db.executemany(_INSERT_DOC, batch)
                span = (batch[0][0], batch[-1][0])
                pending = writer.submit(self._db.execute, _INDEX_SPAN, span)
                change.added += [Doc._make(row[:10]) for row in batch if row[2]]
            if pending:
                pending.result()
        self._db.execute("INSERT INTO found(found) VALUES ('optimize')")  # merged now, not later

    def _known(self) -> dict[str, str]:
        return dict(self._db.execute("SELECT path, stamp FROM docs"))

    def _version(self) -> int:
        """Return a number that changes with what other connections write, and only with that."""
        (number,) = self._db.execute("PRAGMA data_version").fetchone()
        return int(number)

    @contextlib.contextmanager
    def _writing(self) -> Iterator[Change]:
        """Be the only process that writes; yield what takes note of it."""
        try:
            self._db.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError as error:
            raise busy(error, self.store.root) or error from error
        try:
            yield Change()
        except BaseException:
            self._db.execute("ROLLBACK")
            raise
        self._db.execute("COMMIT")

    def _next(self) -> int:
        (number,) = self._db.execute("SELECT coalesce(max(id), 0) + 1 FROM docs").fetchone()
        return int(number)


@contextlib.contextmanager
def _without_collecting() -> Iterator[None]:
    """Keep Python from looking for garbage while much is made that stays."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()
