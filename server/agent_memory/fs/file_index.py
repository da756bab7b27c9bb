"""Which files a project has: asked for single paths, and for all paths that end alike.

Listing a whole project is only done when a path that a memory file names is not there; the
listing is kept for a while that grows with what it cost.
"""

from __future__ import annotations

import os
import time
from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from agent_memory.fs.gitignore import Ignored

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

_MAX_FILES = 100_000
"""Files a listing may have. A larger project is not judged by endings of paths."""
_WALK_SECONDS = 2.0
_SECONDS = 3.0
_SKIPPED = frozenset(
    {".git", "node_modules", ".venv", "venv", "__pycache__", ".tox", ".mypy_cache"}
)
_listings: dict[Path, tuple[float, float, Listing | None]] = {}


@dataclass(frozen=True)
class Listing:
    """Every path of a project, with slashes, from its root."""

    files: frozenset[str]

    @cached_property
    def folders(self) -> frozenset[str]:
        """The folders of the files, without the root."""
        return frozenset(
            str(parent)
            for folder in {path.rpartition("/")[0] for path in self.files}
            for parent in (PurePosixPath(folder), *PurePosixPath(folder).parents)
        ) - {"."}

    @cached_property
    def by_name(self) -> Mapping[str, list[str]]:
        """The files and folders that have a name."""
        out: dict[str, list[str]] = defaultdict(list)
        for path in sorted(self.files | self.folders):
            out[path.rpartition("/")[2]].append(path)
        return out

    @cached_property
    def nearest(self) -> dict[str, str | None]:
        """A place to keep which of the files a path that is not there was meant as."""
        return {}

    def ending(self, tail: str) -> list[str]:
        """Return the files and folders whose path is ``tail`` or ends with ``/tail``."""
        named = self.by_name.get(tail.rpartition("/")[2], [])
        return [path for path in named if path == tail or path.endswith("/" + tail)]


class FileIndex:
    """The files below ``root``. What was asked once is kept for a few seconds of typing."""

    def __init__(self, root: Path, listing: Listing | None = None) -> None:
        self.root = root
        self.ignored = Ignored(root)
        self._given = listing
        self._known: dict[str, bool] = {}
        self._since = time.monotonic()

    def has(self, path: str) -> bool:
        """Whether ``path`` (with slashes, from the root) is a file or folder there."""
        now = time.monotonic()
        if now - self._since > _SECONDS:
            self._known.clear()
            self._since = now
        known = self._known.get(path)
        if known is None:
            given = self._given
            known = self._known[path] = (
                path in given.files or path in given.folders
                if given
                else os.path.lexists(self.root / path)
            )
        return known

    @property
    def listing(self) -> Listing | None:
        """All files; None where there are too many, or listing them takes too long."""
        return self._given or _listed(self.root)


def _listed(root: Path) -> Listing | None:
    known = _listings.get(root)
    now = time.monotonic()
    if known and now < known[0] + max(2.0, 50 * known[1]):
        return known[2]
    listing = _walk(root)
    cost = time.monotonic() - now
    _listings[root] = (now + cost, cost, listing)
    return listing


def _walk(root: Path) -> Listing | None:
    files: list[str] = []
    end = time.monotonic() + _WALK_SECONDS
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if name not in _SKIPPED]
        below = os.path.relpath(folder, root).replace(os.sep, "/")
        prefix = "" if below == "." else below + "/"
        files += [prefix + name for name in names]
        if len(files) > _MAX_FILES or time.monotonic() > end:
            return None
    return Listing(frozenset(files))


def know(root: Path, paths: Iterable[str]) -> FileIndex:
    """Return a tree that has exactly ``paths``, whatever is on disk."""
    return FileIndex(root, Listing(frozenset(paths)))
