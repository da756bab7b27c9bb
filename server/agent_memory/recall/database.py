"""The database of a search index: its path, its tables, opening it.

A damaged database, or one of another version, is deleted and created again.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import sqlite3
from typing import TYPE_CHECKING

from agent_memory.base.errors import UsageError
from agent_memory.fs.cache_folder import cache_folder
from agent_memory.l10n import t

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

VERSION = 3  # of the tables
WAIT_SECONDS = 60.0
"""Timeout for another process to finish writing; indexing 100,000 entries takes about 10."""
_BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
"""Codes for a lock of another connection."""
_OF_THE_MACHINE = (
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_NOMEM,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_CANTOPEN,
)
"""Codes for too little disk space, memory or permissions; the content is not damaged."""
_PRIMARY = 0xFF
"""The bits of the primary code in an extended one, such as SQLITE_BUSY_SNAPSHOT (517)."""
_TABLES = (
    """CREATE TABLE docs(
        id INTEGER PRIMARY KEY, path TEXT UNIQUE, ulid TEXT, scope TEXT, agent TEXT, run TEXT,
        kind TEXT, tags TEXT, changed INTEGER, length INTEGER, stamp TEXT, words TEXT, extra TEXT
    )""",
    """CREATE VIRTUAL TABLE found USING fts5(
        words, extra, content='docs', content_rowid='id', columnsize=0,
        tokenize='ascii'
    )""",
    "CREATE VIRTUAL TABLE posting USING fts5vocab(found, 'instance')",
    "INSERT INTO found(found, rank) VALUES ('hashsize', 67108864)",
    "CREATE TABLE vocab(id INTEGER PRIMARY KEY, term TEXT UNIQUE, stem TEXT, count INTEGER)",
    "CREATE INDEX by_stem ON vocab(stem)",
    "CREATE INDEX unused ON vocab(id) WHERE count <= 0",
    "CREATE TABLE gram(gram TEXT PRIMARY KEY, terms BLOB)",
)
"""``docs`` has a row for each file, ``found`` is the FTS5 index of its terms, ``posting`` lists
their occurrences. ``vocab`` has each term once, ``gram`` the numbers of the terms by trigram.
``hashsize`` lets FTS5 collect 64 MiB of terms in memory before it writes them.
"""


def index_path(root: Path, env: Mapping[str, str]) -> Path:
    """Return the path of the index for the store at ``root``; ``env`` names the cache folder."""
    name = hashlib.sha256(os.fsencode(root)).hexdigest()[:32]
    return cache_folder(env) / "recall" / f"{name}.sqlite3"


def connect(path: Path | None) -> sqlite3.Connection:
    """Return a connection to the database at ``path``, which is created if necessary.

    If ``path`` is None, it is in memory. A damaged file, or one of another version, is replaced by
    an empty database. The caller manages transactions.

    Raises:
        OSError, sqlite3.Error: it can be neither opened nor created.

    """
    if path is None:
        return _open(":memory:")
    create_private(path)
    try:
        return _open(path)
    except sqlite3.DatabaseError as error:
        if not is_damage(error):
            raise
        discard(path)
        create_private(path)
        return _open(path)


def create_private(path: Path) -> None:
    """Create the file ``path`` and its folder, readable only by the user: it will contain memory.

    An existing file or folder is left as it is. SQLite itself would create a file that others can
    read.

    Raises:
        OSError: they cannot be created.

    """
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))


def busy_error(error: sqlite3.Error, root: Path) -> UsageError | None:
    """Return the error to show if another process is writing the index of ``root``, else None."""
    if not _is_busy(error):
        return None
    return UsageError(
        t(
            "{0}: another program has been writing the search index for over {1:g} seconds. "
            "Try again, or end that program",
            root,
            WAIT_SECONDS,
        )
    )


def is_damage(error: Exception) -> bool:
    """Whether ``error`` means that the content of the database is unusable.

    A locked database, a full disk and the like are no damage: the content is usable later.
    """
    code = _primary_code(error)
    return code is not None and code not in (*_BUSY, *_OF_THE_MACHINE)


def discard(path: Path) -> None:
    """Delete the files of the database at ``path``; failures are ignored."""
    for suffix in ("", "-wal", "-shm"):
        with contextlib.suppress(OSError):
            path.with_name(path.name + suffix).unlink()


def _is_busy(error: Exception) -> bool:
    """Whether SQLite reports that another connection has the lock."""
    return _primary_code(error) in _BUSY


def _primary_code(error: Exception) -> int | None:
    """Return SQLite's primary error code of ``error``.

    None for an error that has no code: it is not an error of SQLite, or Python's module itself
    raised it, for example for a closed connection.
    """
    code = getattr(error, "sqlite_errorcode", None)
    return None if code is None else code & _PRIMARY


def _open(path: Path | str) -> sqlite3.Connection:
    """Return a connection to the database ``path``, in which all tables exist.

    Raises:
        sqlite3.DatabaseError: it is damaged or locked, or cannot be opened.
        OtherVersionError: another version of Agent Memory has written it.

    """
    # Not only this thread: the index of many files is written in another one.
    db = sqlite3.connect(path, timeout=WAIT_SECONDS, isolation_level=None, check_same_thread=False)
    try:
        _prepare(db)
    except sqlite3.DatabaseError:
        db.close()
        raise
    return db


def _prepare(db: sqlite3.Connection) -> None:
    """Set the options of ``db`` and create its tables in one transaction."""
    db.execute("PRAGMA synchronous = OFF")  # damage by a power cut is repaired by a rebuild
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA cache_size = -65536")  # 64 MiB: negative numbers are in KiB
    db.execute("BEGIN IMMEDIATE")
    try:
        _create_tables(db)
    except BaseException:
        db.execute("ROLLBACK")
        raise
    db.execute("COMMIT")


def _create_tables(db: sqlite3.Connection) -> None:
    """Create the tables and store their version, unless the database has them.

    Raises:
        OtherVersionError: it has those of another version.

    """
    (version,) = db.execute("PRAGMA user_version").fetchone()
    if version == VERSION:
        return
    if version:  # 0: the database is new
        raise OtherVersionError
    for statement in _TABLES:
        db.execute(statement)
    db.execute(f"PRAGMA user_version = {VERSION}")


class OtherVersionError(sqlite3.DatabaseError):
    """The index was created by another version of this package.

    With this code, :func:`is_damage` is true of it, so that the index is replaced.
    """

    sqlite_errorcode = sqlite3.SQLITE_MISMATCH
