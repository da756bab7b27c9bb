"""One writer at a time: an advisory lock in the folder of the files it protects.

The operating system releases the lock when its holder dies, so a killed process never blocks the
next one, even if its lock file stays. Who releases the lock removes the file. A waiter that then
holds the lock of a removed file starts again.
"""

from __future__ import annotations

import contextlib
import os
import sys
import time
from typing import TYPE_CHECKING

from agent_memory.fs.write_errors import locked_too_long

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
        UsageError: another program holds it longer than that.
        OSError: there is no permission to write to the folder.

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
                raise locked_too_long(path.parent, wait, path.name)
            time.sleep(_POLL_SECONDS)
        if _is_at(path, fd):
            return fd
        os.close(fd)  # its last holder removed it: lock the new one


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
        with contextlib.suppress(OSError):  # a waiting program has it open
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
