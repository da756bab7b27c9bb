"""Operations that make a replaced file last and keep its owner, on each platform."""

from __future__ import annotations

import contextlib
import os
import stat
import sys
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def sync_file(path: Path) -> None:
    """Write the content of ``path`` to the disk, if the file still exists."""
    try:
        fd = os.open(path, os.O_RDONLY)
    except FileNotFoundError:  # another program has moved it since
        return
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


if sys.platform == "win32":
    _ATTEMPTS = 50

    def replace(temp: Path, target: Path) -> None:
        """Rename ``temp`` to ``target``; try again for 1 s while another program has it open."""
        for _ in range(_ATTEMPTS):
            with contextlib.suppress(PermissionError):
                temp.replace(target)
                return
            time.sleep(0.02)
        temp.replace(target)

    def copy_owner_and_mode(fd: int, target: Path) -> None:
        """Do nothing: a new file gets the permissions of its folder."""

    def sync_folder(folder: Path) -> None:
        """Do nothing: folders cannot be synced."""

else:

    def replace(temp: Path, target: Path) -> None:
        """Rename ``temp`` to ``target``."""
        temp.replace(target)

    def copy_owner_and_mode(fd: int, target: Path) -> None:
        """Give the open file ``fd`` the mode of ``target`` and, if permitted, its owner."""
        try:
            info = target.stat()
        except OSError:
            return
        with contextlib.suppress(OSError):  # only the superuser may give files away
            os.fchown(fd, info.st_uid, info.st_gid)
        os.fchmod(fd, stat.S_IMODE(info.st_mode))

    def sync_folder(folder: Path) -> None:
        """Make a rename in ``folder`` survive a power failure."""
        fd = os.open(folder, os.O_RDONLY)
        try:
            with contextlib.suppress(OSError):  # some network file systems cannot
                os.fsync(fd)
        finally:
            os.close(fd)
