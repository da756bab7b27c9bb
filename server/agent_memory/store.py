"""The files as the user sees them: open buffers laid over the disk.

A file is read again only when its size, times or inode changed, so asking twice is cheap and
nothing stale is served: the key is taken from the file system on every call.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.files import FileText, read_file

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Key = tuple[int, int, int, int]


class Store:
    """Reads files, each at most once per change. Not thread-safe: one store per thread."""

    def __init__(self) -> None:
        self._cache: dict[Path, tuple[Key, FileText]] = {}
        self._overlays: dict[Path, Callable[[], FileText]] = {}

    def read(self, path: Path) -> FileText:
        """Return the open buffer of ``path``, else what is on disk. Never raises."""
        overlay = self._overlays.get(path)
        return overlay() if overlay else self.saved(path)

    def saved(self, path: Path) -> FileText:
        """Return what is on disk, whatever is open. Never raises."""
        key = _key(path)
        if key is None:
            self._cache.pop(path, None)
            return read_file(path)
        known = self._cache.get(path)
        if known and known[0] == key:
            return known[1]
        content = read_file(path)
        self._cache[path] = (key, content)
        return content

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
        """Drop what is known of ``path``: two writes within one clock tick look the same."""
        self._cache.pop(path, None)


def _key(path: Path) -> Key | None:
    try:
        info = path.stat()
    except OSError:
        return None
    return (info.st_ino, info.st_size, info.st_mtime_ns, info.st_ctime_ns)
