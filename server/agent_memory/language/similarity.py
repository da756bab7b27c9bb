"""Compares items: whether they are equal after normalization, or nearly equal.

Nearly equal items have the same words except for a few, in the same order; English word endings are
ignored. Items that differ in a number, a name in backticks, a negation or a word such as *before*
are never nearly equal: "port 8080" and "port 8081" are two facts, and so are "npm, never pnpm" and
"pnpm, never npm".
"""

from __future__ import annotations

import re
import unicodedata
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.base.text_cache import TextCache

if TYPE_CHECKING:
    from collections.abc import Iterable

_COMMON_SHARE_MIN = 0.8  # of the common words among all words of two nearly equal items
_COMMON_WORDS_MIN = 3  # fewer common words say too little
_CONTAINED_CHARS = 24  # a shorter text may be part of another one by chance
_MARKER = re.compile(r"\s*(?:>\s*|#{1,6}\s+|(?:[-*+]|\d{1,9}[.)])\s+)*(?:\[[ xX]\]\s+)?")
_PUNCTUATION = lazy_compile(r"[^\w\s]|_")
"""Any character but letters, digits and white space."""
# A Chinese, Japanese or Korean character, or a run of others.
_WORD = lazy_compile(
    "[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]|[^\\W\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]+"
)
_CODE = lazy_compile(r"`([^`]+)`")
_MARKUP = lazy_compile(r"\*\*|__|(?<!\w)[*_](?=\w)|(?<=\w)[*_](?!\w)")  # marks of emphasis
# Of "running", "run" remains, of "makes" and "making" "mak".
_ENDING = lazy_compile(
    r"(?<=[a-z]{2})(?:(?P<double>[bdgklmnprt])(?P=double)(?:ing|ed)|(?<=[a-z]{3})(?:ing|ed|e?s|e))\Z"
)
_FILLER_WORDS = "a an the is are be to of in for on and or this that it we you our your always"
# English and German: two items with different ones of these are not nearly equal.
_NEGATIONS = (
    "not no never dont cannot cant without avoid wont shouldnt mustnt isnt only "
    "nicht nie niemals kein keine keinen ohne vermeide nur"
)
_TURNING_WORDS = (
    "before after from into over under above below than instead until unless except against "
    "vor vorher nach nachher von aus unter als statt anstatt bis ausser gegen"
)
_FILLER = frozenset(_FILLER_WORDS.split())
_NEGATION = frozenset(_NEGATIONS.split())
_TURNING = frozenset(_TURNING_WORDS.split())


class Gist(NamedTuple):
    """The comparable features of an item."""

    text: str  # in lower case, with single spaces in place of punctuation
    words: frozenset[str]  # without English endings and filler words
    orders: tuple[tuple[str, ...], ...]  # the words in order, and with a clause moved to the end
    numbers: tuple[str, ...]  # in order: these must be equal
    code: frozenset[str]  # text in backticks: the other item must contain it
    negations: frozenset[str]
    turning: frozenset[str]  # words that set the order of two things


@TextCache
def gist(text: str) -> Gist:
    """Return the gist of ``text``, without the markers at its start, such as that of a list."""
    plain = unicodedata.normalize("NFKC", _MARKER.sub("", text, count=1)).casefold()
    code = frozenset(_flat(match) for match in _CODE.findall(plain))
    flat = _flat(plain)
    words = _words(flat)
    numbers = tuple(word for word in words if any(map(str.isdigit, word)))
    stems = _stems(words)
    orders = [stems]
    # Each clause before a comma may also be at the end: "before a commit, lint".
    for comma in islice(re.finditer(",", plain), 3):  # a limit, because each costs another pass
        clause_length = len(_stems(_words(_flat(plain[: comma.start()]))))
        orders.append(stems[clause_length:] + stems[:clause_length])
    negations, turning = _NEGATION.intersection(words), _TURNING.intersection(words)
    return Gist(flat, frozenset(stems), tuple(orders), numbers, code, negations, turning)


def _stems(words: Iterable[str]) -> tuple[str, ...]:
    """Return ``words`` without their English endings and without filler words."""
    return tuple(_ENDING.sub(r"\g<double>", word) for word in words if word not in _FILLER)


def _words(flat: str) -> list[str]:
    """Return the words of ``flat``, a text of :func:`_flat`.

    A Chinese, Japanese or Korean character is a word. An ASCII text has no such character: it is
    split at spaces, because compiling the expression takes 3 ms.
    """
    return flat.split() if flat.isascii() else _WORD.findall(flat)


def _flat(text: str) -> str:
    """Return ``text`` with single spaces in place of punctuation; "don't" becomes "dont"."""
    return " ".join(_PUNCTUATION.sub(" ", text.replace("'", "").replace("\u2019", "")).split())


@TextCache
def normalized(text: str) -> str:
    """Return ``text`` in lower case, without emphasis, extra spaces and final ``.`` or ``!``."""
    if "*" in text or "_" in text:
        text = _MARKUP.sub("", text)
    return " ".join(text.split()).casefold().rstrip(".! ")


def same(one: str, other: str) -> bool:
    """Return whether both texts are equal; case, punctuation, spaces and a marker are ignored.

    Symbols that carry meaning count: ``C`` and ``C++`` differ.
    """
    return equality_key(one) == equality_key(other)


def equality_key(text: str) -> tuple[str, str]:
    """Return a key that is equal for texts that are the same (:func:`same`).

    It is (words, symbols), or ('', text without its marker) if ``text`` has no letter or digit.
    """
    flat = gist(text).text
    return (flat, _symbols(text)) if flat else ("", without_marker(text))


def is_nearly_in(new: str, old: str) -> bool:
    """Return whether ``old`` already contains ``new``, completely or in nearly the same words.

    The module's docstring says what makes two items different facts. If ``old`` contains all of
    ``new``, and that is not very short, only their negations must be the same.
    """
    new_gist, old_gist = gist(new), gist(old)
    if not new_gist.words or not old_gist.words:  # only symbols or filler words
        return False
    if new_gist.negations != old_gist.negations:
        return False
    is_long = len(new_gist.text) >= _CONTAINED_CHARS
    if is_long and f" {new_gist.text} " in f" {old_gist.text} ":  # spaces: only whole words
        return True
    if (new_gist.numbers, new_gist.turning) != (old_gist.numbers, old_gist.turning):
        return False
    if not (_has_code_of(new_gist, old_gist) and _has_code_of(old_gist, new_gist)):
        return False
    common = new_gist.words & old_gist.words
    if len(common) < _COMMON_WORDS_MIN:
        return False
    if len(common) / len(new_gist.words | old_gist.words) < _COMMON_SHARE_MIN:
        return False
    return not _orders(new_gist, common).isdisjoint(_orders(old_gist, common))


def _orders(one: Gist, common: frozenset[str]) -> set[tuple[str, ...]]:
    """Return the possible orders of the ``common`` words within ``one``.

    There can be several, because a clause may come first or last: "before a commit, lint" equals
    "lint before a commit".
    """
    return {tuple(word for word in order if word in common) for order in one.orders}


def _has_code_of(one: Gist, other: Gist) -> bool:
    """Return whether ``one`` contains each code span of ``other``, with or without backticks."""
    return all(f" {code} " in f" {one.text} " for code in other.code)


def without_marker(text: str) -> str:
    """Return ``text`` without the markers of quotes, headings, items and tasks at its start."""
    return _MARKER.sub("", text.strip(), count=1)


def _symbols(text: str) -> str:
    """Return the symbols that carry meaning: ``C``, ``C++`` and ``C#`` differ."""
    return "".join(char for char in without_marker(text) if char in "+#=<>@$%&^~|\\/")
