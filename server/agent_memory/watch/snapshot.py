"""What the watched files are and hold at one moment, and which folders must be watched for it."""

from __future__ import annotations

import hashlib
import os
import stat
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from agent_memory.fs.reader import read_file

if TYPE_CHECKING:
    from pathlib import Path

SUFFIXES = frozenset({".md", ".toml", ".json", ".yaml", ".yml"})
"""What memory, skills, indexes and settings are written in."""
SKIPPED = frozenset({".git", "node_modules", "__pycache__", ".venv"})
FILES_MAX = 20_000
"""Files that are examined below memory folders; what a runtime reads is far less."""
DEPTH_MAX = 8
_FRESH = 2.0
"""Seconds during which a file's time may not show a second write (FAT counts in twos)."""

Key = tuple[int, int, int, int, int]


@dataclass(frozen=True, slots=True)
class Targets:
    """What to watch: folders with all below them, and single files, there or not."""

    folders: frozenset[Path] = frozenset()
    files: frozenset[Path] = frozenset()


@dataclass(slots=True)
class Scan:
    """The state of ``targets``: per path its stat key and a digest of what it is.

    ``watches`` are the folders whose events tell of changes here, True for all below them too,
    with the inode that was found: a folder that was made again is another one.
    """

    targets: Targets
    marks: dict[Path, tuple[Key, str]] = field(default_factory=dict)
    watches: dict[Path, tuple[bool, int]] = field(default_factory=dict)

    def changed(self, before: Scan) -> frozenset[Path]:
        """Return the paths whose state differs, of those that both scans look at."""
        paths = self.marks.keys() | before.marks.keys()
        if before.targets != self.targets:
            paths = self.marks.keys() & before.marks.keys()
        return frozenset(path for path in paths if self._digest(path) != before._digest(path))

    def differs(self, before: Scan) -> bool:
        """Whether anything changed."""
        return bool(self.changed(before))

    def _digest(self, path: Path) -> str:
        mark = self.marks.get(path)
        return mark[1] if mark else ""


def scan(targets: Targets, before: Scan | None) -> Scan:
    """Examine ``targets``; files whose key is that of ``before`` are not read again."""
    found = Scan(targets)
    known = before.marks if before else {}
    for folder in targets.folders:
        _watch_parent(found, folder)
        _walk(found, folder, known, 0, set())
    for path in targets.files:
        _watch_parent(found, path)
        _mark(found, path, known)
    return found


def _walk(
    found: Scan,
    folder: Path,
    known: dict[Path, tuple[Key, str]],
    depth: int,
    above: set[tuple[int, int]],
) -> None:
    """Mark the files below ``folder``; ``above`` are the folders around it, against loops."""
    try:
        info = folder.stat()
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError:
        return
    here = (info.st_dev, info.st_ino)
    if here in above or depth > DEPTH_MAX:
        return
    if depth == 0 or folder.is_symlink():
        _watch(found, folder, below=True)
    for entry in entries:
        path = folder / entry.name
        if len(found.marks) >= FILES_MAX:
            return
        if entry.name.startswith((".#", "#")):  # Emacs' locks and autosaves
            continue
        if _is_folder(entry):
            if entry.name not in SKIPPED:
                _walk(found, path, known, depth + 1, above | {here})
        elif path.suffix.lower() in SUFFIXES:
            _mark(found, path, known)


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:  # a link to itself
        return False


def _mark(found: Scan, path: Path, known: dict[Path, tuple[Key, str]]) -> None:
    """Note what ``path`` is and holds; nothing where it does not exist."""
    try:
        info = path.stat()
    except OSError as error:
        if os.path.islink(path):  # noqa: PTH114 -- is_symlink may raise
            found.marks[path] = ((0, 0, 0, 0, 0), f"broken link {error.errno}")
            _watch_target(found, path)
        return
    key = (info.st_ino, info.st_size, info.st_mtime_ns, info.st_ctime_ns, info.st_mode)
    old = known.get(path)
    fresh = time.time() - info.st_mtime < _FRESH
    if old and old[0] == key and not fresh:
        found.marks[path] = old
    else:
        found.marks[path] = (key, _digest(path, info))
    if path.is_symlink():
        _watch_target(found, path)


def _digest(path: Path, info: os.stat_result) -> str:
    if not stat.S_ISREG(info.st_mode):
        return f"mode {stat.S_IFMT(info.st_mode)}"
    content = read_file(path)
    if content.failure and not content.raw:
        return f"{content.failure} {info.st_size} {info.st_mtime_ns}"
    raw = content.raw or content.text.encode("utf-8", "surrogatepass")
    return hashlib.sha256(raw).hexdigest()


def _watch_target(found: Scan, path: Path) -> None:
    """Watch the folder in which the file stands that the link ``path`` leads to."""
    try:
        target = path.resolve()
    except (OSError, RuntimeError):
        return
    _watch(found, _existing(target.parent), below=False)


def _watch_parent(found: Scan, path: Path) -> None:
    """Watch the folder in which ``path`` appears and disappears."""
    _watch(found, _existing(path.parent), below=False)


def _existing(folder: Path) -> Path:
    while not os.path.isdir(folder) and folder != folder.parent:  # noqa: PTH112 -- is_dir may raise
        folder = folder.parent
    return folder


def _watch(found: Scan, folder: Path, *, below: bool) -> None:
    try:
        real = folder.resolve()
        inode = real.stat().st_ino
    except (OSError, RuntimeError):
        return
    if below and any(
        path.is_relative_to(real) and path != folder for path in found.targets.folders
    ):
        below = False  # a link upwards: everything below would be watched
    old = found.watches.get(real)
    found.watches[real] = (below or bool(old and old[0]), inode)
