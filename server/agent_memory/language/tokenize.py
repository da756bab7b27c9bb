"""The words recall searches for, in any script.

For plain ASCII text these are drover's: runs of two or more letters and digits, lower case,
without 30 stop words. Beyond that accents are folded, and scripts that are written without
spaces (Chinese, Japanese, Thai, Lao, Khmer, Burmese) give single characters and pairs.
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
_DENSE = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff"
    "\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
)
_LETTERS = string.ascii_lowercase + string.digits
_DROPPED = STOP | frozenset(_LETTERS)  # a word has two characters
_ASCII = "".join(
    char if char in _LETTERS else " " for char in (chr(code).lower() for code in range(256))
).encode()
"""What each byte of an ASCII text is to the search: a letter, a digit or a gap."""
_RUN = re.compile(f"(?P<dense>[{_DENSE}]+)|[^\\W_{_DENSE}]+")


def words(text: str, *, query: bool = False) -> list[str]:
    """Return the words of ``text`` in order, repeated as often as they stand there.

    A ``query`` asks for the pairs of a run of Chinese or the like, or for its one character.
    """
    if text.isascii():
        found = text.encode().translate(_ASCII).decode().split()
        none = _DROPPED.intersection(found)
        return [word for word in found if word not in none] if none else found
    out: list[str] = []
    for run in _RUN.finditer(_folded(text.lower())):
        word = run[0]
        if run["dense"]:
            pairs = [word[at : at + 2] for at in range(len(word) - 1)]
            out += pairs if query and pairs else [*word, *pairs]
        elif len(word) > 1 and word not in STOP:
            out.append(word)
    return out


def _folded(text: str) -> str:
    """Return ``text`` without the marks on Latin, Greek and Cyrillic letters."""
    out = []
    for char in unicodedata.normalize("NFKD", text):
        if "\u0300" <= char <= "\u036f":
            continue
        out.append(char)
    return unicodedata.normalize("NFC", "".join(out)).casefold()
