"""Splits text into the words that recall searches for, in any script.

For plain ASCII text they equal drover's: runs of two or more letters and digits in lower case,
without 30 stop words. In other text accents are removed, and scripts without spaces (Chinese,
Japanese, Thai, Lao, Khmer, Burmese) give single characters and pairs.
"""

from __future__ import annotations

import re
import string
import unicodedata

_STOP_TEXT = (
    "a an and are as at be by for from has have i in is it of on or that the this to was were "
    "with you your we our"
)
STOP = frozenset(_STOP_TEXT.split())
# Characters of scripts without spaces between words. A run of them is called dense.
_DENSE = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff"
    "\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
)
_LETTERS = string.ascii_lowercase + string.digits
_DROPPED = STOP | frozenset(_LETTERS)  # a word has at least two characters
_ASCII = "".join(
    char if char in _LETTERS else " " for char in (chr(code).lower() for code in range(256))
).encode()
"""Maps each byte of an ASCII text to a letter, a digit or a space."""
_RUN = re.compile(f"(?P<dense>[{_DENSE}]+)|[^\\W_{_DENSE}]+")
"""A dense run, or a run of other letters and digits."""


def words(text: str, *, query: bool = False) -> list[str]:
    """Return the words of ``text`` in order, including repeated ones.

    A dense run (of Chinese characters, for example, without spaces) gives its characters and its
    pairs of adjacent characters. In a ``query`` it gives only the pairs, which match more exactly;
    a run of one character gives that character.
    """
    if text.isascii():
        parts = text.encode().translate(_ASCII).decode().split()
        dropped = _DROPPED.intersection(parts)
        if not dropped:  # no need to build a second list
            return parts
        return [part for part in parts if part not in dropped]
    out: list[str] = []
    for run in _RUN.finditer(_folded(text.lower())):
        word = run[0]
        if run["dense"]:
            pairs = [word[at : at + 2] for at in range(len(word) - 1)]
            # A text also has the single characters, so that a query of one character finds it.
            if not query or not pairs:
                out += [*word]
            out += pairs
        elif len(word) > 1 and word not in STOP:
            out.append(word)
    return out


def is_dense(word: str) -> bool:
    """Whether ``word``, one of :func:`words`, is in a script without spaces between words."""
    run = _RUN.match(word)
    return run is not None and run["dense"] is not None


def _folded(text: str) -> str:
    """Return ``text`` with letters that recall treats as equal (``é`` and ``e``) in one form.

    Accents are removed, compatibility forms replaced (full-width letters, ligatures), and cases
    folded (``ß`` becomes ``ss``). The accents U+0300 to U+036F are those of Latin, Greek and
    Cyrillic, but are removed from any letter. Marks of other scripts are kept: they change the
    letter, as in Japanese, and NFC joins letter and mark again.
    """
    out = []
    for char in unicodedata.normalize("NFKD", text):
        if "\u0300" <= char <= "\u036f":
            continue
        out.append(char)
    return unicodedata.normalize("NFC", "".join(out)).casefold()
