"""A snapshot of the watched files, and the folders to watch for changes of them."""

from __future__ import annotations

import hashlib
import os
import stat
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from agent_memory.fs.reader import read_file

if TYPE_CHECKING:
    from pathlib import Path

SUFFIXES = frozenset({".md", ".toml", ".json", ".yaml", ".yml"})
"""Suffixes of memory, skills, indexes and settings."""
# Names of folders that have many files and no memory.
SKIPPED = frozenset({".git", "node_modules", "__pycache__", ".venv"})
FILES_MAX = 20_000
"""Files that are examined in all memory folders together; runtimes read far fewer."""
DEPTH_MAX = 8
"""Levels of folders below a folder of the targets that are examined."""
_LINKS_MAX = 40
"""Links on the way to a file that Linux follows."""
_FRESH = 2.0
"""Seconds in which a second write may leave the same file time (FAT counts in steps of 2 s)."""

Key = tuple[int, int, int, int, int]
"""Inode, size in bytes, time of the last write and of the last change of the inode (ns), mode."""


@dataclass(frozen=True, slots=True)
class Targets:
    """What to watch: folders with their contents, and single files, which may be missing."""

    folders: frozenset[Path] = frozenset()
    files: frozenset[Path] = frozenset()

    def cover(self, path: Path) -> bool:
        """Whether ``path`` is one of the files, or one of the folders or below it."""
        return path in self.files or any(path.is_relative_to(folder) for folder in self.folders)


class Mark(NamedTuple):
    """The state of a file.

    Each write changes ``key``, except possibly one within ``_FRESH`` seconds after another.
    """

    key: Key
    digest: str


class Watch(NamedTuple):
    """How a folder is watched, and which folder it is: one that is created again has a new inode.

    With ``below``, everything below the folder is watched, too.
    """

    below: bool
    inode: int


@dataclass(slots=True)
class Scan:
    """The state of ``targets``.

    ``marks`` are those of the existing files and of broken links, by path. ``watches`` are by
    folder. ``links`` are the names of the paths that links lead to: of further links on the way,
    and of the last target.
    """

    targets: Targets
    marks: dict[Path, Mark] = field(default_factory=dict)
    watches: dict[Path, Watch] = field(default_factory=dict)
    links: set[str] = field(default_factory=set)

    def changed(self, before: Scan) -> frozenset[Path]:
        """Return the paths whose content differs from ``before``, also created and deleted ones.

        If the targets differ, a path that only one scan covers does not count as changed.
        """
        paths = self.marks.keys() | before.marks.keys()
        differing = frozenset(path for path in paths if self._digest(path) != before._digest(path))
        if before.targets == self.targets:
            return differing
        return frozenset(
            path for path in differing if before.targets.cover(path) and self.targets.cover(path)
        )

    def differs(self, before: Scan) -> bool:
        """Whether any path has changed since ``before``."""
        return bool(self.changed(before))

    def _digest(self, path: Path) -> str:
        """Return the digest of ``path``, '' for a path that does not exist."""
        mark = self.marks.get(path)
        return mark.digest if mark else ""


def scan(targets: Targets, before: Scan | None) -> Scan:
    """Return the current state of ``targets``.

    Files with the same key as in ``before``, the last scan, are not read again unless they were
    written in the last ``_FRESH`` seconds.
    """
    result = Scan(targets)
    old_marks = before.marks if before else {}
    for folder in targets.folders:
        _watch_parent(result, folder)
        _walk(result, folder, old_marks, 0, set())
    for path in targets.files:
        _watch_parent(result, path)
        _mark(result, path, old_marks)
    return result


def _walk(
    result: Scan,
    folder: Path,
    old_marks: dict[Path, Mark],
    depth: int,
    above: set[tuple[int, int]],
) -> None:
    """Record the files below ``folder`` with a suffix in ``SUFFIXES``, and the folders to watch.

    Folders in ``SKIPPED``, Emacs' own files and everything beyond ``FILES_MAX`` or ``DEPTH_MAX``
    are left out. ``depth`` is 0 for a folder of the targets. ``above`` are (device, inode) of the
    folders above ``folder``, to detect loops. ``old_marks`` are those of the last scan.
    """
    _watch_links(result, folder)
    try:
        info = folder.stat()
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError:  # it does not exist or cannot be listed
        return
    here = (info.st_dev, info.st_ino)
    if here in above or depth > DEPTH_MAX:
        return
    if depth == 0 or folder.is_symlink():  # any other is watched with the folder above it
        _watch(result, folder, below=True)
    for entry in entries:
        path = folder / entry.name
        if len(result.marks) >= FILES_MAX:
            return
        if entry.name.startswith((".#", "#")):  # Emacs' locks and autosaves
            continue
        if _is_folder(entry):
            if entry.name not in SKIPPED:
                _walk(result, path, old_marks, depth + 1, above | {here})
        elif path.suffix.lower() in SUFFIXES:
            _mark(result, path, old_marks)


def _is_folder(entry: os.DirEntry[str]) -> bool:
    """Whether ``entry`` is a folder or a symlink to one."""
    try:
        return entry.is_dir()
    except OSError:  # a link to itself
        return False


def _mark(result: Scan, path: Path, old_marks: dict[Path, Mark]) -> None:
    """Record the state of ``path`` in ``result`` if it exists or is a broken link.

    The file is read unless its key is as in ``old_marks`` and its last write is long enough ago.
    """
    try:
        info = path.stat()
    except OSError as error:
        if os.path.islink(path):  # noqa: PTH114 -- is_symlink may raise
            result.marks[path] = Mark((0, 0, 0, 0, 0), f"broken link {error.errno}")
            _watch_links(result, path)
        return
    key = (info.st_ino, info.st_size, info.st_mtime_ns, info.st_ctime_ns, info.st_mode)
    old = old_marks.get(path)
    is_fresh = time.time() - info.st_mtime < _FRESH
    if old and old.key == key and not is_fresh:
        result.marks[path] = old
    else:
        result.marks[path] = Mark(key, _digest(path, info))
    _watch_links(result, path)


def _digest(path: Path, info: os.stat_result) -> str:
    """Return the SHA-256 of the content of the file ``path``, which has the stat ``info``.

    Without a content, return another text that changes if the path may have changed: the type of a
    path that is not a regular file; the failure, size and time of a file that cannot be read.
    """
    if not stat.S_ISREG(info.st_mode):
        return f"mode {stat.S_IFMT(info.st_mode)}"
    content = read_file(path)
    if content.failure and not content.raw:  # a file that is not UTF-8 has its bytes
        return f"{content.failure} {info.st_size} {info.st_mtime_ns}"
    raw = content.raw or content.text.encode("utf-8", "surrogatepass")
    return hashlib.sha256(raw).hexdigest()


def _watch_links(result: Scan, path: Path) -> None:
    """Add to ``result`` the folders that decide where ``path`` leads, if it is a link.

    For each link on the way these are the folder that the link points into, and the folder above
    it: the folder itself may be replaced.
    """
    for _ in range(_LINKS_MAX):
        try:
            path = path.parent / os.readlink(path)  # noqa: PTH115 -- text to join
        except OSError:  # not a link
            break
        result.links.add(path.name)
        folder = _existing(path.parent)
        _watch(result, folder, below=False)
        _watch(result, folder.parent, below=False)


def _watch_parent(result: Scan, path: Path) -> None:
    """Add to ``result`` the folder of ``path``, or the closest existing folder above, to watch."""
    _watch(result, _existing(path.parent), below=False)


def _existing(folder: Path) -> Path:
    """Return ``folder`` if it exists, else the closest existing folder above it."""
    while not os.path.isdir(folder) and folder != folder.parent:  # noqa: PTH112 -- is_dir may raise
        folder = folder.parent
    return folder


def _watch(result: Scan, folder: Path, *, below: bool) -> None:
    """Add ``folder``, with symlinks resolved, to the folders to watch.

    ``below``: also watch everything below it; a later call without ``below`` does not change that.
    Nothing is added if ``folder`` does not exist.
    """
    try:
        real = folder.resolve()
        inode = real.stat().st_ino
    except (OSError, RuntimeError):
        return
    if below and any(
        path.is_relative_to(real) and not path.is_relative_to(folder)
        for path in result.targets.folders
    ):
        below = False  # a link to a folder above a target: far more than memory is below it
    before = result.watches.get(real)
    was_below = before is not None and before.below
    result.watches[real] = Watch(below or was_below, inode)
