"""Pieces of the secrets found so far: they are recognized where their context is missing.

A message may quote the middle of a token, one line of a private key, or a value without the name
that shows what it is. Only hashes of the pieces are kept, and their number is limited.
"""

from __future__ import annotations

import re
from threading import Lock
from typing import TYPE_CHECKING

from agent_memory.base.lazy_regex import lazy_compile

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

PIECE = 12
"""Code points of a piece. A shorter word of a value is one piece, from :data:`PIECE_MIN` on."""
PIECE_MIN = 8
"""Code points; shorter words have no piece, so a shorter text cannot contain one."""
PIECES_MAX = 200_000
"""When there are more, the values found first are forgotten: a piece takes about 100 bytes."""

_WORD = lazy_compile(rf"\S{{{PIECE_MIN},}}")
"""A word that is long enough for a piece."""
_DISTINCTIVE = lazy_compile(r"\d|[a-z].*[A-Z]|[A-Z].*[a-z]", re.DOTALL)
"""What distinguishes a piece from a word of prose: a digit, or both cases."""


class KnownValues:
    """The pieces of the values that were added.

    :attr:`revision` grows with each change. Values whose SHA-256 is in :attr:`accepted` are left
    out.
    """

    def __init__(self) -> None:
        self.revision = 0
        self.accepted: set[str] = set()
        self._by_value: dict[str, frozenset[int]] = {}  # hashes of the pieces by SHA-256
        # By the hash of a piece, the SHA-256 of the values that have it: two can share a start.
        self._pieces: dict[int, tuple[str, ...]] = {}
        self._sizes: set[int] = set()  # of the pieces, in code points
        self._lock = Lock()  # checks in the background add values, too

    def __bool__(self) -> bool:
        """Whether there is a value; values can be forgotten again."""
        return bool(self._by_value)

    def add(self, sha256: str, value: str) -> None:
        """Add ``value``, whose SHA-256 is ``sha256``."""
        if sha256 not in self._by_value:
            with self._lock:
                self._add(sha256, value)

    def _add(self, sha256: str, value: str) -> None:
        """Add ``value`` while the lock is held.

        If there are too many pieces then, the older half of the values is forgotten.
        """
        if sha256 in self._by_value or sha256 in self.accepted:
            return
        own_pieces: set[int] = set()  # hashes
        for word in _WORD.findall(value):
            size = min(PIECE, len(word))
            self._sizes.add(size)
            for start in range(len(word) - size + 1):
                piece = word[start : start + size]
                if _DISTINCTIVE.search(piece):
                    own_pieces.add(hash(piece.lower()))
        self._by_value[sha256] = frozenset(own_pieces)
        self._index(sha256)
        self.revision += 1
        if len(self._pieces) > PIECES_MAX:
            # at least one, even if there is a single value
            oldest = list(self._by_value)[: len(self._by_value) // 2 + 1]
            self._forget(set(oldest))

    def accept(self, hashes: Iterable[str]) -> None:
        """Leave out the values with these SHA-256 from now on."""
        with self._lock:
            fresh = set(hashes) - self.accepted
            if fresh:
                self.accepted |= fresh
                self._forget(fresh & self._by_value.keys())

    def clear(self) -> None:
        """Remove all values, also those of :attr:`accepted`."""
        with self._lock:
            self.accepted.clear()
            self._forget(set(self._by_value))

    def spans(self, text: str, allowed: Collection[str] = ()) -> list[tuple[int, int]]:
        """Return (start, end) of the parts of ``text`` that are pieces of values, in order.

        The case of letters does not count. Pieces that overlap or touch are one span. Values whose
        SHA-256 is in ``allowed`` are left out.
        """
        spans: list[tuple[int, int]] = []
        for word in _WORD.finditer(text):
            folded = word[0].lower()
            if len(folded) != len(word[0]):  # a letter with another length in lower case
                continue
            for size in tuple(self._sizes):  # a copy: another thread may add a size
                for offset in range(len(folded) - size + 1):
                    values = self._pieces.get(hash(folded[offset : offset + size]), ())
                    if any(sha256 not in allowed for sha256 in values):
                        start = word.start() + offset
                        spans.append((start, start + size))
        return _joined(sorted(spans))

    def _forget(self, values: set[str]) -> None:
        """Remove the values with the SHA-256 ``values``, all of which were added."""
        for sha256 in values:
            del self._by_value[sha256]
        self._pieces = {}
        for sha256 in self._by_value:
            self._index(sha256)
        self.revision += 1

    def _index(self, sha256: str) -> None:
        """Add the pieces of the value ``sha256`` to those that are searched."""
        alone = (sha256,)  # one object for all pieces: few pieces are in other values, too
        for piece in self._by_value[sha256]:
            others = self._pieces.get(piece)
            self._pieces[piece] = (*others, sha256) if others else alone


def _joined(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return sorted ``spans`` with those that overlap or touch as one."""
    if not spans:
        return []
    out: list[tuple[int, int]] = []
    joined_start, joined_end = spans[0]
    for start, end in spans[1:]:
        if start <= joined_end:
            joined_end = max(joined_end, end)
        else:
            out.append((joined_start, joined_end))
            joined_start, joined_end = start, end
    return [*out, (joined_start, joined_end)]


KNOWN = KnownValues()
"""The values found in this process."""
