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

_AT_FDCWD = -100
_RENAME_EXCHANGE = 2
_NOT_SUPPORTED = (errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EPERM)


def exchange(new: Path, path: Path) -> bool:
    """Exchange the files ``path`` and ``new``; False if the system cannot do it.

    Raises:
        OSError: one of them is missing, or the disk failed.

    """
    call = _renameat2()
    if call is None:
        return False
    names = os.fsencode(new), os.fsencode(path)
    if call(_AT_FDCWD, names[0], _AT_FDCWD, names[1], _RENAME_EXCHANGE) == 0:
        return True
    code = ctypes.get_errno()
    if code in _NOT_SUPPORTED:
        return False
    raise OSError(code, os.strerror(code), str(path))


def place_new(new: Path, path: Path) -> bool:
    """Rename ``new`` to ``path`` if that does not exist; False if it does."""
    try:
        os.link(new, path)
    except FileExistsError:
        return False
    except (OSError, NotImplementedError):  # a file system without hard links
        if os.path.lexists(path):
            return False
        new.replace(path)
        return True
    new.unlink()
    return True


@cache
def _renameat2() -> Any:
    if sys.platform == "win32":
        return None
    return getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)
