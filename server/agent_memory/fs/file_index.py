"""The files of a project: whether a path exists, and which paths end alike.

The whole project is only listed if a path in a memory file does not exist. The listing is cached;
its time to live is proportional to the time it took.
"""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

from agent_memory.fs.deleted_files import NOTHING
from agent_memory.fs.gitignore import Ignored
from agent_memory.fs.listing import Listing

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from agent_memory.fs.deleted_files import Deleted, DeletedFiles

_MAX_FILES = 100_000
"""Files of a listing. A larger project has none."""
_MAX_LISTINGS = 16
"""Projects whose listing is cached."""
_MAX_DEPTH = 200
"""Folders inside each other. Deeper ones are not listed."""
_WALK_SECONDS = 2.0
"""A project that takes longer to list has no listing."""
_LOOKUP_SECONDS = 3.0
"""Time to live of the look-ups of single paths."""
_LISTING_SECONDS = 2.0
"""Least time to live of a listing."""
_LISTING_FACTOR = 50
"""Its time to live is so many times that of the walk: at most a fiftieth of the time is spent."""
_SKIPPED = frozenset(
    {".git", "node_modules", ".venv", "venv", "__pycache__", ".tox", ".mypy_cache"}
)
"""Folders that a listing leaves out: their files are not those of the project."""
_listings: dict[Path, tuple[float, float, Listing | None]] = {}
"""By root, the oldest first: when the listing ended, the seconds it took, and the listing.

A None is cached too: the project is too large, or listing it takes too long.
"""


class FileIndex:
    """The files below ``root``. Results are cached for a few seconds of typing.

    With a ``listing``, these are all files, and the disk is not read to find them. ``history``
    reads the files that git deleted.
    """

    def __init__(
        self, root: Path, listing: Listing | None = None, history: DeletedFiles | None = None
    ) -> None:
        self.root = root
        self._history = history
        self.ignored = Ignored(root)
        self._given = listing
        self._looked_up: dict[str, bool] = {}  # whether a path exists
        self._started = time.monotonic()  # none of these look-ups is older

    def has(self, path: str) -> bool:
        """Whether ``path`` (relative to the root, with slashes) exists; a broken symlink does."""
        now = time.monotonic()
        if now - self._started > _LOOKUP_SECONDS:
            self._looked_up.clear()
            self._started = now
        exists = self._looked_up.get(path)
        if exists is None:
            given = self._given
            if given:
                exists = path in given.files or path in given.folders
            else:
                exists = os.path.lexists(f"{self.root}/{path}")
            self._looked_up[path] = exists
        return exists

    def is_file(self, path: str) -> bool:
        """Whether ``path`` is a file of the listing; False if there is no listing."""
        return self.listing is not None and path in self.listing.files

    @property
    def deleted(self) -> Deleted:
        """The files that git deleted; none without a history."""
        return self._history.of(self.root) if self._history else NOTHING

    @property
    def listing(self) -> Listing | None:
        """The given listing, else the files on disk outside of ``_SKIPPED`` folders.

        None if they are too many or too slow to list.
        """
        return self._given or _listed(self.root)


def _listed(root: Path) -> Listing | None:
    """Return the listing of ``root`` by :func:`_walk`, which is cached until it is too old."""
    cached = _listings.get(root)
    now = time.monotonic()
    if cached:
        ended, seconds, listing = cached
        if now < _expiry(ended, seconds):
            return listing
    listing = _walk(root)
    seconds = time.monotonic() - now
    _listings.pop(root, None)  # so that the new one is the last: the first ones are dropped
    _listings[root] = (now + seconds, seconds, listing)
    for old in list(_listings)[:-_MAX_LISTINGS]:  # a copy, as other threads add and remove too
        _listings.pop(old, None)
    return listing


def seconds_until_newer(root: Path, since: float) -> float:
    """Return the seconds until a listing of ``root`` shows all that existed at ``since``.

    ``since`` is a time of ``time.monotonic``. 0.0 if the cached listing was started later or has
    expired, or if there is no cached listing.
    """
    cached = _listings.get(root)
    if cached is None:
        return 0.0
    ended, seconds, _ = cached
    is_newer = ended - seconds > since
    return 0.0 if is_newer else max(0.0, _expiry(ended, seconds) - time.monotonic())


def _expiry(ended: float, seconds: float) -> float:
    """Return when a listing that ended at ``ended`` and took ``seconds`` is too old."""
    return ended + max(_LISTING_SECONDS, _LISTING_FACTOR * seconds)


def _walk(root: Path) -> Listing | None:
    """Return the files below ``root``; None if there are too many or it takes too long.

    Those in ``_SKIPPED`` folders and in folders deeper than ``_MAX_DEPTH`` are left out.
    """
    files: list[str] = []
    end = time.monotonic() + _WALK_SECONDS
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if name not in _SKIPPED]
        below = os.path.relpath(folder, root).replace(os.sep, "/")
        if below.count("/") >= _MAX_DEPTH:  # before Python 3.12, os.walk recurses for each level
            folders.clear()
        prefix = "" if below == "." else below + "/"
        files += [prefix + name for name in names]
        if len(files) > _MAX_FILES or time.monotonic() > end:
            return None
    return Listing(frozenset(files))


def index_of(root: Path, paths: Iterable[str]) -> FileIndex:
    """Return an index of exactly ``paths``, without reading the disk."""
    return FileIndex(root, Listing(frozenset(paths)))
