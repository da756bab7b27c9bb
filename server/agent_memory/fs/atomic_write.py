"""Atomic writes of memory files that stay inside and never overwrite another program's work.

A write opens the folder of the file (:mod:`agent_memory.fs.folder`), takes its lock, reads the
file, calls the caller's function for the new text, writes it to a temporary file in the same
folder, syncs that, compares the target with the content that was read, and replaces the target. If
another program wrote in between, the change is applied again to the content it wrote. Mode, owner,
extended attributes, newlines and a byte order mark stay. If the target is a symlink, the file it
points to is written.
"""

from __future__ import annotations

import contextlib
import os
import time
from typing import TYPE_CHECKING

from agent_memory.fs import atomic_replace, durable
from agent_memory.fs.folder import opened
from agent_memory.fs.lock import WAIT_SECONDS, locked
from agent_memory.fs.reader import Failure, FileText
from agent_memory.fs.write_errors import (
    ensure_writable,
    not_written,
    rewritten_too_often,
    temp_is_taken,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from agent_memory.fs.folder import Folder
    from agent_memory.fs.write_roots import WriteRoots

    Change = Callable[[FileText], str]

TEMP_SUFFIX = ".agent-memory-tmp"
"""The temporary file of ``NAME`` is ``.NAME`` with this suffix."""
SETTLE_SECONDS = 0.06
"""Pause before a look whether another program has overwritten the file."""
_ATTEMPTS = 400
"""Attempts of one write while another program keeps writing the file."""
_EARLY_SYNCS = 3
"""Attempts that sync before the comparison. On a busy disk a sync takes longer than the pauses of a
program that saves all the time, so later attempts sync after the replacement."""
_RECENT_SECONDS = 2.0
"""A file that was written later than this before an update is checked again after it."""


def update(path: Path, change: Change, roots: WriteRoots, *, wait: float | None = None) -> str:
    """Replace the content of ``path`` by the result of ``change``; return the new text.

    ``change`` is called with the content, and again if another program wrote in between. It must
    be idempotent. If it returns the text of the content, nothing is written. If the file is
    missing, the ``failure`` of the content says so, and the file and its folders are created.
    ``wait`` is the timeout for the lock in seconds, None for ``WAIT_SECONDS``.

    Raises:
        UsageError: the file is not in ``roots`` or cannot be written; the message names the file,
            the reason and the next step. The file is unchanged, unless the disk failed after the
            replacement.

    """
    try:
        with opened(path, roots, create=True) as (folder, name):
            return _locked_update(folder, name, change, wait)
    except OSError as error:
        raise not_written(path, error) from error


def update_and_settle(path: Path, change: Change, roots: WriteRoots) -> str:
    """Do as :func:`update`, and again while a program with an older copy overwrites the file.

    Such a program has read the file before and replaces it afterwards, without a lock. Only a
    file that was written in the last two seconds is checked, so a single write does not wait.

    Raises:
        UsageError: as for :func:`update`.

    """
    try:
        with opened(path, roots, create=True) as (folder, name):
            return _settled(folder, name, change)
    except OSError as error:
        raise not_written(path, error) from error


def _settled(folder: Folder, name: str, change: Change) -> str:
    """Update ``name``, again while a program overwrites it without the change; return the text.

    Only a file that was written shortly before the first update is checked. After ``_ATTEMPTS``
    further updates it may be without the change.
    """
    may_be_overwritten = _was_just_written(folder, name)  # before the update, which writes it
    text = _locked_update(folder, name, change)
    for _ in range(_ATTEMPTS if may_be_overwritten else 0):
        time.sleep(SETTLE_SECONDS)
        current = folder.read(name)
        if not current.ok or current.text == text:  # removed or unreadable, or not overwritten
            break
        if change(current) == current.text:  # another program wrote it, but with the change
            break
        text = _locked_update(folder, name, change)
    return text


def _locked_update(folder: Folder, name: str, change: Change, wait: float | None = None) -> str:
    """Do as :func:`update` in the open ``folder``; ``wait`` None stands for ``WAIT_SECONDS``."""
    with locked(folder, WAIT_SECONDS if wait is None else wait):
        return _update(folder, name, change)


def _update(folder: Folder, name: str, change: Change) -> str:
    """Do as :func:`update` in the open ``folder``, whose lock is held."""
    target = folder.path / name
    temp = f".{name}{TEMP_SUFFIX}"
    for attempt in range(_ATTEMPTS):  # again if another program wrote in between
        content = folder.read(name)
        # 0: the mode of a file that could not be read does not count.
        ensure_writable(target, content, _mode(folder, name) if content.ok else 0)
        sync_first = attempt < _EARLY_SYNCS
        text = change(content)
        if content.ok and text == content.text:  # nothing to write
            return text
        try:
            _write_temp(folder, temp, text, name, sync=sync_first)
            _step("compare")
            if _into_place(folder, temp, name, content, text):
                if not sync_first:
                    durable.sync_file(folder, name)
                folder.sync()
                return text
        finally:
            # After an exchange it is the replaced file; after a rename it does not exist.
            with contextlib.suppress(FileNotFoundError):
                folder.unlink(temp)
    raise rewritten_too_often(target, _ATTEMPTS)


def _into_place(folder: Folder, temp: str, name: str, expected: FileText, text: str) -> bool:
    """Replace ``name`` by ``temp``, which contains ``text``; return whether it was replaced.

    The file is not replaced if another program wrote or removed it: ``expected`` is the content
    that the change was computed from.
    """
    if not _has_same_content(folder.read(name), expected):
        return False
    _step("rename")
    if expected.failure is Failure.MISSING:
        return atomic_replace.place_new(folder, temp, name)
    try:
        exchanged = _exchange(folder, temp, name)
    except FileNotFoundError:  # another program has removed the file since the comparison
        return False
    if not exchanged:  # the system cannot do it: a write since the comparison would be lost
        durable.replace(folder, temp, name)
        return True
    _step("exchanged")
    if _has_same_content(folder.read(temp), expected):  # `temp` is now the file that was replaced
        return True
    _restore(folder, temp, name, text)  # another program wrote after the comparison
    return False


def _restore(folder: Folder, temp: str, name: str, text: str) -> None:
    """Exchange ``temp``, the replaced file of another program, with ``name``, our new file.

    ``text`` is that of our file.
    """
    _exchange(folder, temp, name)
    # Now `temp` is our file, unless the program wrote once more before this exchange. Then `temp`
    # is the newest file of that program, which must stay.
    if folder.read(temp).text != text:
        _exchange(folder, temp, name)


def _exchange(folder: Folder, one: str, other: str) -> bool:
    """Exchange two files in ``folder`` atomically; False if the system cannot do it."""
    return atomic_replace.exchange(folder.name_or_path(one), folder.name_or_path(other), folder.fd)


def _has_same_content(one: FileText, other: FileText) -> bool:
    """Whether both have the same content; their paths may differ."""
    return (one.failure, one.text, one.raw) == (other.failure, other.text, other.raw)


def _write_temp(folder: Folder, temp: str, text: str, name: str, *, sync: bool) -> None:
    """Write ``text`` to ``temp``, with the mode, owner and extended attributes of ``name``.

    ``sync``: the text is on the disk when this function returns.
    """
    with contextlib.suppress(FileNotFoundError):
        folder.unlink(temp)  # of a writer that was killed: no other one holds the lock
    # O_EXCL: never write through a link that another program has created meanwhile.
    try:
        fd = folder.open(temp, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
    except FileExistsError as error:
        raise temp_is_taken(folder.path / name, folder.path / temp) from error
    with os.fdopen(fd, "wb") as stream:
        _copy_attributes(folder, name, fd)
        _step("temp-created")
        stream.write(text.encode("utf-8"))
        stream.flush()
        _step("temp-written")
        if sync:
            os.fsync(fd)
    _step("temp-synced")


def _copy_attributes(folder: Folder, name: str, fd: int) -> None:
    """Give the open file ``fd`` the mode, owner and extended attributes of ``name``, if any."""
    try:
        # O_NONBLOCK: opening a FIFO of this name would wait for a writer.
        source = folder.open(name, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    except OSError:  # new, or removed since it was read: `_into_place` finds that
        return
    try:
        durable.copy_extended_attributes(source, fd)
        durable.copy_owner_and_mode(source, fd)
    finally:
        os.close(source)


def _mode(folder: Folder, name: str) -> int:
    """Return the mode of ``name``; that of a writable file if it is missing.

    The file may have been removed since it was read: the comparison before the replacement finds
    that.
    """
    try:
        return folder.stat(name).st_mode
    except FileNotFoundError:
        return 0o666


def _was_just_written(folder: Folder, name: str) -> bool:
    """Whether ``name`` was written recently, so another program may be about to write it too.

    False if the file is missing.
    """
    try:
        age = time.time() - folder.stat(name).st_mtime
    except OSError:
        return False
    return age < _RECENT_SECONDS


def _step(name: str) -> None:
    """Mark a point of a write. The fault tests kill the process at each of them."""
