"""Positions of the literal anchors of the kinds in a text.

An Aho-Corasick automaton (``ahocorasick_rs``, the extra ``fast``) takes 0.02 ms for 8 KB. If it is
not installed, only words of at least :data:`MIN_WORD` characters are searched, which are rare in
prose, and in them only the starts of runs of letters and digits. An anchor that follows a head, the
part of a token before it, is searched everywhere.
"""

from __future__ import annotations

import heapq
import re
from functools import cache
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

from agent_memory.base.text_cache import TextCache
from agent_memory.secrets import catalog

try:
    import ahocorasick_rs
except ImportError:  # the pure Python search has the same results
    ahocorasick_rs = None  # type: ignore[assignment, unused-ignore]

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

MIN_WORD = 16
"""The fewest characters of a token; it has no white space."""

_PIECE = re.compile(r"[A-Za-z0-9]++")
"""A run of letters and digits."""


class _Anchors(NamedTuple):
    """The anchors of all kinds, for the search without the library."""

    at_start: dict[str, list[str]]
    """Those that start a token, by their first three characters; under one key, the longest first.

    An anchor of two characters has a key of two. It is also under each longer key that starts with
    it, so that one look-up finds all anchors at a position.
    """
    after_head: list[str]
    """Those that follow the head of a token."""


def long_words(text: str) -> Iterator[tuple[int, int]]:
    """Yield (start, end) of each word that can contain a token. Results are cached by line."""
    line_start = 0
    for line in text.split("\n"):
        if len(line) >= MIN_WORD:
            for start, end in _long_words(line):
                yield line_start + start, line_start + end
        line_start += len(line) + 1


@TextCache
def _long_words(line: str) -> tuple[tuple[int, int], ...]:
    """Return (start, end) of each word of ``line`` with at least MIN_WORD characters."""
    spans = []
    end = 0
    for word in line.split():
        if len(word) >= MIN_WORD:
            # The first occurrence after `end` is this word: an earlier one would be in a long
            # word before it.
            start = line.index(word, end)
            end = start + len(word)
            spans.append((start, end))
    return tuple(spans)


def find(text: str) -> Iterable[tuple[int, str]]:
    """Return (offset, anchor) of each anchor of a token, and perhaps of others, sorted by offset.

    The others are at a place where no token can start. Of the anchors that start a token at one
    offset, the longest comes first.
    """
    if ahocorasick_rs is None:
        return _find_pure(text)
    try:
        return _find_fast(text)
    except UnicodeEncodeError:  # a lone surrogate, which an editor may send
        return _find_pure(text)


def _find_fast(text: str) -> list[tuple[int, str]]:
    """Return :func:`find` by the library ahocorasick_rs.

    Raises:
        UnicodeEncodeError: ``text`` has a lone surrogate.

    """
    automaton, anchors = _automaton()
    matches = automaton.find_matches_as_indexes(text, overlapping=True)  # in order of their ends
    matches.reverse()  # the sort is stable: of one offset, the last end stays first
    matches.sort(key=itemgetter(1))
    return [(offset, anchors[index]) for index, offset, _ in matches]


def _find_pure(text: str) -> Iterable[tuple[int, str]]:
    """Return :func:`find` without the library: (offset, anchor), sorted by offset.

    An anchor at the start of a token is searched only where a token can start. An anchor that
    follows a head, the part of a token before it, can be at any offset.
    """
    anchors = _anchors()
    after_head = [_occurrences(text, anchor) for anchor in anchors.after_head if anchor in text]
    at_starts = _find_starts(text)
    return heapq.merge(at_starts, *after_head, key=itemgetter(0)) if after_head else at_starts


def _find_starts(text: str) -> Iterator[tuple[int, str]]:
    r"""Yield (offset, anchor) of the anchors at the start of a token.

    A token starts at the start of a run of letters and digits. After an escape such as ``\n`` or
    ``%3D``, it starts later in the run, which begins with the last characters of the escape.
    """
    by_start = _anchors().at_start
    for word_start, word_end in long_words(text):
        for run in _PIECE.finditer(text, word_start, word_end):
            start = run.start()
            before = text[start - 1] if start else ""
            if before == "\\" and text[start] in "nrt":
                start += 1
            elif before == "%":  # two hexadecimal digits
                start += 2
            key = text[start : start + 3]
            # Without an anchor that begins with these three, one of two characters may fit.
            same_start = by_start.get(key) or by_start.get(key[:2])
            if same_start:
                for anchor in same_start:
                    if text.startswith(anchor, start):
                        yield start, anchor


def _occurrences(text: str, anchor: str) -> Iterator[tuple[int, str]]:
    """Yield (offset, ``anchor``) for each occurrence, also for those that overlap."""
    at = text.find(anchor)
    while at >= 0:
        yield at, anchor
        at = text.find(anchor, at + 1)


@cache
def _automaton() -> tuple[ahocorasick_rs.AhoCorasick, tuple[str, ...]]:
    """Return the automaton of all anchors, and the anchors by its indexes."""
    anchors = tuple(catalog.by_anchor())
    return ahocorasick_rs.AhoCorasick(anchors), anchors


@cache
def _anchors() -> _Anchors:
    """Return the anchors of the catalog."""
    table = catalog.by_anchor()
    # The first kind is enough: the kinds of one anchor all have a head, or none has.
    after_head = [anchor for anchor in table if table[anchor][0].head]
    shortest_first = sorted((anchor for anchor in table if not table[anchor][0].head), key=len)
    at_start: dict[str, list[str]] = {}
    for anchor in reversed(shortest_first):
        at_start.setdefault(anchor[:3], []).append(anchor)
    for anchor in shortest_first:
        if len(anchor) == 2:
            for key, same_start in at_start.items():
                if key.startswith(anchor) and key != anchor:
                    same_start.append(anchor)
    return _Anchors(at_start, after_head)
