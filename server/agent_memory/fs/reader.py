"""Read files without raising: each kind of failure has a name.

A memory file can be a folder, a FIFO, a symlink loop, a gigabyte or Latin-1. Runtimes treat each of
them in their own way, and the user must know how, so a read never raises: it returns a
:class:`FileText` whose ``failure`` says what is wrong.
"""

from __future__ import annotations

import errno
import os
import stat
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING

from agent_memory.base.memo import Memo
from agent_memory.base.text import split_lines
from agent_memory.base.unlocked_property import unlocked_property
from agent_memory.l10n import t

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from agent_memory.base.memo import P, T

SIZE_CAP = 16 * 1024 * 1024
"""Bytes; a larger file is not read, to limit the memory of the editor."""


class Failure(StrEnum):
    """Why a file has no text."""

    MISSING = "missing"
    DIRECTORY = "directory"
    SPECIAL = "special"  # a FIFO, socket or device: reading it could block
    LOOP = "symlink-loop"
    DENIED = "permission-denied"
    TOO_LARGE = "too-large"
    UNDECODABLE = "undecodable"
    IO = "io-error"
    OUTSIDE = "outside-of-the-project"  # hidden until the user trusts the workspace

    @property
    def words(self) -> str:
        """Its name in a message."""
        return t(self.value.replace("-", " "))


@dataclass(frozen=True)
class FileText:
    """A file's content. ``text`` has its newlines and BOM; it is empty if ``failure`` is set.

    ``size`` is in bytes. An undecodable file has its bytes in ``raw``, and ``bad_offset`` is the
    position of the first byte that is not UTF-8.
    """

    path: Path
    text: str = ""
    size: int = 0
    failure: Failure | None = None
    bad_offset: int = 0
    raw: bytes = b""
    symlink: bool = False

    @unlocked_property
    def lines(self) -> list[str]:
        """The text's lines, each with its ending."""
        return split_lines(self.text)

    @property
    def ok(self) -> bool:
        """Whether the text could be read."""
        return self.failure is None

    @cached_property
    def _memo(self) -> Memo:
        return Memo()

    def once(self, compute: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Return ``compute(*args, **kwargs)``; the result is cached with this text.

        The function is the cache key, so its result must depend on this text alone.
        """
        return self._memo.once(compute, *args, **kwargs)


def read_file(path: Path, *, cap: int = SIZE_CAP) -> FileText:
    """Read ``path`` as UTF-8. Never raises and never blocks; a file over ``cap`` bytes is not read.

    The file is opened first and examined through the descriptor, so that the examined file is the
    one that is read.
    """
    link = os.path.islink(path)  # noqa: PTH114 -- Path.is_symlink raises without permission
    try:
        fd = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        return FileText(path, failure=failure_of(path, error), symlink=link)
    return read_open(path, fd, cap=cap, link=link)


def read_open(path: Path, fd: int, *, cap: int = SIZE_CAP, link: bool = False) -> FileText:
    """Read the open file ``fd`` as the content of ``path``, as :func:`read_file`; close it."""
    try:
        info = os.fstat(fd)
        if stat.S_ISDIR(info.st_mode):
            return FileText(path, failure=Failure.DIRECTORY, symlink=link)
        if not stat.S_ISREG(info.st_mode):
            return FileText(path, failure=Failure.SPECIAL, symlink=link)
        with open(fd, "rb", closefd=False) as stream:
            raw = stream.read(cap + 1) if info.st_size <= cap else b""
    except OSError:
        return FileText(path, failure=Failure.IO, symlink=link)
    finally:
        os.close(fd)
    size = max(len(raw), info.st_size)
    if size > cap:
        return FileText(path, size=size, failure=Failure.TOO_LARGE, symlink=link)
    return decode(path, raw, symlink=link)


def decode(path: Path, raw: bytes, *, symlink: bool = False) -> FileText:
    """Return ``raw`` as the content of ``path``; undecodable if it is not UTF-8."""
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        return FileText(
            path,
            "",
            len(raw),
            Failure.UNDECODABLE,
            bad_offset=error.start,
            raw=raw,
            symlink=symlink,
        )
    return FileText(path, text, len(raw), symlink=symlink)


def failure_of(path: Path, error: OSError | ValueError) -> Failure:
    """Return why ``path`` could not be opened, from the ``error``."""
    if os.path.isdir(path):  # noqa: PTH112 -- Path.is_dir raises without permission
        return Failure.DIRECTORY
    if isinstance(error, PermissionError):
        return Failure.DENIED
    number = error.errno if isinstance(error, OSError) else errno.ENOENT
    if number in (errno.ENOENT, errno.ENOTDIR, errno.ENAMETOOLONG):
        return Failure.MISSING
    if number == errno.ELOOP:
        return Failure.LOOP
    if number == errno.ENXIO:  # a socket, or a FIFO without a writer
        return Failure.SPECIAL
    return Failure.IO
