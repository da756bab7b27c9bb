"""One writer at a time: an advisory lock beside the files it guards.

The operating system drops the lock when its holder dies, so a killed process never blocks the
next one; the file it may leave behind means nothing. The file is removed by whoever releases
the lock, and a waiter that then holds a removed file notices and starts again.
"""

from __future__ import annotations

import contextlib
import os
import sys
import time
from typing import TYPE_CHECKING

from agent_memory.base.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

LOCK_NAME = ".agent-memory.lock"
WAIT_SECONDS = 30.0
_POLL_SECONDS = 0.003


@contextlib.contextmanager
def locked(folder: Path, wait: float = WAIT_SECONDS) -> Iterator[None]:
    """Hold the lock of ``folder``, which must exist; wait up to ``wait`` seconds for it.

    Raises:
        UsageError: another program holds it for longer.
        OSError: the folder may not be written to.

    """
    path = folder / LOCK_NAME
    fd = _acquire(path, wait)
    try:
        yield
    finally:
        _release(path, fd)


def _acquire(path: Path, wait: float) -> int:
    end = time.monotonic() + wait
    while True:
        fd = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o600)
        while not _try_lock(fd):
            if time.monotonic() > end:
                os.close(fd)
                raise UsageError(
                    f"{path.parent}: another program has been writing here for {wait:g} seconds; "
                    f"nothing was changed. Try again, or end the program that holds {path.name}"
                )
            time.sleep(_POLL_SECONDS)
        if _is_at(path, fd):
            return fd
        os.close(fd)  # its last holder removed it: lock the one that is there now


def _is_at(path: Path, fd: int) -> bool:
    try:
        return os.path.samestat(os.fstat(fd), path.stat())
    except OSError:
        return False


if sys.platform == "win32":
    import msvcrt

    def _try_lock(fd: int) -> bool:
        try:
            msvcrt.locking(fd, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

    def _release(path: Path, fd: int) -> None:
        msvcrt.locking(fd, msvcrt.LK_UNLCK, 1)
        os.close(fd)
        with contextlib.suppress(OSError):  # another program waits with it open
            path.unlink()

else:
    import fcntl

    def _try_lock(fd: int) -> bool:
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def _release(path: Path, fd: int) -> None:
        with contextlib.suppress(OSError):
            path.unlink()
        os.close(fd)
