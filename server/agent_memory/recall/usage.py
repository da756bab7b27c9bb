"""When each entry was last recalled: a small database per store in the user's cache folder.

It holds ids and times only. Searches in the editor do not count.
"""

from __future__ import annotations

import contextlib
import sqlite3
import time
from typing import TYPE_CHECKING, NamedTuple

from agent_memory.recall.database import create_private, discard, index_path, is_damage

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from agent_memory.recall.hits import SearchHit

_WAIT_SECONDS = 2.0
"""Timeout for another process to finish writing."""
_TABLES = (  # {0} is the current time
    "CREATE TABLE IF NOT EXISTS recalled(id TEXT PRIMARY KEY, last INTEGER, times INTEGER)",
    "CREATE TABLE IF NOT EXISTS since(at INTEGER)",
    "INSERT INTO since SELECT {0} WHERE NOT EXISTS (SELECT 1 FROM since)",
)
_RECORD = """
INSERT INTO recalled VALUES (?, ?, 1)
ON CONFLICT(id) DO UPDATE SET last = excluded.last, times = times + 1
"""


class Usage(NamedTuple):
    """When entries were recalled, in milliseconds since the epoch.

    ``since`` is when recording began; ``last`` has the last time of each id.
    """

    since: int
    last: Mapping[str, int]

    def last_used(self, entry_id: str, changed: int) -> int:
        """Return when the entry was last changed or recalled, at the earliest when recording began.

        Whether it was recalled before that is unknown, so it does not count as unused. ``changed``
        is the time of its last change. All times are in milliseconds since the epoch.
        """
        return max(changed, self.since, self.last.get(entry_id, 0))


def record(root: Path, env: Mapping[str, str], hits: Iterable[SearchHit]) -> None:
    """Record that the relevant ``hits`` were recalled now. If that fails, nothing is recorded."""
    now = _now()
    rows = [(hit.entry.id, now) for hit in hits if hit.relevant]
    if not rows:
        return
    with contextlib.suppress(OSError, sqlite3.Error), _opened(root, env) as db:
        db.executemany(_RECORD, rows)


def read(root: Path, env: Mapping[str, str]) -> Usage:
    """Return what was recorded for the store at ``root``; without a record, recording begins now.

    If the database cannot be used, the result is that of a recording that begins now.
    """
    try:
        with _opened(root, env) as db:
            (since,) = db.execute("SELECT at FROM since").fetchone()
            return Usage(since, dict(db.execute("SELECT id, last FROM recalled")))
    except (OSError, sqlite3.Error):
        return Usage(_now(), {})


@contextlib.contextmanager
def _opened(root: Path, env: Mapping[str, str]) -> Iterator[sqlite3.Connection]:
    """Yield the database in a transaction; create it if necessary, delete it if it is damaged.

    Raises:
        OSError, sqlite3.Error: it cannot be used; after its deletion, the next call creates it.

    """
    path = index_path(root, env).with_suffix(".usage.sqlite3")
    create_private(path)
    db = sqlite3.connect(path, timeout=_WAIT_SECONDS)
    try:
        with db:
            for statement in _TABLES:
                db.execute(statement.format(_now()))
            yield db
    except sqlite3.DatabaseError as error:
        if is_damage(error):
            discard(path)
        raise
    finally:
        db.close()


def _now() -> int:
    """Return the current time in milliseconds since the epoch."""
    return int(time.time() * 1000)
