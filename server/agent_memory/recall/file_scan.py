"""Find and read the entry files of a store that are new or changed since the last scan."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from agent_memory.base.failures import log_failure
from agent_memory.entries.entry_file import Entry, EntryPlace, Skipped, parse
from agent_memory.entries.markdown_store import is_entry_name
from agent_memory.fs.reader import SIZE_CAP, NotAFileError, open_regular, read_at_most

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from agent_memory.entries.markdown_store import MarkdownEntries

_FIRST_READ = 8192  # bytes; few entries have more, and a larger buffer costs more than it saves
_AT_FOLDER = os.open in os.supports_dir_fd and hasattr(os, "O_DIRECTORY")
"""Whether files can be opened relative to an open folder: not on Windows."""
_ORDER = {"global": 0, "agents": 1, "runs": 2}  # by folder: its position in the load order


class EntryFolder(NamedTuple):
    """Files ``names`` in the folder ``path`` of a store.

    ``place`` is the scope and owner of its entries, ``below`` its path below the root, ending in /.
    """

    place: EntryPlace
    path: Path
    below: str
    names: list[str]


class ScannedFile(NamedTuple):
    """One file: its path below the root, its stamp, its entry (None: drover would skip it).

    The stamp is a text that differs after each change of the file (:func:`_stamp`).
    """

    name: str
    stamp: str
    entry: Entry | None


class _RawFile(NamedTuple):
    """A file as it is read: ``raw`` is empty if it is too large or cannot be read."""

    name: str
    stamp: str
    raw: bytes


def load_order(name: str) -> tuple[int, str]:
    """Return the sort key of the file ``name`` (the path below the root) in drover's load order.

    The folder ``global`` comes before ``agents``, ``agents`` before ``runs``.
    """
    return _ORDER[name.split("/", 1)[0]], name


def folder_of(store: MarkdownEntries, path: Path) -> EntryFolder | None:
    """Return the one file ``path`` as an :class:`EntryFolder`; None if it cannot be an entry."""
    place = store.place_of(path)
    if place is None:
        return None
    below = path.parent.relative_to(store.root).as_posix() + "/"
    return EntryFolder(place, path.parent, below, [path.name])


def changes(
    store: MarkdownEntries, stamps: Mapping[str, str]
) -> tuple[list[EntryFolder], list[str]]:
    """Return the new and changed files, in load order, and the names of outdated ones.

    ``stamps`` has the stamp of each file at the last scan, by its name (the path below the root).
    The outdated names are those of ``stamps`` whose files changed or do not exist. Symlinks are
    ignored.
    """
    changed: list[EntryFolder] = []
    outdated = set(stamps)
    for place, folder in store.folders():
        below = folder.relative_to(store.root).as_posix() + "/"
        changed_names = []
        for item in _entry_files(folder):
            name = below + item.name
            if name in stamps and stamps[name] == _stamp_of(item):
                outdated.discard(name)
            else:
                changed_names.append(item.name)
        changed_names.sort()
        if changed_names:
            changed.append(EntryFolder(place, folder, below, changed_names))
    return changed, list(outdated)


def read_files(folders: Iterable[EntryFolder]) -> Iterator[ScannedFile]:
    """Read and parse the files of ``folders``; missing ones are left out."""
    for place, folder, below, names in folders:
        for file in _read(folder, names):
            yield ScannedFile(below + file.name, file.stamp, _parse(file.raw, place))


def entry_at(path: Path, place: EntryPlace) -> Entry | None:
    """Return the entry in the file ``path`` now; None if it is missing or drover would skip it.

    ``place`` is that of the file in its store.
    """
    for file in _read(path.parent, [path.name]):  # one file, or nothing
        return _parse(file.raw, place, path)
    return None


def _parse(raw: bytes, place: EntryPlace, path: Path | None = None) -> Entry | None:
    """Return the entry of a file with the content ``raw``; None if drover would skip it.

    None also after an unexpected error, which is logged. ``path`` becomes that of the entry; the
    index needs no path.
    """
    try:
        return parse(raw.decode(), place, path)
    except (Skipped, UnicodeDecodeError):
        return None
    except Exception as error:  # noqa: BLE001 -- one file must not hide the other entries
        log_failure(error, "an entry")
        return None


def _read(folder: Path, names: Iterable[str]) -> Iterator[_RawFile]:
    """Yield the files ``names`` of ``folder``; missing ones are left out.

    The folder is opened once where the system allows that: this saves resolving the path.
    """
    folder_fd = _open_folder(folder)
    try:
        for name in names:
            file = _read_one(folder, folder_fd, name)
            if file:
                yield file
    finally:
        if folder_fd is not None:
            os.close(folder_fd)


def _read_one(folder: Path, folder_fd: int | None, name: str) -> _RawFile | None:
    """Return the file ``name`` of ``folder``; None if it does not exist.

    A file that is too large or cannot be read has a stamp, too: it is not read again until it
    changes. ``folder_fd`` is the descriptor of the folder (None: it is not open).
    """
    path = folder / name if folder_fd is None else name  # relative to `folder_fd`
    try:
        fd = open_regular(path, folder=folder_fd, follow=False)
    except NotAFileError:  # missing, a folder, a symlink, or not readable
        return _unreadable(folder / name)
    try:
        info = os.fstat(fd)  # before reading: a later write has another stamp
        raw = read_at_most(fd, SIZE_CAP + 1, _FIRST_READ)
    except OSError:
        return _unreadable(folder / name)
    finally:
        os.close(fd)
    return _RawFile(name, _stamp(info), raw if len(raw) <= SIZE_CAP else b"")


def _open_folder(folder: Path) -> int | None:
    """Return a descriptor of ``folder``, which the caller closes; None if there cannot be one."""
    if not _AT_FOLDER:
        return None
    try:
        return os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    except OSError:  # it was removed, or is not readable
        return None


def _unreadable(path: Path) -> _RawFile | None:
    """Return the unreadable file ``path`` without its bytes; None if it does not exist."""
    try:
        return _RawFile(path.name, _stamp(path.lstat()), b"")
    except OSError:
        return None


def _entry_files(folder: Path) -> list[os.DirEntry[str]]:
    """Return the files with the names of entries in ``folder``, [] if it cannot be read."""
    try:
        with os.scandir(folder) as items:
            return [
                item
                for item in items
                if is_entry_name(item.name) and item.is_file(follow_symlinks=False)
            ]
    except OSError:
        return []


def _stamp_of(item: os.DirEntry[str]) -> str:
    """Return the stamp of a listed file; '' if it was removed since."""
    try:
        return _stamp(item.stat(follow_symlinks=False))
    except OSError:
        return ""


def _stamp(info: os.stat_result) -> str:
    """Return a text that differs after each change of a file: time, size and inode."""
    return f"{info.st_mtime_ns}.{info.st_size}.{info.st_ino}"
