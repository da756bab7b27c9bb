"""The files as the user sees them: open buffers laid over the disk.

A file is read again only when its size, times or inode changed, so asking twice is cheap and
nothing stale is served: the key is taken from the file system on every call. Two writes within
one tick of the file system's clock leave the same key, so a file that was read right after a
write is read once more until the clock has moved on (as git does with its index).
"""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

from agent_memory.fs.reader import Failure, FileText, read_file

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Key = tuple[int, int, int, int, bool]

_TICK = 50_000_000
_COARSE_TICK = 2_000_000_000
"""Nanoseconds: what a file system's clock may be behind; FAT and some network mounts count in
whole seconds."""


class Store:
    """Reads files, each at most once per change. Not thread-safe: one store per thread."""

    def __init__(self) -> None:
        self._cache: dict[Path, tuple[Key, bool, FileText]] = {}
        self._overlays: dict[Path, Callable[[], FileText]] = {}
        self._folders: dict[Path, tuple[Key, frozenset[str]]] = {}

    def read(self, path: Path) -> FileText:
        """Return the open buffer of ``path``, else what is on disk. Never raises."""
        overlay = self._overlays.get(path)
        return overlay() if overlay else self.saved(path)

    def saved(self, path: Path) -> FileText:
        """Return what is on disk, whatever is open. Never raises."""
        key = _key(path)
        if key is None:
            self._cache.pop(path, None)
            if not os.path.lexists(path):  # asked for often: no need to try to open it
                return FileText(path, failure=Failure.MISSING)
            return read_file(path)
        known = self._cache.get(path)
        if known and known[0] == key and known[1]:
            return known[2]
        settled = _settled(key)
        content = read_file(path)
        if known and known[2] == content:
            content = known[2]  # what callers have worked out about this object stays
        self._cache[path] = (key, settled, content)
        return content

    def on_disk(self) -> Store:
        """Return the same files without the open buffers; what was read is shared."""
        disk = Store()
        disk._cache, disk._folders = self._cache, self._folders
        return disk

    def names(self, folder: Path) -> frozenset[str]:
        """Return the names in ``folder`` as they are written; none where it cannot be listed."""
        key = _key(folder)
        known = self._folders.get(folder)
        if key and known and known[0] == key:
            return known[1]
        settled = key is not None and _settled(key)
        try:
            with os.scandir(folder) as entries:
                names = frozenset(entry.name for entry in entries)
        except (OSError, ValueError):
            return frozenset()
        if key and settled:
            self._folders[folder] = (key, names)
        return names

    def overlay(self, path: Path, read: Callable[[], FileText]) -> None:
        """Let ``read`` answer for ``path`` until :meth:`uncover`: its buffer is open."""
        self._overlays[path] = read

    def uncover(self, path: Path) -> None:
        """Let the disk answer for ``path`` again."""
        self._overlays.pop(path, None)

    def is_open(self, path: Path) -> bool:
        """Whether a buffer answers for ``path``."""
        return path in self._overlays

    def forget(self, path: Path) -> None:
        """Drop what is known of ``path``."""
        self._cache.pop(path, None)


def _key(path: Path) -> Key | None:
    try:
        info, link = path.stat(), path.is_symlink()
    except (OSError, ValueError):  # ValueError: a NUL in the name
        return None
    times = (info.st_mtime_ns, info.st_ctime_ns)
    return (info.st_ino, info.st_size, *times, link)


def _settled(key: Key) -> bool:
    """Whether a write from now on would change ``key``."""
    newest = max(key[2], key[3])
    tick = _TICK if newest % 1_000_000_000 else _COARSE_TICK
    return time.time_ns() - newest > tick
