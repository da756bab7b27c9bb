"""An open folder, whose files are opened relative to it.

Between a check of a path and its use, another program can replace a folder by a symlink. A folder
is therefore opened component by component without following symlinks, and everything that a write
does happens in the opened folder. Windows has no such calls: there the path is checked again after
its folders were created.
"""

from __future__ import annotations

import contextlib
import errno
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from agent_memory.base.errors import UsageError
from agent_memory.fs.reader import FileText, NotAFileError, open_regular, read_open
from agent_memory.fs.write_roots import OutsideError, dangling
from agent_memory.l10n import t

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.fs.write_roots import Place, WriteRoots

RELATIVE = os.open in os.supports_dir_fd
"""Whether files can be opened relative to an open folder: not on Windows."""
NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0)
_CLOSED = getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
"""Closed in programs that this one starts; without conversion of newlines on Windows."""
_FOLDER = getattr(os, "O_DIRECTORY", 0) | NO_FOLLOW | _CLOSED
"""For each folder that is opened: it must not be a file or a symlink."""
_THROUGH = getattr(os, "O_PATH", os.O_RDONLY) | _FOLDER
"""For a folder on the way: it need not be readable."""
_ATTEMPTS = 100
"""Checks of a path whose folders another program keeps replacing."""


@dataclass(frozen=True, slots=True)
class Folder:
    """An open folder: its real ``path`` when it was opened, and its descriptor (Windows: None)."""

    path: Path
    fd: int | None

    def name_or_path(self, name: str) -> str | Path:
        """Return ``name`` for a call with ``dir_fd=self.fd``: the whole path if there is no fd."""
        return self.path / name if self.fd is None else name

    def open(self, name: str, flags: int, mode: int = 0o666) -> int:
        """Open ``name`` and return the descriptor; ``flags`` and ``mode`` are those of ``os.open``.

        Raises:
            OSError: it cannot be opened; ELOOP if it is a symlink (not on Windows).

        """
        return os.open(self.name_or_path(name), flags | NO_FOLLOW | _CLOSED, mode, dir_fd=self.fd)

    def read(self, name: str) -> FileText:
        """Return the content of ``name``. Never raises; a symlink is not followed."""
        path = self.path / name
        try:
            fd = open_regular(self.name_or_path(name), folder=self.fd, follow=False)
        except NotAFileError as error:
            return FileText(path, failure=error.failure)
        return read_open(path, fd)

    def stat(self, name: str) -> os.stat_result:
        """Return the state of ``name``; a symlink is not followed. ``OSError`` if it is missing."""
        return os.stat(self.name_or_path(name), dir_fd=self.fd, follow_symlinks=False)

    def has(self, name: str) -> bool:
        """Whether ``name`` exists; a broken symlink exists too. False if it cannot be read."""
        try:
            self.stat(name)
        except OSError:
            return False
        return True

    def unlink(self, name: str) -> None:
        """Remove the file ``name``."""
        os.unlink(self.name_or_path(name), dir_fd=self.fd)

    def replace(self, old: str, new: str, to: Folder | None = None) -> None:
        """Rename ``old`` to ``new``, in the folder ``to`` if given; replace an existing file."""
        to = to or self
        os.replace(
            self.name_or_path(old), to.name_or_path(new), src_dir_fd=self.fd, dst_dir_fd=to.fd
        )

    def sync(self) -> None:
        """Make a rename in this folder survive a power failure."""
        if self.fd is not None:  # Windows cannot sync a folder
            with contextlib.suppress(OSError):  # some network file systems cannot
                os.fsync(self.fd)


@contextlib.contextmanager
def opened(
    path: Path, roots: WriteRoots, *, create: bool = False, follow: bool = True
) -> Iterator[tuple[Folder, str]]:
    """Yield (the open folder of the real file of ``path``, the file's name in it).

    The file may be missing. ``create`` creates missing folders, but never those that a symlink
    leads to. Without ``follow``, a symlink in place of the file is not followed: it is itself the
    file, which is renamed or removed.

    Raises:
        OutsideError: the real path is not in ``roots``, or a symlink leads to a missing folder.
        UsageError: another program keeps replacing a folder.
        OSError: a folder cannot be opened or created.

    """
    folder, name = _checked_and_opened(path, roots, create=create, follow=follow)
    try:
        yield folder, name
    finally:
        if folder.fd is not None:
            os.close(folder.fd)


def _checked_and_opened(
    path: Path, roots: WriteRoots, *, create: bool, follow: bool
) -> tuple[Folder, str]:
    """Return what :func:`opened` yields, and raise its errors; the caller closes the folder.

    The path is checked again if another program replaces a folder of it in between.
    """
    for _ in range(_ATTEMPTS):  # until no folder is replaced between the check and the opening
        place = roots.place(path if follow else path.parent)
        target = place.path if follow else place.path / path.name
        # A link of a repository must not decide where folders are created.
        if create and place.linked and not target.parent.is_dir():
            raise OutsideError(dangling(path, place))
        with contextlib.suppress(_SwappedError):
            return _open(place, target.parent, create=create), target.name
    raise UsageError(
        t(
            "{0}: another program keeps replacing its folder, so nothing was written. Stop "
            "that program and try again",
            path,
        )
    )


class _SwappedError(Exception):
    """A folder was replaced by a symlink after the check of its path."""


def _open(place: Place, folder: Path, *, create: bool) -> Folder:
    """Open the real path ``folder`` from the root of ``place`` down; no symlink is followed.

    Raises:
        _SwappedError: a component below the root is a symlink now.
        OSError: a component cannot be opened or created.

    """
    if not RELATIVE:
        return _open_on_windows(folder, create=create)
    base = place.root  # the folder to begin at: the root, or if that is missing, one above it
    while create and not base.is_dir() and base != base.parent:
        base = base.parent
    names = folder.relative_to(base).parts
    # Of `base` and of each name below it: only the last folder is read.
    flags = [_THROUGH] * len(names) + [os.O_RDONLY | _FOLDER]
    fd = os.open(base, flags[0])
    opened_path = base  # the path of `fd`
    for name, flag in zip(names, flags[1:], strict=True):
        try:
            inner = _open_inner(fd, name, flag, create=create)
        except OSError as error:
            error.filename = str(opened_path / name)  # for the message: `name` alone is relative
            raise
        finally:
            os.close(fd)
        fd, opened_path = inner, opened_path / name
    return Folder(folder, fd)


def _open_on_windows(folder: Path, *, create: bool) -> Folder:
    """Return ``folder`` without a descriptor; ``create`` it if it is missing.

    Raises:
        _SwappedError: a component is a symlink now.
        OSError: it cannot be created.

    """
    if create:
        folder.mkdir(parents=True, exist_ok=True)
    if Path(os.path.realpath(folder)) != folder:
        raise _SwappedError
    return Folder(folder, None)


def _open_inner(fd: int, name: str, flags: int, *, create: bool) -> int:
    """Open the folder ``name`` in the open folder ``fd``; ``create`` it if it is missing.

    ``flags`` are those of ``os.open``.

    Raises:
        _SwappedError: it is a symlink.
        OSError: it cannot be opened or created.

    """
    try:
        return os.open(name, flags, dir_fd=fd)
    except FileNotFoundError:
        if not create:
            raise
        with contextlib.suppress(FileExistsError):  # another program has created it meanwhile
            os.mkdir(name, dir_fd=fd)
        return _open_inner(fd, name, flags, create=False)
    except OSError as error:
        # ENOTDIR is also the error for a file in place of the folder.
        if error.errno in (errno.ELOOP, errno.ENOTDIR) and _is_link(fd, name):
            raise _SwappedError from error
        raise


def _is_link(fd: int, name: str) -> bool:
    """Whether ``name`` in the folder ``fd`` is a symlink; False also if it is missing."""
    try:
        os.readlink(name, dir_fd=fd)
    except OSError:
        return False
    return True
