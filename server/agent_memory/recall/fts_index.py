"""The search index of a store: SQLite FTS5 in the user's cache folder.

The files are the truth: the index can be deleted at any time and is rebuilt from them. FTS5
stores the words and the entries that contain them.
"""

from __future__ import annotations

import contextlib
import itertools
import sqlite3
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from agent_memory.base.gc_pause import gc_paused
from agent_memory.entries.entry_file import EntryPlace
from agent_memory.recall.database import busy_error, connect
from agent_memory.recall.doc_table import Doc, tags_text
from agent_memory.recall.file_scan import changes, entry_at, folder_of, read_files
from agent_memory.recall.ranking import Postings
from agent_memory.recall.terms import entry_terms, indexable
from agent_memory.recall.vocabulary import Vocabulary

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from agent_memory.entries.entry_file import Entry
    from agent_memory.entries.markdown_store import MarkdownEntries
    from agent_memory.recall.file_scan import EntryFolder

    Row = tuple[int, str, str, str, str, str, str, str, int, int, str, str, str]
    """The columns of the table ``docs``, in their order."""

_BULK = 500  # files; more are indexed in batches
_BATCH = 4000  # files
_INT64_MAX = 2**63 - 1  # SQLite stores no larger number
_ULID = 2  # the position of the id in a row
_NO_ENTRY = ""  # in place of the id of a file that is not an entry
_INSERT_DOC = "INSERT INTO docs VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)"
_TERMS_OF = "SELECT id, words, extra FROM docs WHERE path = ?"
# FTS5 takes commands as insertions into the column with the name of the table.
_DELETE_TERMS = "INSERT INTO found(found, rowid, words, extra) VALUES ('delete', ?, ?, ?)"
_ADD_TERMS = "INSERT INTO found(rowid, words, extra) VALUES (?, ?, ?)"
_DOCS = """
SELECT id, path, ulid, scope, agent, run, kind, tags, changed, length FROM docs WHERE ulid <> ''
"""
_DOC = """
SELECT id, path, ulid, scope, agent, run, kind, tags, changed, length FROM docs WHERE id = ?
"""
_INDEX_SPAN = """
INSERT INTO found(rowid, words, extra) SELECT id, words, extra FROM docs WHERE id BETWEEN ? AND ?
"""
# The table `posting` has a row for each occurrence of a term in a column of an entry.
_POSTINGS = """
SELECT group_concat(doc) FILTER (WHERE col = 'words'),
group_concat(doc) FILTER (WHERE col = 'extra') FROM posting WHERE term = ?
"""


@dataclass(slots=True)
class IndexChange:
    """The entries that an update removed from the index and added to it; changed ones are both."""

    removed: list[Doc] = field(default_factory=list)
    added: list[Doc] = field(default_factory=list)


class FtsIndex:
    """The terms of every entry of ``store``, in a database at ``path`` (None: in memory)."""

    def __init__(self, store: MarkdownEntries, path: Path | None) -> None:
        self.store = store
        self._db = connect(path)
        self.vocabulary = Vocabulary(self._db)
        self._seen_version = self._data_version()

    def close(self) -> None:
        """Close the database."""
        self._db.close()

    def refresh(self) -> IndexChange:
        """Index what changed on disk, and return these changes.

        Raises:
            UsageError: another process is writing the index.

        """
        before = self._data_version()  # changes if another process writes meanwhile
        changed, outdated = changes(self.store, self._stamps())  # before the lock, as it is slow
        if not changed and not outdated:
            return IndexChange()
        with self._writing() as change:
            if self._data_version() != before:  # another process wrote, perhaps the same files
                changed, outdated = changes(self.store, self._stamps())
            self._remove(outdated, change)
            many = sum(len(folder.names) for folder in changed) > _BULK
            if many:
                self._add_many(changed, change)
            else:
                self._add(changed, change)
        if many:
            self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # now, not in the next update
        return change

    def update(self, path: Path) -> IndexChange:
        """Index the one file ``path`` as it is now, and return the change.

        A missing file is removed from the index. A path that cannot be that of an entry is ignored.

        Raises:
            UsageError: another process is writing the index.

        """
        folder = folder_of(self.store, path)
        if folder is None:
            return IndexChange()
        with self._writing() as change:
            self._remove([folder.below + path.name], change)
            self._add([folder], change)
        return change

    def changed_elsewhere(self) -> bool:
        """Whether another process changed the index since the last call.

        The first call covers the time since the index was opened.
        """
        before, self._seen_version = self._seen_version, self._data_version()
        return before != self._seen_version

    @contextlib.contextmanager
    def reading(self) -> Iterator[None]:
        """Let all reads inside see one snapshot, without later writes by other processes."""
        self._db.execute("BEGIN")
        try:
            yield
        finally:
            self._db.execute("COMMIT")

    def count(self) -> int:
        """Return the number of indexed files, also of those that are not entries."""
        (count,) = self._db.execute("SELECT count(*) FROM docs").fetchone()
        return int(count)

    def docs(self) -> Iterator[Doc]:
        """Yield the row of each entry; rows of files that are not entries are left out."""
        yield from map(Doc._make, self._db.execute(_DOCS))

    def doc(self, number: int) -> Doc:
        """Return the row ``number``, which must exist; its ``ulid`` is '' if it is not an entry."""
        return Doc._make(self._db.execute(_DOC, (number,)).fetchone())

    def postings(self, term: str) -> Postings:
        """Return the numbers of the entries that have ``term``, once per occurrence.

        SQLite joins the numbers to one text, which is faster than fetching rows in Python.
        """
        return Postings(*map(_numbers, self._db.execute(_POSTINGS, (term,)).fetchone()))

    def read(self, number: int) -> Entry | None:
        """Return the entry ``number`` as it is on disk now.

        None if the number or the file does not exist, or the file is not an entry.
        """
        row = self._db.execute("SELECT path FROM docs WHERE id = ?", (number,)).fetchone()
        if row is None:
            return None
        path = self.store.root / row[0]
        # Each indexed path has a place; "global" is only for the type checker.
        return entry_at(path, self.store.place_of(path) or EntryPlace("global"))

    def _remove(self, names: Iterable[str], change: IndexChange) -> None:
        """Remove the files ``names`` (paths below the root) that are indexed.

        The entries among them are recorded in ``change``.
        """
        for name in names:
            row = self._db.execute(_TERMS_OF, (name,)).fetchone()
            if row is None:
                continue
            number, words, extra = row
            doc = self.doc(number)
            self._db.execute(_DELETE_TERMS, row)  # FTS5 needs the terms that were indexed
            self.vocabulary.remove({*words.split(), *extra.split()})
            self._db.execute("DELETE FROM docs WHERE id = ?", (number,))
            if doc.ulid:  # '': the file is not an entry
                change.removed.append(doc)

    def _add(self, folders: Iterable[EntryFolder], change: IndexChange) -> None:
        """Add a row for each file of ``folders``; record those that are entries in ``change``."""
        counts: Counter[str] = Counter()  # the number of entries with each term
        for row in _rows(folders, self._next_number()):
            number, (words, extra) = row[0], row[-2:]
            self._db.execute(_INSERT_DOC, row)
            self._db.execute(_ADD_TERMS, (number, words, extra))
            counts.update(_terms(row))
            if row[_ULID]:
                change.added.append(_doc(row))
        self.vocabulary.add(counts)

    def _add_many(self, folders: Iterable[EntryFolder], change: IndexChange) -> None:
        """Do the same as :meth:`_add`, in batches: one is indexed while the next is read.

        A batch is one statement, because SQLite lets other threads run only during a statement.
        """
        rows = _rows(folders, self._next_number())
        counts: Counter[str] = Counter()  # the number of entries with each term
        with ThreadPoolExecutor(1) as writer, gc_paused():
            indexing = None  # the batch that the writer indexes
            while batch := list(itertools.islice(rows, _BATCH)):
                if indexing:
                    indexing.result()  # wait: one statement at a time
                self._db.executemany(_INSERT_DOC, batch)
                first, last = batch[0][0], batch[-1][0]  # numbers of entries
                indexing = writer.submit(self._db.execute, _INDEX_SPAN, (first, last))
                change.added += [_doc(row) for row in batch if row[_ULID]]
                for row in batch:
                    counts.update(_terms(row))
            if indexing:
                indexing.result()
            self.vocabulary.add(counts)
        self._db.execute("INSERT INTO found(found) VALUES ('optimize')")  # merge now, not later

    def _stamps(self) -> dict[str, str]:
        """Return the stamp of each indexed file by its path below the root."""
        return dict(self._db.execute("SELECT path, stamp FROM docs"))

    def _data_version(self) -> int:
        """Return a number that changes when another connection writes, and only then."""
        (number,) = self._db.execute("PRAGMA data_version").fetchone()
        return int(number)

    @contextlib.contextmanager
    def _writing(self) -> Iterator[IndexChange]:
        """Lock the index for writing; yield an empty record, to which the caller adds its changes.

        An error undoes all of them.

        Raises:
            UsageError: another process is writing the index.

        """
        try:
            self._db.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError as error:
            # `busy_error` returns None for any other error than a lock.
            raise busy_error(error, self.store.root) or error from error
        try:
            yield IndexChange()
            self.vocabulary.clean()  # the changes may have removed the last entry with a term
        except BaseException:
            self._db.execute("ROLLBACK")
            raise
        self._db.execute("COMMIT")

    def _next_number(self) -> int:
        """Return the number for the next row, above all that are in use."""
        (number,) = self._db.execute("SELECT coalesce(max(id), 0) + 1 FROM docs").fetchone()
        return int(number)


def _rows(folders: Iterable[EntryFolder], number: int) -> Iterator[Row]:
    """Yield a row for each existing file, numbered from ``number``.

    A row has the columns of a :class:`Doc`, the file's stamp, and two texts: the words and the
    extra terms.

    A file that is not an entry gets an empty ULID, so that its stamp is known and it is not read
    again each time.
    """
    for row_number, (name, stamp, entry) in enumerate(read_files(folders), number):
        if entry is None:
            owner_and_tags = ("", "", "", "", "")  # scope, agent, run, kind, tags
            yield (row_number, name, _NO_ENTRY, *owner_and_tags, 0, 0, stamp, "", "")
            continue
        entry = indexable(entry)  # noqa: PLW2901 -- no secret may enter the index
        terms = entry_terms(entry)
        yield (
            row_number,
            name,
            entry.id,
            entry.scope,
            _storable(entry.agent),
            _storable(entry.run),
            entry.kind,
            tags_text(entry.tags),
            max(-_INT64_MAX, min(entry.changed, _INT64_MAX)),
            len(terms.words),
            stamp,
            " ".join(terms.words),
            " ".join(terms.extra),
        )


def _doc(row: Row) -> Doc:
    """Return the first columns of ``row`` as a :class:`Doc`."""
    return Doc._make(row[: len(Doc._fields)])


def _terms(row: Row) -> set[str]:
    """Return the words and the extra terms of ``row``, each once."""
    words, extra = row[-2:]
    return {*words.split(), *extra.split()}


def _numbers(joined: str | None) -> list[int]:
    """Return the numbers in ``joined``, such as `3,3,17`; [] for NULL, if no entry has the term."""
    return list(map(int, joined.split(","))) if joined else []


def _storable(name: str | None) -> str:
    """Return ``name`` with lone surrogates as escapes, because SQLite refuses them; '' for None."""
    return name.encode("utf-8", "backslashreplace").decode() if name else ""
