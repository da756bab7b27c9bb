"""One writer at a time: an advisory lock in the folder of the files it protects.

The operating system releases the lock when its holder dies, so a killed process never blocks the
next one, even if its lock file stays. Who releases the lock removes the file. A waiter that then
holds the lock of a removed file starts again.
"""

from __future__ import annotations

import contextlib
import errno
import os
import sys
import time
from typing import TYPE_CHECKING

from agent_memory.fs.write_errors import lock_is_closed, lock_is_link, locked_too_long

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.fs.folder import Folder

LOCK_NAME = ".agent-memory.lock"
WAIT_SECONDS = 30.0
_POLL_SECONDS = 0.003
"""Pause between two attempts to lock."""


@contextlib.contextmanager
def locked(folder: Folder, wait: float = WAIT_SECONDS) -> Iterator[None]:
    """Hold the lock of ``folder``; wait up to ``wait`` seconds for it.

    Raises:
        UsageError: another program holds it longer than that, a symlink has its name, or it is
            the file of another user.
        OSError: the lock file cannot be opened or locked, such as without permission for the
            folder or on a file system without locks.

    """
    fd = _acquire(folder, wait)
    try:
        yield
    finally:
        _release(folder, fd)


def _acquire(folder: Folder, wait: float) -> int:
    """Lock the lock file of ``folder`` and return its descriptor; wait up to ``wait`` seconds.

    Raises:
        UsageError, OSError: as for :func:`locked`.

    """
    end = time.monotonic() + wait
    while True:
        fd = _open(folder)
        try:
            is_locked = _lock_until(end, fd)
            is_current = _is_current_lock(folder, fd)
        except BaseException:  # no locks on a network file system (ENOLCK), or an interrupt
            os.close(fd)
            raise
        if is_locked and is_current:
            return fd
        os.close(fd)
        if not is_locked:
            raise locked_too_long(folder.path, wait, LOCK_NAME)
        # Its last holder has removed this file: lock the new one.


def _lock_until(end: float, fd: int) -> bool:
    """Lock the file ``fd``; return False if another process has the lock until ``end``.

    ``end`` is a time of the monotonic clock, in seconds.
    """
    while not _try_lock(fd):
        if time.monotonic() > end:
            return False
        time.sleep(_POLL_SECONDS)
    return True


def _open(folder: Folder) -> int:
    """Open the lock file of ``folder`` and return its descriptor; create the file if it is missing.

    A symlink of its name is not followed.

    Raises:
        UsageError: a symlink has its name, or it exists and may not be opened.
        OSError: it cannot be opened for another reason, or not be created.

    """
    try:
        # Before the opening too, because Windows has no O_NOFOLLOW.
        if os.path.islink(folder.path / LOCK_NAME):  # noqa: PTH114 -- may raise
            raise lock_is_link(folder.path / LOCK_NAME)
        flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NONBLOCK", 0)  # a FIFO must not block
        return folder.open(LOCK_NAME, flags, 0o600)  # others cannot open it, so not lock it
    except OSError as error:
        if error.errno == errno.ELOOP:  # a symlink since the check
            raise lock_is_link(folder.path / LOCK_NAME) from error
        if isinstance(error, PermissionError) and folder.has(LOCK_NAME):
            raise lock_is_closed(folder.path / LOCK_NAME) from error
        raise


def _is_current_lock(folder: Folder, fd: int) -> bool:
    """Whether the open file ``fd`` still is the lock file of ``folder``: it was not removed."""
    try:
        return os.path.samestat(os.fstat(fd), folder.stat(LOCK_NAME))
    except OSError:
        return False


if sys.platform == "win32":
    import msvcrt

    def _try_lock(fd: int) -> bool:
        """Lock the file ``fd`` without waiting; return False if another process has the lock."""
        try:
            msvcrt.locking(fd, msvcrt.LK_NBLCK, 1)  # Windows locks bytes: here the first one
        except OSError:
            return False
        return True

    def _release(folder: Folder, fd: int) -> None:
        """Unlock and close the file ``fd``, and remove the lock file of ``folder``."""
        msvcrt.locking(fd, msvcrt.LK_UNLCK, 1)
        os.close(fd)  # before the removal: Windows does not remove an open file
        with contextlib.suppress(OSError):  # a waiting program has it open
            folder.unlink(LOCK_NAME)

else:
    import fcntl

    def _try_lock(fd: int) -> bool:
        """Lock the file ``fd`` without waiting; return False if another process has the lock."""
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def _release(folder: Folder, fd: int) -> None:
        """Remove the lock file of ``folder``, and unlock the file ``fd`` by closing it."""
        # In this order: once closed, the file may be the lock that a waiting program holds.
        with contextlib.suppress(OSError):  # a file that stays blocks nobody
            folder.unlink(LOCK_NAME)
        os.close(fd)
