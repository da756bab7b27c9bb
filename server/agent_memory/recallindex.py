"""The search index of a folder of entries: SQLite FTS5 in the user's cache folder.

It is never the truth: any part of it can be deleted at any time and is made again from the
files. FTS5 keeps the words and which entries hold them; the ranking is our own, because FTS5's
has other constants and counts over all entries instead of those the filter takes.
"""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import os
import sqlite3
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from agent_memory.entryfile import Entry, Place, Skipped, parse
from agent_memory.files import SIZE_CAP
from agent_memory.markdownentries import is_entry_name
from agent_memory.words import words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from agent_memory.markdownentries import MarkdownEntries

VERSION = 1
_BULK = 500  # files from which on they are taken in batches
_BATCH = 4000
_FIRST_READ = 65536  # bytes; more than an entry's limits let it have
_INSERT_DOC = "INSERT INTO docs VALUES (?,?,?,?,?,?,?,?,?,?,?,?)"
_INDEX_SPAN = "INSERT INTO found(rowid, words) SELECT id, words FROM docs WHERE id BETWEEN ? AND ?"
_TABLES = """
CREATE TABLE docs(
    id INTEGER PRIMARY KEY, path TEXT UNIQUE, ulid TEXT, scope TEXT, agent TEXT, run TEXT,
    kind TEXT, tags TEXT, changed INTEGER, length INTEGER, stamp TEXT, words TEXT
);
CREATE VIRTUAL TABLE found USING fts5(
    words, content='docs', content_rowid='id', columnsize=0, tokenize='ascii'
);
CREATE VIRTUAL TABLE posting USING fts5vocab(found, 'instance');
INSERT INTO found(found, rank) VALUES ('hashsize', 67108864);
"""


class Doc(NamedTuple):
    """What is kept of an entry beside its words; ``length`` counts these."""

    number: int
    path: str
    ulid: str
    scope: str
    agent: str
    run: str
    kind: str
    tags: str  # lower case, one a line
    changed: int
    length: int


class _File(NamedTuple):
    """An entry file: the folder it is in, its path, that below the root, and what it looks like."""

    place: Place
    path: str
    name: str
    stamp: str


@dataclass(slots=True)
class Change:
    """What taking in files changed: entries that are gone, new ones, and the words of both."""

    removed: list[int] = field(default_factory=list)
    added: list[Doc] = field(default_factory=list)
    words: set[str] = field(default_factory=set)


def cache_folder(env: Mapping[str, str]) -> Path:
    """Return the folder for what can be made again: below XDG_CACHE_HOME or its equal."""
    if env.get("XDG_CACHE_HOME"):
        return Path(env["XDG_CACHE_HOME"]) / "agent-memory"
    if sys.platform == "win32" and env.get("LOCALAPPDATA"):
        return Path(env["LOCALAPPDATA"]) / "agent-memory" / "cache"
    return Path(env.get("HOME") or Path.home()) / ".cache" / "agent-memory"


class Index:
    """The words of every entry of ``store``, on disk at ``path`` or in memory where that is None.

    A damaged or older index is thrown away and made again.
    """

    def __init__(self, store: MarkdownEntries, path: Path | None) -> None:
        self.store = store
        self._db = _open(path)

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def refresh(self) -> Change | None:
        """Take in what changed on disk; None: so much that all of it is to be read again."""
        known = dict(self._db.execute("SELECT path, stamp FROM docs"))
        there = list(_found(self.store))
        names = {item.name for item in there}
        changed = [item for item in there if known.get(item.name) != item.stamp]
        stale = [name for name in known if name not in names]
        stale += [item.name for item in changed if item.name in known]
        change = Change()
        with self._db:
            self._remove(stale, change)
            if len(changed) > _BULK:
                self._add_many(changed)
            else:
                self._add(changed, change)
        if len(changed) > _BULK:
            self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # not within the next update
            return None
        return change

    def update(self, path: Path) -> Change:
        """Take in the one file ``path``, also if it is gone."""
        change = Change()
        place = self.store.place_of(path)
        if place is None:
            return change
        name = path.relative_to(self.store.root).as_posix()
        with self._db:
            self._remove([name], change)
            with contextlib.suppress(OSError):
                self._add([_File(place, str(path), name, _stamp(path.lstat()))], change)
        return change

    def docs(self) -> Iterator[Doc]:
        """Yield every entry."""
        rows = self._db.execute(
            "SELECT id, path, ulid, scope, agent, run, kind, tags, changed, length FROM docs "
            "WHERE ulid <> ''"
        )
        yield from map(Doc._make, rows)

    def postings(self, word: str) -> list[tuple[int, int]]:
        """Return (entry, times) for every entry that holds ``word``."""
        found: dict[int, int] = {}
        for (doc,) in self._db.execute("SELECT doc FROM posting WHERE term = ?", (word,)):
            found[doc] = found.get(doc, 0) + 1
        return list(found.items())

    def read(self, number: int) -> Entry | None:
        """Return the entry as it is on disk now; None if it is gone or no entry any more."""
        row = self._db.execute("SELECT path FROM docs WHERE id = ?", (number,)).fetchone()
        if row is None:
            return None
        path = self.store.root / row[0]
        entry = _entry(str(path), self.store.place_of(path) or Place("global"))
        return entry and replace(entry, path=path)

    def _remove(self, names: Iterable[str], change: Change) -> None:
        for name in names:
            row = self._db.execute("SELECT id, words FROM docs WHERE path = ?", (name,)).fetchone()
            if row is None:
                continue
            self._db.execute("INSERT INTO found(found, rowid, words) VALUES('delete', ?, ?)", row)
            self._db.execute("DELETE FROM docs WHERE id = ?", (row[0],))
            change.removed.append(row[0])
            change.words.update(row[1].split())

    def _add(self, files: Iterable[_File], change: Change) -> None:
        for row in self._rows(files):
            self._db.execute(_INSERT_DOC, row)
            self._db.execute("INSERT INTO found(rowid, words) VALUES (?,?)", (row[0], row[-1]))
            if row[2]:
                change.added.append(Doc._make(row[:10]))
                change.words.update(row[-1].split())

    def _add_many(self, files: Sequence[_File]) -> None:
        """Add ``files``; while the words of one batch are indexed, the next is read.

        Indexing a batch is one statement, because SQLite lets other threads run only during one.
        """
        rows = self._rows(files)
        with ThreadPoolExecutor(1) as writer:
            pending = None
            while batch := list(itertools.islice(rows, _BATCH)):
                if pending:
                    pending.result()
                self._db.executemany(_INSERT_DOC, batch)
                span = (batch[0][0], batch[-1][0])
                pending = writer.submit(self._db.execute, _INDEX_SPAN, span)
            if pending:
                pending.result()

    def _rows(self, files: Iterable[_File]) -> Iterator[tuple[Any, ...]]:
        """Yield what is kept of each file: a :class:`Doc`, the stamp and the words."""
        (last,) = self._db.execute("SELECT coalesce(max(id), 0) FROM docs").fetchone()
        for number, (place, path, name, stamp) in enumerate(files, last + 1):
            entry = _entry(path, place)
            if entry is None:  # kept too, so that it is not read again each time
                yield (number, name, "", "", "", "", "", "", 0, 0, stamp, "")
                continue
            found = words(searched(entry))
            yield (
                number, name, entry.id, entry.scope, entry.agent or "", entry.run or "",
                entry.kind, "\n".join(entry.tags).lower(), entry.changed, len(found), stamp,
                " ".join(found),
            )  # fmt: skip


def searched(entry: Entry) -> str:
    """Return the text of ``entry`` in which words are found."""
    return f"{entry.summary}\n{entry.body}\n{' '.join(entry.tags)}"


def index_path(root: Path, env: Mapping[str, str]) -> Path:
    """Return where the index of the store at ``root`` is kept."""
    name = hashlib.sha256(os.fsencode(root)).hexdigest()[:32]
    return cache_folder(env) / "recall" / f"{name}.sqlite3"


def _open(path: Path | None) -> sqlite3.Connection:
    if path is not None:
        try:
            return _open_file(path)
        except (OSError, sqlite3.Error):  # no such place, or not ours: search without keeping
            pass
    return _prepared(sqlite3.connect(":memory:", check_same_thread=False))


def _open_file(path: Path) -> sqlite3.Connection:
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    if not path.exists():
        os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))
    db = sqlite3.connect(path, timeout=10, check_same_thread=False)
    try:
        return _prepared(db)
    except sqlite3.DatabaseError:
        db.close()
        path.unlink()
        return _open_file(path)


def _prepared(db: sqlite3.Connection) -> sqlite3.Connection:
    db.execute("PRAGMA synchronous = OFF")  # what a power cut damages is made again
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA cache_size = -65536")
    (version,) = db.execute("PRAGMA user_version").fetchone()
    if version not in (0, VERSION):
        raise sqlite3.DatabaseError("an index of another version")
    if version == 0:
        db.executescript(f"BEGIN; {_TABLES} PRAGMA user_version = {VERSION}; COMMIT;")
    return db


def _entry(path: str, place: Place) -> Entry | None:
    try:
        fd = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    except OSError:
        return None
    try:
        content = os.read(fd, _FIRST_READ)
        if len(content) == _FIRST_READ:
            content += os.read(fd, SIZE_CAP)
        return parse(content.decode(), place)
    except (OSError, Skipped, UnicodeDecodeError):
        return None
    finally:
        os.close(fd)


def _found(store: MarkdownEntries) -> Iterator[_File]:
    """Yield the entry files in load order, links left out."""
    cut = len(str(store.root)) + 1
    for place, folder in store.folders():
        with contextlib.suppress(OSError), os.scandir(folder) as items:
            for item in sorted(items, key=attrgetter("name")):
                if is_entry_name(item.name) and item.is_file(follow_symlinks=False):
                    name = item.path[cut:].replace(os.sep, "/")
                    yield _File(place, item.path, name, _stamp(item.stat(follow_symlinks=False)))


def _stamp(info: os.stat_result) -> str:
    return f"{info.st_mtime_ns}.{info.st_size}.{info.st_ino}"
