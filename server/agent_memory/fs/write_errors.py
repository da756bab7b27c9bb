"""The messages of writes that fail: the file, the reason and the next step."""

from __future__ import annotations

import errno
import os
from typing import TYPE_CHECKING

from agent_memory.base.errors import UsageError
from agent_memory.fs.reader import Failure
from agent_memory.fs.write_roots import real_path
from agent_memory.l10n import t

if TYPE_CHECKING:
    from pathlib import Path

    from agent_memory.fs.reader import FileText


def not_written(path: Path, error: OSError, *, follow: bool = True) -> UsageError:
    """Return the error for a write of ``path`` that failed with ``error``.

    ``follow``: the file that a symlink ``path`` leads to was to be written, not the link itself.
    """
    return UsageError(_reason(path, error, follow=follow))


def ensure_writable(path: Path, content: FileText, mode: int) -> None:
    """Raise an error unless ``path`` may be replaced or is missing.

    ``content`` is that of the file. ``mode`` has its permission bits; it counts only if the file
    could be read.

    Raises:
        UsageError: it is not UTF-8, cannot be read for another reason such as its size, or is
            marked as read-only.

    """
    if content.failure is Failure.UNDECODABLE:
        raise UsageError(
            t(
                "{0}: not UTF-8 from byte {1} on, so the file was not changed. "
                "Save it as UTF-8 first",
                path,
                content.bad_offset,
            )
        )
    if content.failure and content.failure is not Failure.MISSING:
        why = content.failure.words
        raise UsageError(t("{0}: cannot be read ({1}), so the file was not changed", path, why))
    if content.ok and not mode & 0o222:  # nobody may write
        raise UsageError(
            t(
                "{0}: the file is marked as read-only, so it was not changed. "
                "Make it writable, or choose another scope",
                path,
            )
        )


def rewritten_too_often(path: Path, attempts: int) -> UsageError:
    """Return the error for a file that another program rewrites all the time."""
    return UsageError(
        t(
            "{0}: another program rewrote the file {1} times in a row, so nothing was written. "
            "Stop that program and try again",
            path,
            attempts,
        )
    )


def locked_too_long(folder: Path, seconds: float, lock_name: str) -> UsageError:
    """Return the error for a lock that another program holds."""
    return UsageError(
        t(
            "{0}: another program has been writing here for {1:g} seconds, so nothing was changed. "
            "Try again, or end the program that holds {2}",
            folder,
            seconds,
            lock_name,
        )
    )


def lock_is_link(path: Path) -> UsageError:
    """Return the error for a symlink in place of the lock file."""
    return UsageError(
        t("{0} is a link, but a lock file is needed, so nothing was written. Remove the link", path)
    )


def lock_is_closed(path: Path) -> UsageError:
    """Return the error for a lock file that this user may not open."""
    return UsageError(
        t(
            "{0}: no permission to open this lock file, so nothing was written. Another user may "
            "be writing here. Try again later, or remove the file",
            path,
        )
    )


def temp_is_taken(path: Path, temp: Path) -> UsageError:
    """Return the error for the file ``temp``, which another program has created meanwhile."""
    return UsageError(
        t(
            "{0}: not written, because another program has created the temporary file {1}. "
            "Try again",
            path,
            temp,
        )
    )


def _reason(path: Path, error: OSError, *, follow: bool) -> str:
    """Return the message of :func:`not_written`."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return t("{0}: not written, because the disk is full. Free some space and try again", path)
    if error.errno == errno.EROFS:
        return t(
            "{0}: not written, because the file system is read-only. "
            "Choose another scope or location",
            path,
        )
    if isinstance(error, PermissionError):
        return t(
            "{0}: not written, because there is no permission to write in {1}. "
            "Make the folder writable, or choose another scope",
            path,
            _folder_written_to(path, follow=follow),
        )
    if isinstance(error, NotADirectoryError | FileExistsError):  # a folder of `path` is a file
        return t(
            "{0}: not written, because {1} is a file and a folder is needed. Rename that file",
            path,
            error.filename,
        )
    return t("{0}: not written ({1})", path, error.strerror or error)


def _folder_written_to(path: Path, *, follow: bool) -> Path:
    """Return the existing folder in which a write of ``path`` creates a file or a folder.

    Missing folders above the file are created in the innermost existing one.
    """
    folder = real_path(path).parent if follow else real_path(path.parent)
    while not os.path.isdir(folder) and folder != folder.parent:  # noqa: PTH112 -- may raise
        folder = folder.parent
    return folder
