"""Where the literal anchors of the kinds stand in a text.

An Aho-Corasick automaton (``ahocorasick_rs``, the extra ``fast``) takes 0.02 ms for 8 KB. Where
it is not installed, only words of at least :data:`MIN_WORD` characters are looked at, which
prose hardly has, with one expression that holds all anchors as a tree.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from agent_memory.secrets import catalog

try:
    import ahocorasick_rs
except ImportError:  # the pure way gives the same answers
    ahocorasick_rs = None  # type: ignore[assignment, unused-ignore]

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

MIN_WORD = 16
"""Characters without white space that a token takes at least; no kind is shorter."""

CANDIDATES_MAX = 4000
"""Anchors that are looked at in one text. No honest file has a tenth of them."""

# Words that are too short are skipped inside the expression: a possessive loop, linear.
_LONG_WORD = re.compile(rf"(?:\S{{0,{MIN_WORD - 1}}}+\s++)*+(\S{{{MIN_WORD},}}+)")


def find(text: str, start: int = 0) -> Iterator[tuple[int, str]]:
    """Yield (offset, anchor) in order of offset; the longest anchor of one offset first."""
    if len(text) - start < MIN_WORD:
        return iter(())
    if ahocorasick_rs is not None and not start:
        return _find_fast(text)
    return _find_pure(text)


def _find_fast(text: str) -> Iterator[tuple[int, str]]:
    automaton, anchors = _automaton()
    matches = automaton.find_matches_as_indexes(text, overlapping=True)
    if len(matches) > 1:
        matches.sort(key=lambda match: (match[1], -match[2]))
    for index, offset, _ in matches[:CANDIDATES_MAX]:
        yield offset, anchors[index]


def _find_pure(text: str) -> Iterator[tuple[int, str]]:
    tree, shorter = _tree()
    left = CANDIDATES_MAX
    for word in _LONG_WORD.finditer(text):
        at, end = word.span(1)
        while left > 0:
            match = tree.search(text, at, end)
            if not match:
                break
            at = match.start()
            for anchor in shorter[match[0]]:
                yield at, anchor
                left -= 1
            at += 1


@cache
def _automaton() -> tuple[ahocorasick_rs.AhoCorasick, tuple[str, ...]]:
    anchors = tuple(catalog.by_anchor())
    return ahocorasick_rs.AhoCorasick(anchors), anchors


@cache
def _tree() -> tuple[re.Pattern[str], dict[str, tuple[str, ...]]]:
    """Return one expression for all anchors, and for each those that it begins with."""
    anchors = sorted(catalog.by_anchor(), key=len, reverse=True)
    shorter = {
        anchor: tuple(other for other in anchors if anchor.startswith(other)) for anchor in anchors
    }
    return re.compile(_branch(anchors)), shorter


def _branch(words: Iterable[str]) -> str:
    """Return an expression for ``words`` in which a common beginning stands once."""
    groups: dict[str, list[str]] = {}
    for word in words:
        groups.setdefault(word[:1], []).append(word[1:])
    optional = groups.pop("", None) is not None
    parts = [re.escape(first) + _branch(rest) for first, rest in groups.items()]
    if not parts:
        return ""
    body = parts[0] if len(parts) == 1 and not optional else f"(?:{'|'.join(parts)})"
    return f"{body}?" if optional else body
