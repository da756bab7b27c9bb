"""Files as the user sees them: open buffers take precedence over the disk.

A file is read again only if its size, times or inode have changed. They are read from the file
system on every call, so the content is never stale. Two writes within one tick of the file
system's clock leave the same times, so a file that was read right after a write is read again
until the clock has moved on (as git does with its index).
"""

from __future__ import annotations

import os
import stat
import time
from functools import partial
from typing import TYPE_CHECKING

from agent_memory.fs.reader import Failure, FileText, read_file

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Key = tuple[int, int, int, int, bool]

_TICK = 50_000_000
"""Nanoseconds, more than a tick of a usual clock."""
_COARSE_TICK = 2_000_000_000
"""Nanoseconds of a tick of FAT; some network mounts have one of a second."""


class Store:
    """Reads a file again only if it may have changed. Not thread-safe: use one store per thread.

    ``outside`` says which paths are hidden: their files cannot be read, their folders are empty.
    """

    def __init__(self, outside: Callable[[Path], bool] | None = None) -> None:
        self.outside = outside
        # By path: the key before the read, whether a later write would change it, the content.
        self._cache: dict[Path, tuple[Key, bool, FileText]] = {}
        self._overlays: dict[Path, Callable[[], FileText]] = {}  # each reads an open buffer
        # By folder: its key before the listing, and the names in it.
        self._folders: dict[Path, tuple[Key, frozenset[str]]] = {}

    def hide(self, outside: Callable[[Path], bool] | None) -> None:
        """Hide the paths for which ``outside`` is true from now on, also if they are cached.

        ``outside`` None hides nothing.
        """
        self.outside = outside
        self._cache.clear()
        self._folders.clear()

    def read(self, path: Path) -> FileText:
        """Return the open buffer of ``path``, or the file on disk if it has none. Never raises."""
        overlay = self._overlays.get(path)
        return overlay() if overlay else self.saved(path)

    def saved(self, path: Path) -> FileText:
        """Return the file on disk, even if a buffer is open. Never raises."""
        key = _key(path)
        if key is None:
            self._cache.pop(path, None)
            if not os.path.lexists(path):  # a frequent case: do not try to open it
                return FileText(path, failure=Failure.MISSING)
            return read_file(path)  # fails too, but says why: a broken symlink, for example
        cached = self._cache.get(path)
        if cached:
            cached_key, cached_is_settled, cached_content = cached
            if cached_key == key and cached_is_settled:
                return cached_content
        settled = _settled(key)  # before the read: a write during it must not be missed
        content = self._read(path)
        if cached and cached_content == content:
            content = cached_content  # keeps the results cached in this object
        self._cache[path] = (key, settled, content)
        return content

    def on_disk(self) -> Store:
        """Return a store without the open buffers; the cache of files is shared."""
        disk = Store(self.outside)
        disk._cache, disk._folders = self._cache, self._folders
        return disk

    def snapshot(self) -> Store:
        """Return a store for another thread, with the open buffers as they are now."""
        copy = Store(self.outside)
        copy._cache, copy._folders = dict(self._cache), dict(self._folders)
        for path, read in self._overlays.items():
            copy._overlays[path] = partial(_unchanged, read())
        return copy

    def names(self, folder: Path) -> frozenset[str]:
        """Return the names in ``folder``; none if it is hidden or cannot be listed."""
        key = _key(folder)
        cached = self._folders.get(folder)
        if key and cached:
            cached_key, cached_names = cached
            if cached_key == key:
                return cached_names
        if self.hides(folder):  # not before: it is slow, and no hidden folder is in the cache
            return frozenset()
        settled = key is not None and _settled(key)  # before the listing, as in `saved`
        try:
            with os.scandir(folder) as entries:
                names = frozenset(entry.name for entry in entries)
        except (OSError, ValueError):
            return frozenset()
        if key and settled:
            self._folders[folder] = (key, names)
        return names

    def hides(self, path: Path) -> bool:
        """Whether ``path`` leads to what must not be shown."""
        return self.outside is not None and self.outside(path)

    def _read(self, path: Path) -> FileText:
        """Return the file on disk, not cached; a hidden one has the failure ``OUTSIDE``."""
        # A path in a project that a symlink leads out of: `path` itself or a folder above it.
        if self.hides(path):
            return FileText(path, failure=Failure.OUTSIDE, symlink=True)
        return read_file(path)

    def overlay(self, path: Path, read: Callable[[], FileText]) -> None:
        """Use ``read`` as the open buffer of ``path`` until :meth:`uncover`."""
        self._overlays[path] = read

    def uncover(self, path: Path) -> None:
        """Remove the open buffer of ``path``."""
        self._overlays.pop(path, None)

    def is_open(self, path: Path) -> bool:
        """Whether ``path`` has an open buffer."""
        return path in self._overlays

    def forget(self, path: Path) -> None:
        """Remove ``path`` from the cache of files; the open buffer of ``path`` stays."""
        self._cache.pop(path, None)


def _unchanged(content: FileText) -> FileText:
    """Return ``content``: the buffer of a snapshot, which later edits do not change."""
    return content


def _key(path: Path) -> Key | None:
    """Return the cache key of ``path``, which changes when the file does.

    It is (inode, size in bytes, times of the last change of the content and of the state in
    nanoseconds, whether ``path`` itself is a symlink). None if these cannot be read: ``path`` is
    missing or a broken symlink, or there is no permission for its folder.
    """
    try:
        info = os.lstat(path)
        link = stat.S_ISLNK(info.st_mode)
        if link:
            info = os.stat(path)  # noqa: PTH116 -- a third of the time of Path.stat
    except (OSError, ValueError):  # ValueError: a NUL in the name
        return None
    times = (info.st_mtime_ns, info.st_ctime_ns)
    return (info.st_ino, info.st_size, *times, link)


def _settled(key: Key) -> bool:
    """Whether a later write would change ``key``: the clock has moved on since its times."""
    _, _, modified, changed, _ = key
    newest = max(modified, changed)  # nanoseconds
    # A time without a fraction of a second is probably one of a coarse clock.
    tick = _TICK if newest % 1_000_000_000 else _COARSE_TICK
    return time.time_ns() - newest > tick
