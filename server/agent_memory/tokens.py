"""Token estimates without a vocabulary.

A model's tokenizer first cuts text into pieces (words with their leading space, runs of up to
three digits, punctuation) and then splits rare pieces further. Counting pieces, and long words
and scripts without spaces by length, comes close to o200k without shipping its 2 MB table; the
figures are in docs/benchmarks.md. The unit everywhere is *estimated tokens*.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

_PIECE = re.compile(
    r"[ \t]?[A-Za-z]+"  # a Latin word with its leading blank
    r"|\d{1,3}"
    r"|[ ]?[^\w\s]+[\r\n]*"  # punctuation
    r"|[^\W\d_A-Za-z]+"  # other scripts
    r"|\s+|_+"
)
_LONG_WORD = 12  # letters that one token covers at most, on average, in words this long


@lru_cache(maxsize=32768)
def _count(line: str) -> int:
    total = 0
    for piece in _PIECE.findall(line):
        if piece.isascii():
            total += 1 + (len(piece) - 1) // _LONG_WORD
        else:
            total += _count_other(piece)
    return total


def _count_other(piece: str) -> int:
    wide = sum(1 for char in piece if char >= "\u2e80")
    return max(1, round(wide * 0.9 + (len(piece) - wide) / 3))


def count(text: str) -> int:
    """Return the estimated tokens of ``text``; work is cached per line."""
    return count_lines(text.split("\n")) if "\n" in text else _count(text)


def count_lines(lines: Iterable[str]) -> int:
    """Return the estimated tokens of ``lines``."""
    return sum(map(_count, lines))
