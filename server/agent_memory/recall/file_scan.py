"""The entry files of a store as rows for the index: which changed, and what is kept of each."""

from __future__ import annotations

import contextlib
import os
from typing import TYPE_CHECKING, NamedTuple

from agent_memory.entries import fast_parser
from agent_memory.entries.entry_file import (
    Entry,
    Place,
    Skipped,
    parse,
)
from agent_memory.entries.markdown_store import is_entry_name
from agent_memory.fs.reader import SIZE_CAP
from agent_memory.language.tokenize import words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from agent_memory.entries.markdown_store import MarkdownEntries

    Row = tuple[int, str, str, str, str, str, str, str, int, int, str, str]

_FIRST_READ = 8192  # bytes; few entries have more, and a larger buffer costs more than it saves
_FLAGS = (
    os.O_RDONLY
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_BINARY", 0)
    | getattr(os, "O_CLOEXEC", 0)
)
_AT_FOLDER = os.open in os.supports_dir_fd and hasattr(os, "O_DIRECTORY")


class Doc(NamedTuple):
    """What is kept of an entry beside its words; ``length`` counts these."""

    number: int
    path: str
    ulid: str
    scope: str
    agent: str
    run: str
    kind: str
    tags: str  # lower case, one a line
    changed: int
    length: int


class Folder(NamedTuple):
    """Files of one folder of a store: ``below`` is its path below the root, with a ``/`` behind."""

    place: Place
    path: Path
    below: str
    names: list[str]


def folder_of(store: MarkdownEntries, path: Path) -> Folder | None:
    """Return the one file ``path`` as a :class:`Folder`; None where it is no entry file's place."""
    place = store.place_of(path)
    if place is None:
        return None
    below = path.parent.relative_to(store.root).as_posix() + "/"
    return Folder(place, path.parent, below, [path.name])


def changes(store: MarkdownEntries, known: Mapping[str, str]) -> tuple[list[Folder], list[str]]:
    """Return the files that are new or changed, in load order, and the names of those to drop.

    ``known`` are the stamps by name (the path below the root). Links are left out.
    """
    fresh: list[Folder] = []
    gone = set(known)
    for place, folder in store.folders():
        below = folder.relative_to(store.root).as_posix() + "/"
        names = []
        for item in _files(folder):
            name = below + item.name
            if name in known:
                gone.discard(name)
                if known[name] == _stamp(item.stat(follow_symlinks=False)):
                    continue
            names.append(item.name)
        names.sort()
        if names:
            fresh.append(Folder(place, folder, below, names))
    changed = (below + name for _, _, below, names in fresh for name in names)
    return fresh, [*gone, *(name for name in changed if name in known)]


def rows(folders: Iterable[Folder], number: int) -> Iterator[Row]:
    """Yield a row for each file, numbered from ``number``: a :class:`Doc`, the stamp, the words.

    What is no entry gets an empty ULID: it is kept, so that it is not read again each time. A
    file that has gone is left out.
    """
    for place, folder, below, names in folders:
        for name, stamp, raw in _read(folder, names):
            yield _row(number, below + name, raw, place, stamp)
            number += 1


def entry_at(path: Path, place: Place) -> Entry | None:
    """Return the entry as it is on disk now; None if it is gone or no entry any more."""
    for _, _, raw in _read(path.parent, [path.name]):
        with contextlib.suppress(Skipped, UnicodeDecodeError):
            return parse(raw.decode(), place, path)
    return None


def searched(summary: str, body: str, tags: Iterable[str]) -> str:
    """Return the text of an entry in which words are found."""
    return f"{summary}\n{body}\n{' '.join(tags)}"


def _row(number: int, name: str, raw: bytes, place: Place, stamp: str) -> Row:
    try:
        text = raw.decode()
        entry = fast_parser.read(text) or parse(text, place)
    except (Skipped, UnicodeDecodeError):
        return (number, name, "", "", "", "", "", "", 0, 0, stamp, "")
    tags = entry.tags
    found = words(searched(entry.summary, entry.body, tags))
    return (
        number,
        name,
        entry.id,
        entry.scope,
        entry.agent or place.agent or "",
        entry.run or place.run or "",
        entry.kind,
        "\n".join(tags).lower() if tags else "",
        entry.created if entry.updated is None else entry.updated,
        len(found),
        stamp,
        " ".join(found),
    )


def _read(folder: Path, names: Iterable[str]) -> Iterator[tuple[str, str, bytes]]:
    """Yield name, stamp and bytes of the files (none where one cannot be read) that are there.

    The folder is opened once where the system allows that: it saves a walk along the path.
    """
    at = _opened(folder)
    try:
        for name in names:
            try:
                if at is None:
                    fd = os.open(folder / name, _FLAGS)
                else:
                    fd = os.open(name, _FLAGS, dir_fd=at)
            except OSError:
                yield from _closed(folder / name)
                continue
            try:
                info = os.fstat(fd)  # before it is read: a later write has another stamp
                raw = os.read(fd, _FIRST_READ)
                if len(raw) == _FIRST_READ:
                    raw += os.read(fd, SIZE_CAP)
            except OSError:  # such as a folder of that name
                raw = b""
            finally:
                os.close(fd)
            yield name, _stamp(info), raw
    finally:
        if at is not None:
            os.close(at)


def _opened(folder: Path) -> int | None:
    if not _AT_FOLDER:
        return None
    try:
        return os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    except OSError:  # it has gone, or may be searched but not listed
        return None


def _closed(path: Path) -> Iterator[tuple[str, str, bytes]]:
    """Yield what is known of a file that may not be read; nothing where there is none."""
    try:
        yield path.name, _stamp(path.lstat()), b""
    except OSError:
        return


def _files(folder: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as items:
            return [
                item
                for item in items
                if is_entry_name(item.name) and item.is_file(follow_symlinks=False)
            ]
    except OSError:
        return []


def _stamp(info: os.stat_result) -> str:
    return f"{info.st_mtime_ns}.{info.st_size}.{info.st_ino}"
