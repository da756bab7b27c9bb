"""Replace a file without losing what another program has written there in between.

Linux exchanges the two files atomically, so the replaced one can still be compared. Other systems
can only replace it.
"""

from __future__ import annotations

import ctypes
import errno
import os
import sys
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

    from agent_memory.fs.folder import Folder

_AT_FDCWD = -100  # in place of the folder: relative paths begin at the working folder
_RENAME_EXCHANGE = 2  # the flag of renameat2 that exchanges two files
_NOT_SUPPORTED = (errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EPERM)
"""The kernel or the file system lacks the call, or a sandbox forbids it (EPERM)."""


def exchange(new: str | Path, path: str | Path, fd: int | None = None) -> bool:
    """Exchange the files ``path`` and ``new``; False if the system cannot do it.

    Relative paths begin at the open folder ``fd`` (None: at the working folder).

    Raises:
        OSError: one of them is missing, or the disk failed.

    """
    call = _renameat2()
    if call is None:
        return False
    folder = _AT_FDCWD if fd is None else fd
    if call(folder, os.fsencode(new), folder, os.fsencode(path), _RENAME_EXCHANGE) == 0:
        return True
    code = ctypes.get_errno()
    if code in _NOT_SUPPORTED:
        return False
    raise OSError(code, os.strerror(code), str(path))


def place_new(folder: Folder, new: str, path: str) -> bool:
    """Rename ``new`` in ``folder`` to ``path`` if that does not exist; False if it does.

    Raises:
        OSError: it cannot be renamed.

    """
    fd = folder.fd
    try:  # unlike a rename, a hard link never replaces a file
        os.link(folder.name_or_path(new), folder.name_or_path(path), src_dir_fd=fd, dst_dir_fd=fd)
    except FileExistsError:
        return False
    except (OSError, NotImplementedError):  # a file system or platform without such hard links
        if folder.has(path):  # one that is created after this look is replaced
            return False
        folder.replace(new, path)
        return True
    folder.unlink(new)  # the file has both names now
    return True


@cache
def _renameat2() -> Any:
    """Return the C function ``renameat2``; None if the system does not have it, as on macOS."""
    if sys.platform == "win32":
        return None
    return getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)
