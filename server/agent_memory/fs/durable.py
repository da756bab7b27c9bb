"""Operations that make a replaced file last and keep its owner and attributes, per platform."""

from __future__ import annotations

import contextlib
import os
import stat
import sys
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from agent_memory.fs.folder import Folder


def sync_file(folder: Folder, name: str) -> None:
    """Write the content of ``name`` to the disk, if the file still exists.

    Raises:
        OSError: the disk failed, or the file cannot be opened.

    """
    try:
        fd = folder.open(name, os.O_RDONLY)
    except FileNotFoundError:  # another program has moved it since
        return
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def has_other_names(path: Path) -> bool:
    """Whether ``path`` has further hard links, which keep the old content when it is replaced.

    False if the state of ``path`` cannot be read, as for a missing file.
    """
    try:
        return path.stat().st_nlink > 1
    except OSError:
        return False


def copy_extended_attributes(source: int, fd: int) -> None:
    """Copy the extended attributes of the open file ``source`` to the open file ``fd``.

    Extended attributes include access control lists. Those that the system does not allow to set
    are left out. Outside of Linux, Python cannot read any, and this does nothing.
    """
    if not hasattr(os, "listxattr"):
        return
    with contextlib.suppress(OSError):  # a file system without them
        for name in os.listxattr(source):
            with contextlib.suppress(OSError):  # some are the system's own
                os.setxattr(fd, name, os.getxattr(source, name))


if sys.platform == "win32":
    _ATTEMPTS = 50

    def replace(folder: Folder, temp: str, target: str) -> None:
        """Rename ``temp`` to ``target``; try again for 1 s while either is open elsewhere."""
        for _ in range(_ATTEMPTS):
            with contextlib.suppress(PermissionError):  # another program has it open
                folder.replace(temp, target)
                return
            time.sleep(0.02)
        folder.replace(temp, target)  # the last attempt raises its error

    def copy_owner_and_mode(source: int, fd: int) -> None:
        """Do nothing: a new file gets the permissions of its folder."""

else:

    def replace(folder: Folder, temp: str, target: str) -> None:
        """Rename ``temp`` to ``target``."""
        folder.replace(temp, target)

    def copy_owner_and_mode(source: int, fd: int) -> None:
        """Give the open file ``fd`` the mode of the open file ``source``, and its owner if allowed.

        The owner comes first, because a change of the owner clears bits of the mode (set-user-ID).
        """
        info = os.fstat(source)
        with contextlib.suppress(OSError):  # only the superuser may give files away
            os.fchown(fd, info.st_uid, info.st_gid)
        os.fchmod(fd, stat.S_IMODE(info.st_mode))
