"""Writing memory files: whole or not at all, and never over another program's work.

A write takes the folder's lock, reads, lets the caller make the new text, writes it to a
temporary file beside the target, syncs it, compares the target once more with what was read,
and puts the new file in its place. If another program wrote meanwhile, the change is made
again on what that program wrote. Mode, owner, newlines and a byte order mark stay; where the
target is a symlink, the file it points to is written.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from agent_memory.base.errors import UsageError
from agent_memory.fs import atomic_replace
from agent_memory.fs.lock import WAIT_SECONDS, locked
from agent_memory.fs.reader import Failure, FileText, read_file

if TYPE_CHECKING:
    from collections.abc import Callable

    Change = Callable[[FileText], str]

TEMP_SUFFIX = ".agent-memory-tmp"
SETTLE_SECONDS = 0.06
_ATTEMPTS = 400
_SYNCED_FIRST = 3
"""Attempts that sync before the comparison. On a busy disk that takes longer than a program that
saves all the time leaves us; later attempts are quick and sync what they have put in place."""
_RECENT_SECONDS = 2.0


def update(path: Path, change: Change, *, wait: float = WAIT_SECONDS) -> str:
    """Let ``change`` make the new text of ``path`` from its content; return the new text.

    ``change`` is called with the content (``failure`` is ``missing`` where there is no file,
    and then the file is made, its folder too) and again whenever another program wrote in
    between. It must be repeatable: applied to its own result it returns that result.

    Raises:
        UsageError: the file cannot be written; its message names the file, the reason and the
            next step. The file is then as it was.

    """
    target = Path(os.path.realpath(path))
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with locked(target.parent, wait):
            return _update(target, change)
    except OSError as error:
        raise refusal(path, error) from error


def update_and_settle(path: Path, change: Change) -> str:
    """As :func:`update`; then see that a program with an older copy did not write over it.

    Such a program has read the file before and replaces it afterwards, without a lock. Only
    files that were written in the last two seconds are watched, so a lone write waits for
    nothing. Where the file is still what was written, ``change`` is not asked again.

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
    """Remove the file ``path`` under its folder's lock; return whether it was there.

    Raises:
        UsageError: it may not be removed.

    """
    try:
        with locked(path.parent, wait):
            path.unlink()
            sync_folder(path.parent)
    except FileNotFoundError:
        return False
    except OSError as error:
        raise refusal(path, error) from error
    return True


def _update(target: Path, change: Change) -> str:
    temp = target.with_name(f".{target.name}{TEMP_SUFFIX}")
    for attempt in range(_ATTEMPTS):
        content = _readable(target)
        early = attempt < _SYNCED_FIRST
        text = change(content)
        if content.ok and text == content.text:
            return text
        try:
            _write_temp(temp, text, target, sync=early)
            _step("compare")
            if _into_place(temp, target, content, text):
                if not early:
                    _sync_file(target)
                sync_folder(target.parent)
                return text
        finally:
            temp.unlink(missing_ok=True)
    raise UsageError(
        f"{target}: another program rewrote the file {_ATTEMPTS} times in a row; nothing of "
        "yours was written. Stop that program and try again"
    )


def _into_place(temp: Path, target: Path, expected: FileText, text: str) -> bool:
    """Put ``temp``, which holds ``text``, at ``target``; False if that is not ``expected``."""
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
        _replace(temp, target)
        return True
    _step("exchanged")
    if _same(read_file(temp), expected):
        return True
    # another program wrote between the comparison and the exchange: give its file back
    atomic_replace.exchange(temp, target)
    if read_file(temp).text != text:  # and once more since: the newest is the one that counts
        atomic_replace.exchange(temp, target)
    return False


def _same(one: FileText, other: FileText) -> bool:
    return (one.failure, one.text, one.raw) == (other.failure, other.text, other.raw)


def _write_temp(temp: Path, text: str, target: Path, *, sync: bool) -> None:
    """Write ``text`` to ``temp``, with the mode and owner of ``target``."""
    with contextlib.suppress(FileNotFoundError):
        temp.unlink()  # left by a writer that was killed: we hold the lock, so it is nobody's
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    fd = os.open(temp, flags, 0o666)
    with os.fdopen(fd, "wb") as stream:
        _keep_owner_and_mode(fd, target)
        _step("temp-made")
        stream.write(text.encode("utf-8"))
        stream.flush()
        _step("temp-written")
        if sync:
            os.fsync(fd)
    _step("temp-synced")


def _readable(target: Path) -> FileText:
    """Return the content of ``target`` if it may be replaced.

    Raises:
        UsageError: it is no text file, too large, or marked as read-only.

    """
    content = read_file(target)
    if content.failure is Failure.UNDECODABLE:
        raise UsageError(
            f"{target}: not UTF-8 from byte {content.bad_offset} on; it is left as it is. "
            "Save it as UTF-8 first"
        )
    if content.failure and content.failure is not Failure.MISSING:
        raise UsageError(f"{target}: cannot be read ({content.failure}); it is left as it is")
    if content.ok and not target.stat().st_mode & 0o222:
        raise UsageError(
            f"{target}: the file is marked as read-only; it is left as it is. "
            "Make it writable, or choose another scope"
        )
    return content


def _sync_file(path: Path) -> None:
    try:
        fd = os.open(path, os.O_RDONLY)
    except FileNotFoundError:  # another program has moved it since: what it did is its own
        return
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


if sys.platform == "win32":
    _REFUSALS = 50

    def _replace(temp: Path, target: Path) -> None:
        """Rename over ``target``; refused for as long as another program has it open."""
        for _ in range(_REFUSALS):
            with contextlib.suppress(PermissionError):
                temp.replace(target)
                return
            time.sleep(0.02)
        temp.replace(target)

    def _keep_owner_and_mode(fd: int, target: Path) -> None:
        """Do nothing: a new file gets the rights of its folder."""

    def sync_folder(folder: Path) -> None:
        """Do nothing: folders cannot be synced."""

else:

    def _replace(temp: Path, target: Path) -> None:
        temp.replace(target)

    def _keep_owner_and_mode(fd: int, target: Path) -> None:
        try:
            info = target.stat()
        except OSError:
            return
        with contextlib.suppress(OSError):  # only the superuser may give files away
            os.fchown(fd, info.st_uid, info.st_gid)
        os.fchmod(fd, stat.S_IMODE(info.st_mode))

    def sync_folder(folder: Path) -> None:
        """Make a rename in ``folder`` last through a power cut."""
        fd = os.open(folder, os.O_RDONLY)
        try:
            with contextlib.suppress(OSError):  # some network file systems cannot
                os.fsync(fd)
        finally:
            os.close(fd)


def refusal(path: Path, error: OSError) -> UsageError:
    """Return ``error`` as a message with the file, the reason and the next step."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        why = "the disk is full. Free some space and try again"
    elif error.errno == errno.EROFS:
        why = "the file system is read-only. Choose another scope or place"
    elif isinstance(error, PermissionError):
        why = (
            f"no permission to write in {path.parent}. Make the folder writable, or choose "
            "another scope"
        )
    elif isinstance(error, NotADirectoryError | FileExistsError):
        why = f"a file stands where a folder is needed ({error.filename})"
    else:
        why = error.strerror or str(error)
    return UsageError(f"{path}: not written, it is as it was: {why}")


def _is_busy(path: Path) -> bool:
    try:
        age = time.time() - path.stat().st_mtime
    except OSError:
        return False
    return age < _RECENT_SECONDS


def _step(name: str) -> None:
    """Mark a point of a write. The fault tests end the process at each of them."""
