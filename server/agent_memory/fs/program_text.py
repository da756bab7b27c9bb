"""Pieces of text inside installed programs, which can be binaries of several hundred megabytes.

A file is searched once per size and modification time. The user's cache folder keeps only offsets
and hashes, so that the next process reads a few hundred bytes. None of this text is shipped.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from agent_memory.base.errors import UsageError
from agent_memory.fs.reader import open_regular, read_file

if TYPE_CHECKING:
    import mmap
    import re
    from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
    from pathlib import Path

    Found = dict[str, tuple[int, bytes]]  # offset and bytes, by the name of the piece
    Key = tuple[tuple[Path, ...], tuple["Anchor", ...]]  # where to search, and for what
    Stamps = tuple[tuple[int, int], ...]  # the stamp of each path of a key

T = TypeVar("T")
MAX_BYTES = 2 * 1024**3
"""Bytes of a file; a larger one is not searched."""
_MAX_PLACES = 64
"""Places of a literal that are examined."""
_CHUNK = 4 * 1024 * 1024
"""Bytes that are searched at a time: about 5 ms."""
NO_FILE = (0, 0)
"""The stamp of a file that cannot be read."""


class Anchor(NamedTuple):
    """Where pieces are: the named groups of ``pattern`` near a place of ``literal``.

    The pattern must match in the window that starts ``before`` bytes before the literal and ends
    ``after`` bytes after its start.
    """

    literal: bytes
    pattern: re.Pattern[bytes]
    before: int = 2048
    after: int = 4096


class Pieces(NamedTuple):
    """The texts of the pieces by name; None if one is missing, or while the search still runs.

    ``pending``: it still runs.
    """

    texts: Mapping[str, bytes] | None = None
    pending: bool = False


@contextmanager
def _mapped(path: Path) -> Iterator[mmap.mmap]:
    """Yield the regular file ``path``, mapped: a binary is not read into memory.

    Raises:
        OSError, ValueError: it cannot be opened, is not a regular file, is empty or too large.

    """
    import mmap  # noqa: PLC0415 -- not at start

    fd = open_regular(path)
    try:
        if os.fstat(fd).st_size > MAX_BYTES:
            raise ValueError(path)
        with mmap.mmap(fd, 0, access=mmap.ACCESS_READ) as mapped:
            yield mapped
    finally:
        os.close(fd)


def search(path: Path, anchors: Sequence[Anchor]) -> Found | None:
    """Return offset and bytes of each piece in ``path``, by its name; None if one is missing.

    Never raises: None also for a file that cannot be read.
    """
    try:
        with _mapped(path) as mapped:
            return _search(mapped, anchors)
    except (OSError, ValueError):  # ValueError: also a NUL in the name
        return None


def sha256(path: Path) -> str:
    """Return the SHA-256 of the file ``path``; '' if it cannot be read, is empty or too large."""
    try:
        with _mapped(path) as mapped:
            return hashlib.sha256(mapped).hexdigest()
    except (OSError, ValueError):
        return ""


def _search(mapped: mmap.mmap, anchors: Sequence[Anchor]) -> Found | None:
    """Return the pieces of all ``anchors``, each at its first match; None if one has no match."""
    found: Found = {}
    for anchor in anchors:
        matches = (_match(mapped, anchor, at) for at in _offsets_of_literal(mapped, anchor))
        pieces = next(filter(None, matches), None)
        if pieces is None:
            return None
        found |= pieces
    return found


def _offsets_of_literal(mapped: mmap.mmap, anchor: Anchor) -> Iterator[int]:
    """Yield the offsets of the literal in ``mapped``, at most ``_MAX_PLACES``.

    The file is searched in chunks, because one call for all of it would block all threads.
    """
    offset = _find_in_chunks(mapped, anchor.literal, 0)
    for _ in range(_MAX_PLACES):
        if offset < 0:
            return
        yield offset
        offset = _find_in_chunks(mapped, anchor.literal, offset + 1)


def _find_in_chunks(mapped: mmap.mmap, literal: bytes, start: int) -> int:
    """Return the offset of the first ``literal`` from ``start`` on, -1 without one."""
    overlap = len(literal) - 1  # for a literal on the border of two chunks
    for chunk in range(start, len(mapped), _CHUNK):
        offset = mapped.find(literal, chunk, chunk + _CHUNK + overlap)
        if offset >= 0:
            return offset
    return -1


def _match(mapped: mmap.mmap, anchor: Anchor, offset: int) -> Found | None:
    """Return the pieces around the literal at ``offset``; None if the pattern does not match."""
    start = max(0, offset - anchor.before)
    match = anchor.pattern.search(mapped[start : offset + anchor.after])
    if match is None:
        return None
    return {name: (start + match.start(name), text) for name, text in match.groupdict().items()}


def _nothing() -> None:
    """Do nothing: the default of ``on_found``."""


@dataclass
class ProgramTexts:
    """The pieces of all programs; owned by a session or by one command.

    ``start`` runs a search in another thread and returns at once, ``on_found`` is called there
    after it, whether or not it found something. Without ``start`` a search runs at once.

    ``fresh_seconds``: how long :meth:`recent` uses a result. The folders of PATH are not watched
    for changes, so a result must expire.
    """

    start: Callable[[Callable[[], None]], object] | None = None
    on_found: Callable[[], object] = _nothing
    fresh_seconds: float = 0.0
    _results: dict[Key, tuple[Stamps, Pieces]] = field(default_factory=dict)
    _recent: dict[Hashable, tuple[float, Any]] = field(default_factory=dict)

    def recent(self, key: Hashable, compute: Callable[[], T]) -> T:
        """Return the result of ``compute``, cached by ``key`` for ``fresh_seconds``.

        With 0 seconds, nothing is cached.
        """
        now = time.monotonic()
        cached = self._recent.get(key)
        if cached:
            computed_at, cached_result = cached
            if now - computed_at < self.fresh_seconds:
                fresh: T = cached_result
                return fresh
        result = compute()
        if self.fresh_seconds:
            self._recent[key] = (now, result)
        return result

    def forget_recent(self) -> None:
        """Drop the results of :meth:`recent`: files have changed. Those of :meth:`read` stay."""
        self._recent.clear()

    def read(self, paths: Sequence[Path], anchors: tuple[Anchor, ...], cache: Path) -> Pieces:
        """Return the pieces that ``anchors`` name in the first of ``paths`` that has all of them.

        There are no texts if none of ``paths`` has all of them, and none yet while a search of
        ``start`` is pending. The result is cached until the size or time of a file changes. The
        offsets of the pieces are also cached on disk, in the folder ``cache``.
        """
        stamps, key = tuple(map(stamp, paths)), (tuple(paths), anchors)
        cached = self._results.get(key)
        if cached:
            cached_stamps, pieces = cached
            if cached_stamps == stamps:  # no file has changed
                return pieces
        record = cache / "programs" / f"{_record_name(key)}.json"
        recorded = _from_record(paths, stamps, record)
        if recorded is not None:
            self._results[key] = (stamps, Pieces(recorded))
        elif self.start is None:
            self._results[key] = (stamps, _find(key, stamps, record))
        else:
            self._results[key] = (stamps, Pieces(pending=True))
            self.start(lambda: self._find_later(key, stamps, record))
        _, pieces = self._results[key]  # complete already if `start` has run the search at once
        return pieces

    def _find_later(self, key: Key, stamps: Stamps, record: Path) -> None:
        """Search, store the result and call ``on_found``; called in the thread of ``start``."""
        self._results[key] = (stamps, _find(key, stamps, record))
        self.on_found()


def stamp(path: Path) -> tuple[int, int]:
    """Return size and modification time of ``path``, NO_FILE if they cannot be read."""
    try:
        info = path.stat()
    except (OSError, ValueError):
        return NO_FILE
    return (info.st_size, info.st_mtime_ns)


def _find(key: Key, stamps: Stamps, record: Path) -> Pieces:
    """Return the pieces of the first file of ``key`` that has all of them, and record the offsets.

    Without such a file, the result has no texts, and nothing is written to ``record``.
    """
    paths, anchors = key
    for number, path in enumerate(paths):
        pieces = search(path, anchors)
        if pieces is not None:
            _write_record(record, stamps, number, pieces)
            return Pieces({name: text for name, (_, text) in pieces.items()})
    return Pieces()


def _write_record(record: Path, stamps: Stamps, number: int, pieces: Found) -> None:
    """Write offset, size and digest of each piece to ``record``.

    ``number`` is the index of the file with the pieces; ``stamps`` are those of all files.
    """
    from agent_memory.fs.atomic_write import update  # noqa: PLC0415 -- rarely needed
    from agent_memory.fs.write_roots import inside  # noqa: PLC0415

    spans = {name: [offset, len(text), _digest(text)] for name, (offset, text) in pieces.items()}
    written = json.dumps({"stamp": stamps, "file": number, "pieces": spans})
    cache = record.parent.parent  # of cache/programs/NAME.json
    with suppress(UsageError):  # a cache folder that cannot be written costs one more search
        update(record, lambda _: written, inside(cache))


def _from_record(paths: Sequence[Path], stamps: Stamps, record: Path) -> dict[str, bytes] | None:
    """Return the pieces at the recorded offsets.

    None if a file has changed since, the record is missing or damaged, or a digest differs.
    """
    try:
        value: dict[str, Any] = json.loads(read_file(record).text)
        # JSON has lists in place of tuples.
        unchanged = value["stamp"] == [list(file_stamp) for file_stamp in stamps]
        return _at_offsets(paths[value["file"]], value["pieces"]) if unchanged else None
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return None


def _at_offsets(path: Path, spans: dict[str, list[Any]]) -> dict[str, bytes] | None:
    """Return the pieces of ``path``, None if one has another digest.

    ``spans`` has [offset, size in bytes, digest] of each piece, by its name.
    """
    pieces = {}
    with _mapped(path) as mapped:
        for name, (offset, size, digest) in spans.items():
            pieces[name] = mapped[offset : offset + size]
            if _digest(pieces[name]) != digest:
                return None
    return pieces


def _record_name(key: Key) -> str:
    """Return the name, without a suffix, of the cache file with the offsets for ``key``.

    Another path, literal or pattern gives another name.
    """
    paths, anchors = key
    parts = [part for anchor in anchors for part in (anchor.literal, anchor.pattern.pattern)]
    return _digest(b"\0".join([*map(os.fsencode, paths), *parts]))


def _digest(raw: bytes) -> str:
    """Return the first 64 bits of the SHA-256 of ``raw`` in hexadecimal."""
    return hashlib.sha256(raw).hexdigest()[:16]
