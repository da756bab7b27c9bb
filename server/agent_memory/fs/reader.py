"""Read files without raising: each kind of failure has a name. No other module opens files to read.

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
_STEP = 1 << 20
"""Bytes of a read after the first one: the file is growing, or does not know its size."""
_FLAGS = (  # O_NONBLOCK: a FIFO that has replaced the file must not block
    os.O_RDONLY
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_NOCTTY", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_BINARY", 0)
)


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


class NotAFileError(OSError):
    """A path is not a regular file or cannot be opened; ``failure`` says why."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure)
        self.failure = failure


@dataclass(frozen=True)
class FileText:
    """A file's content. ``text`` has its newlines and BOM; it is empty if ``failure`` is set.

    ``size`` is in bytes. An undecodable file has its bytes in ``raw``, and ``bad_offset`` is the
    position of the first byte that is not UTF-8. ``symlink``: ``path`` itself is a symlink.
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
        """The text's lines, each with its newline; the last one may have none."""
        return split_lines(self.text)

    @unlocked_property
    def is_utf16(self) -> bool:
        """Whether the bytes are probably UTF-16, with or without a byte order mark.

        ASCII text in UTF-16 is valid UTF-8 as well: every second byte is a NUL.
        """
        if self.raw.startswith((b"\xff\xfe", b"\xfe\xff")):
            return True
        if "\0" not in self.text and b"\0" not in self.raw:
            return False
        raw = self.raw or self.text.encode("utf-8", "surrogatepass")
        few, many = sorted((raw[::2].count(0), raw[1::2].count(0)))
        # In UTF-16, the same one of the two bytes of each ASCII character is NUL. So it is in most
        # characters of most texts: in at least 3 of 4. The other byte is NUL in at most 1 of 4.
        return len(raw) % 2 == 0 and few * 8 <= len(raw) and many * 8 >= len(raw) * 3

    @property
    def ok(self) -> bool:
        """Whether the text could be read."""
        return self.failure is None

    @cached_property
    def _memo(self) -> Memo:
        """The results of :meth:`once`."""
        return Memo()

    def once(self, compute: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Return ``compute(*args, **kwargs)``; the first result is cached with this text.

        The function alone is the cache key, not its arguments, so its result must depend on this
        text only.
        """
        return self._memo.once(compute, *args, **kwargs)


def read_file(path: Path, *, cap: int = SIZE_CAP) -> FileText:
    """Read ``path`` as UTF-8. Never raises and never blocks.

    A file over ``cap`` bytes is not read.
    """
    link = os.path.islink(path)  # noqa: PTH114 -- Path.is_symlink raises without permission
    try:
        fd = open_regular(path)
    except NotAFileError as error:
        return FileText(path, failure=error.failure, symlink=link)
    return read_open(path, fd, cap=cap, link=link)


def read_open(path: Path, fd: int, *, cap: int = SIZE_CAP, link: bool = False) -> FileText:
    """Return the open file ``fd`` as the content of ``path``, as :func:`read_file` does; close it.

    ``link``: ``path`` itself is a symlink.
    """
    try:
        _ensure_regular(os.fstat(fd))
        raw, size = _read_all(fd, cap)
    except NotAFileError as error:
        return FileText(path, failure=error.failure, symlink=link)
    except OSError:
        return FileText(path, failure=Failure.IO, symlink=link)
    finally:
        os.close(fd)
    if size > cap:
        return FileText(path, size=size, failure=Failure.TOO_LARGE, symlink=link)
    return decode(path, raw, symlink=link)


def read_bytes(path: Path, *, cap: int = SIZE_CAP) -> bytes | None:
    """Return the bytes of ``path``; None if it cannot be read or has more than ``cap`` bytes."""
    content = read_file(path, cap=cap)
    if content.failure is Failure.UNDECODABLE:
        return content.raw
    return content.text.encode() if content.ok else None


def open_regular(path: Path | str, *, folder: int | None = None, follow: bool = True) -> int:
    """Return a descriptor of the regular file ``path``, opened for reading.

    Anything else is refused before it is opened, because opening a device can have an effect. The
    opened file is examined again, so a file that is exchanged in between is refused too.
    ``folder`` is the descriptor of the folder that ``path`` is relative to. Without ``follow``, a
    symlink is refused.

    Raises:
        NotAFileError: it is not a regular file, or cannot be opened.

    """
    flags = _FLAGS if follow else _FLAGS | getattr(os, "O_NOFOLLOW", 0)
    try:
        _ensure_regular(os.stat(path, dir_fd=folder, follow_symlinks=follow))
        fd = os.open(path, flags, dir_fd=folder)
    except NotAFileError:
        raise
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        raise NotAFileError(failure_of(error)) from None
    try:
        _ensure_regular(os.fstat(fd))
    except OSError:
        os.close(fd)
        raise
    return fd


def read_at_most(fd: int, most: int, expected: int) -> bytes:
    """Return up to ``most`` bytes of the open file ``fd``, which should have ``expected`` bytes.

    Raises:
        OSError: the file cannot be read, or has nothing to read yet.

    """
    parts: list[bytes] = []
    # One byte more: a file of unknown size (/proc) has 0, and a read of 0 bytes looks like the end.
    left, step = most, expected + 1
    while left:
        part = os.read(fd, min(left, step))
        if not part:  # the end of the file
            break
        parts.append(part)
        left -= len(part)
        step = _STEP
    return b"".join(parts)


def _read_all(fd: int, cap: int) -> tuple[bytes, int]:
    """Return the content of the open file ``fd`` and its size in bytes.

    If the size is over ``cap``, the content is cut off or empty.
    """
    size = os.fstat(fd).st_size
    raw = read_at_most(fd, cap + 1, size) if size <= cap else b""
    return raw, max(len(raw), size)  # the file may have grown since, or have no size (/proc)


def _ensure_regular(info: os.stat_result) -> None:
    """Raise ``NotAFileError`` unless ``info`` is of a regular file."""
    if stat.S_ISREG(info.st_mode):
        return
    if stat.S_ISDIR(info.st_mode):
        raise NotAFileError(Failure.DIRECTORY)
    # The state of a symlink is only read where symlinks must not be followed: it counts as a loop.
    raise NotAFileError(Failure.LOOP if stat.S_ISLNK(info.st_mode) else Failure.SPECIAL)


def decode(path: Path, raw: bytes, *, symlink: bool = False) -> FileText:
    """Return ``raw`` as the content of ``path``; undecodable if it is not UTF-8.

    ``symlink``: ``path`` itself is a symlink.
    """
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


def failure_of(error: OSError | ValueError) -> Failure:
    """Return why a path could not be opened, which raised ``error``.

    The error of a folder is not passed here: a folder is refused by its state, before it is opened.
    """
    if isinstance(error, PermissionError):
        return Failure.DENIED
    # A ValueError means a NUL in the name, which no file has.
    number = error.errno if isinstance(error, OSError) else errno.ENOENT
    # ENOTDIR: what should be a folder of the path is a file. ENAMETOOLONG: no file has such a name.
    if number in (errno.ENOENT, errno.ENOTDIR, errno.ENAMETOOLONG):
        return Failure.MISSING
    if number == errno.ENXIO:  # a socket, or a FIFO without a writer
        return Failure.SPECIAL
    return Failure.LOOP if number == errno.ELOOP else Failure.IO
