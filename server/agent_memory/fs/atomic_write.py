"""Atomic writes of memory files that never overwrite another program's work.

A write takes the folder's lock, reads the file, calls the caller's function for the new text,
writes it to a temporary file in the same folder, syncs that, compares the target with the content
that was read, and replaces the target. If another program wrote in between, the change is applied
again to the content it wrote. Mode, owner, newlines and a byte order mark stay. If the target is a
symlink, the file it points to is written.
"""

from __future__ import annotations

import contextlib
import os
import time
from pathlib import Path
from typing import TYPE_CHECKING

from agent_memory.fs import atomic_replace, durable
from agent_memory.fs.lock import WAIT_SECONDS, locked
from agent_memory.fs.reader import Failure, FileText, read_file
from agent_memory.fs.write_errors import ensure_writable, not_written, rewritten_too_often

if TYPE_CHECKING:
    from collections.abc import Callable

    Change = Callable[[FileText], str]

TEMP_SUFFIX = ".agent-memory-tmp"
SETTLE_SECONDS = 0.06
_ATTEMPTS = 400
_EARLY_SYNCS = 3
"""Attempts that sync before the comparison. On a busy disk a sync takes longer than the pauses of a
program that saves all the time, so later attempts sync after the replacement."""
_RECENT_SECONDS = 2.0


def update(path: Path, change: Change, *, wait: float = WAIT_SECONDS) -> str:
    """Replace the content of ``path`` by the result of ``change``; return the new text.

    ``change`` is called with the content, and again if another program wrote in between. It must
    be idempotent. If the file is missing, the ``failure`` of the content says so, and the file
    and its folders are created.

    Raises:
        UsageError: the file cannot be written; the message names the file, the reason and the
            next step. The file is unchanged.

    """
    target = Path(os.path.realpath(path))
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with locked(target.parent, wait):
            return _update(target, change)
    except OSError as error:
        raise not_written(path, error) from error


def update_and_settle(path: Path, change: Change) -> str:
    """Do as :func:`update`, then check that no program with an older copy has overwritten it.

    Such a program has read the file before and replaces it afterwards, without a lock. Only a
    file that was written in the last two seconds is checked, so a single write does not wait.

    Raises:
        UsageError: as for :func:`update`.

    """
    busy = _is_busy(path)
    text = update(path, change)
    for _ in range(_ATTEMPTS if busy else 0):
        time.sleep(SETTLE_SECONDS)
        now = read_file(path)
        if not now.ok or now.text == text or change(now) == now.text:
            break
        text = update(path, change)
    return text


def remove(path: Path, *, wait: float = WAIT_SECONDS) -> bool:
    """Remove the file ``path`` under its folder's lock; return whether it existed.

    Raises:
        UsageError: there is no permission to remove it.

    """
    try:
        with locked(path.parent, wait):
            path.unlink()
            durable.sync_folder(path.parent)
    except FileNotFoundError:
        return False
    except OSError as error:
        raise not_written(path, error) from error
    return True


def _update(target: Path, change: Change) -> str:
    temp = target.with_name(f".{target.name}{TEMP_SUFFIX}")
    for attempt in range(_ATTEMPTS):
        content = read_file(target)
        ensure_writable(target, content)
        early = attempt < _EARLY_SYNCS
        text = change(content)
        if content.ok and text == content.text:
            return text
        try:
            _write_temp(temp, text, target, sync=early)
            _step("compare")
            if _into_place(temp, target, content, text):
                if not early:
                    durable.sync_file(target)
                durable.sync_folder(target.parent)
                return text
        finally:
            temp.unlink(missing_ok=True)
    raise rewritten_too_often(target, _ATTEMPTS)


def _into_place(temp: Path, target: Path, expected: FileText, text: str) -> bool:
    """Replace ``target`` by ``temp``, which contains ``text``; False if it is not ``expected``."""
    if not _same(read_file(target), expected):
        return False
    _step("rename")
    if expected.failure is Failure.MISSING:
        return atomic_replace.place_new(temp, target)
    try:
        exchanged = atomic_replace.exchange(temp, target)
    except FileNotFoundError:
        return False
    if not exchanged:
        durable.replace(temp, target)
        return True
    _step("exchanged")
    if _same(read_file(temp), expected):
        return True
    # Another program wrote between the comparison and the exchange: restore its file.
    atomic_replace.exchange(temp, target)
    if read_file(temp).text != text:  # and again since: the newest one counts
        atomic_replace.exchange(temp, target)
    return False


def _same(one: FileText, other: FileText) -> bool:
    return (one.failure, one.text, one.raw) == (other.failure, other.text, other.raw)


def _write_temp(temp: Path, text: str, target: Path, *, sync: bool) -> None:
    """Write ``text`` to ``temp``, with the mode and owner of ``target``."""
    with contextlib.suppress(FileNotFoundError):
        temp.unlink()  # of a writer that was killed: this one holds the lock
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    fd = os.open(temp, flags, 0o666)
    with os.fdopen(fd, "wb") as stream:
        durable.copy_owner_and_mode(fd, target)
        _step("temp-created")
        stream.write(text.encode("utf-8"))
        stream.flush()
        _step("temp-written")
        if sync:
            os.fsync(fd)
    _step("temp-synced")


def _is_busy(path: Path) -> bool:
    try:
        age = time.time() - path.stat().st_mtime
    except OSError:
        return False
    return age < _RECENT_SECONDS


def _step(name: str) -> None:
    """Mark a point of a write. The fault tests kill the process at each of them."""
