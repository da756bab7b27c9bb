"""The database of a search index: where it is kept, its tables, and opening it.

A damaged or older one is thrown away and made again; where none can be kept, it is in memory.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import sqlite3
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from agent_memory.base.errors import UsageError
from agent_memory.l10n import t

if TYPE_CHECKING:
    from collections.abc import Mapping

VERSION = 1
WAIT_SECONDS = 60.0
"""How long another process may write: it indexes 100,000 entries in a tenth of that."""
_BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
_TABLES = (
    """CREATE TABLE docs(
        id INTEGER PRIMARY KEY, path TEXT UNIQUE, ulid TEXT, scope TEXT, agent TEXT, run TEXT,
        kind TEXT, tags TEXT, changed INTEGER, length INTEGER, stamp TEXT, words TEXT
    )""",
    """CREATE VIRTUAL TABLE found USING fts5(
        words, content='docs', content_rowid='id', columnsize=0, tokenize='ascii'
    )""",
    "CREATE VIRTUAL TABLE posting USING fts5vocab(found, 'instance')",
    "INSERT INTO found(found, rank) VALUES ('hashsize', 67108864)",
)


def cache_folder(env: Mapping[str, str]) -> Path:
    """Return the folder for what can be made again: below XDG_CACHE_HOME or its equal."""
    if env.get("XDG_CACHE_HOME"):
        return Path(env["XDG_CACHE_HOME"]) / "agent-memory"
    if sys.platform == "win32" and env.get("LOCALAPPDATA"):
        return Path(env["LOCALAPPDATA"]) / "agent-memory" / "cache"
    return Path(env.get("HOME") or Path.home()) / ".cache" / "agent-memory"


def index_path(root: Path, env: Mapping[str, str]) -> Path:
    """Return where the index of the store at ``root`` is kept."""
    name = hashlib.sha256(os.fsencode(root)).hexdigest()[:32]
    return cache_folder(env) / "recall" / f"{name}.sqlite3"


def connect(path: Path | None) -> sqlite3.Connection:
    """Return the database at ``path``, or one in memory (None: that is wanted).

    Transactions are begun and ended by the caller.
    """
    if path is not None:
        try:
            return _open_file(path)
        except (OSError, sqlite3.Error):  # no such place, or not ours: search without keeping
            pass
    return _prepared(_connect(":memory:"))


def busy(error: sqlite3.Error, path: Path) -> UsageError | None:
    """Return ``error`` in words if another process holds the index of the store at ``path``."""
    if error.sqlite_errorcode not in _BUSY:
        return None
    return UsageError(
        t(
            "{0}: another program has been writing its search index for {1:g} seconds. "
            "Try again, or end that program",
            path,
            WAIT_SECONDS,
        )
    )


def discard(path: Path) -> None:
    """Remove the files of the database at ``path``, as far as they may be removed."""
    for suffix in ("", "-wal", "-shm"):
        with contextlib.suppress(OSError):
            path.with_name(path.name + suffix).unlink()


def _open_file(path: Path) -> sqlite3.Connection:
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    if not path.exists():
        os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))
    db = _connect(path)
    try:
        return _prepared(db)
    except sqlite3.DatabaseError as error:
        db.close()
        if error.sqlite_errorcode in _BUSY:
            raise
        path.unlink()
        return _open_file(path)


def _connect(path: Path | str) -> sqlite3.Connection:
    return sqlite3.connect(
        path, timeout=WAIT_SECONDS, isolation_level=None, check_same_thread=False
    )


def _prepared(db: sqlite3.Connection) -> sqlite3.Connection:
    db.execute("PRAGMA synchronous = OFF")  # what a power cut damages is made again
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA cache_size = -65536")
    db.execute("BEGIN IMMEDIATE")
    try:
        _make_tables(db)
    except BaseException:
        db.execute("ROLLBACK")
        raise
    db.execute("COMMIT")
    return db


def _make_tables(db: sqlite3.Connection) -> None:
    (version,) = db.execute("PRAGMA user_version").fetchone()
    if version == VERSION:
        return
    if version:
        raise OlderIndexError
    for statement in _TABLES:
        db.execute(statement)
    db.execute(f"PRAGMA user_version = {VERSION}")


class OlderIndexError(sqlite3.DatabaseError):
    """The index was made by another version of this package."""

    sqlite_errorcode = sqlite3.SQLITE_MISMATCH
