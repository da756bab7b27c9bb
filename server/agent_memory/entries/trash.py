"""The trash of a store of entries: what was forgotten can be restored.

Files are moved below ``<store>/.trash`` with the same path, where neither drover nor a search sees
them, and git ignores them. An entry that contains a secret is not put there but removed.
"""

from __future__ import annotations

import contextlib
import os
import time
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from agent_memory import secrets
from agent_memory.base.errors import UsageError
from agent_memory.base.ulid import new_ulid
from agent_memory.entries.validation import EntryError, check_id
from agent_memory.fs.atomic_write import update
from agent_memory.fs.rename import rename
from agent_memory.l10n import t

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from agent_memory.entries.entry_file import Entry
    from agent_memory.entries.store import EntryStore
    from agent_memory.fs.write_roots import WriteRoots

NAME = ".trash"
"""The folder of the trash in that of the store."""
_IGNORE = "*\n"
"""The content of the trash's .gitignore: a pattern for all files."""


class Trashed(NamedTuple):
    """An entry in the trash, and the time it was put there in milliseconds since the epoch."""

    entry: Entry
    at: int


class Trash:
    """The trash of ``store`` at ``root``; ``trash_store`` reads and writes the entries in it.

    Files are moved only within ``roots``.
    """

    def __init__(
        self, root: Path, store: EntryStore, trash_store: EntryStore, roots: WriteRoots
    ) -> None:
        self._root = root
        self._folder = root / NAME
        self._roots = roots
        self._store = store
        self._trash_store = trash_store

    def put(self, entries: Sequence[Entry]) -> None:
        """Move the files of ``entries`` to the trash; earlier versions in it are not overwritten.

        The file of an entry that contains a secret is removed instead. An entry without a file is
        skipped.

        Raises:
            UsageError: a file cannot be moved or removed.

        """
        unsafe = [entry for entry in entries if secrets.find(entry.text)]
        self._store.drop(unsafe)
        for entry in entries:
            if entry.path and entry not in unsafe:
                self._move(entry.path)

    def keep_version(self, entry: Entry) -> None:
        """Put a copy of ``entry``, which is about to be replaced, into the trash with a new ID.

        An entry that contains a secret is not copied.

        Raises:
            UsageError: the copy cannot be written.

        """
        if not secrets.find(entry.text):
            copy = replace(entry, id=new_ulid(int(time.time() * 1000)), path=None)
            self._trash_store.save(copy, old=[])
            self._write_gitignore()

    def entries(self) -> list[Trashed]:
        """Return the entries in the trash, the last one put there first.

        Of entries with the same time, the last one that the store loads comes first: it was the
        current one.
        """
        if self._folder.is_symlink():  # it could lead to files that were never put there
            return []
        trashed: list[tuple[int, Trashed]] = []  # with the time in nanoseconds
        for entry in self._trash_store.load():
            if entry.path:
                with contextlib.suppress(OSError):  # another process has removed it
                    time_ns = entry.path.stat().st_mtime_ns
                    trashed.append((time_ns, Trashed(entry, time_ns // 1_000_000)))
        trashed.sort(key=lambda timed: timed[0])
        return [item for _, item in reversed(trashed)]

    def restore(self, entry_id: str) -> Entry:
        """Move the entry ``entry_id`` back to the store and return it.

        If the trash has several entries with this ID, it is the last one that was put there.

        Raises:
            EntryError: the id is not a ULID, or the entry is not in the trash or contains a secret.
            UsageError: an entry with this id exists, or the file cannot be written.

        """
        check_id(entry_id)
        versions = [item.entry for item in self.entries() if item.entry.id == entry_id]
        if not versions:
            raise EntryError("not_found", f"no memory '{entry_id}' in the trash.")
        if self._store.with_id(entry_id):
            raise UsageError(
                t("The entry {0} exists. Remove it first, then restore the other one", entry_id)
            )
        latest = versions[0]
        if secrets.find(latest.text):
            raise EntryError("denied", f"'{entry_id}' contains a secret and was not restored.")
        entry = self._store.save(latest, old=[])
        self._trash_store.drop([latest])
        return entry

    def empty(self, before: int | None = None) -> int:
        """Delete the entries that were put into the trash before a time; return their number.

        ``before`` is the time in milliseconds since the epoch, None for all entries.

        Raises:
            UsageError: a file cannot be removed.

        """
        old = [item.entry for item in self.entries() if before is None or item.at < before]
        self._trash_store.drop(old)
        return len(old)

    def _move(self, path: Path) -> None:
        """Move the file ``path``, if it exists, to the trash.

        Its modification time becomes the current time, which :meth:`entries` reads as the time of
        :class:`Trashed`. If the trash has a file of its name already, it gets another name.

        Raises:
            UsageError: the file cannot be moved.

        """
        now = time.time_ns()
        target = self._folder / path.relative_to(self._root)
        if os.path.lexists(target):
            target = target.with_name(f"{new_ulid(now // 1_000_000)}.md")
        try:
            rename(path, target, self._roots)
            os.utime(target, ns=(now, now))
        except UsageError:
            if os.path.lexists(path):
                raise
            return  # another process removed it before the move
        except FileNotFoundError:  # another process removed it from the trash after the move
            return
        except OSError as error:
            raise UsageError(
                t("{0} cannot be moved to the trash: {1}", path, error.strerror or error)
            ) from error
        self._write_gitignore()

    def _write_gitignore(self) -> None:
        """Make git ignore the whole trash."""
        update(self._folder / ".gitignore", lambda _: _IGNORE, self._roots)
