"""Whether two items say the same: equal after normalising, or nearly so.

Near means the same words but for a few, whatever their English endings. Items that differ in a
number, a name in code marks or a negation never count as near: "port 8080" and "port 8081" are
two facts.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

_NEAR = 0.8
_CONTAINED_CHARS = 24
_MARKER = re.compile(r"\s*(?:>\s*|#{1,6}\s+|(?:[-*+]|\d{1,9}[.)])\s+)*(?:\[[ xX]\]\s+)?")
_PUNCTUATION = re.compile(r"[^\w\s]|_")
_WORD = re.compile(
    "[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]|[^\\W\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]+"
)
_CODE = re.compile(r"`([^`]+)`")
_MARKUP = re.compile(r"\*\*|__|(?<!\w)[*_](?=\w)|(?<=\w)[*_](?!\w)")
_ENDING = re.compile(
    r"(?<=[a-z]{2})(?:(?P<double>[bdgklmnprt])(?P=double)(?:ing|ed)|(?<=[a-z]{3})(?:ing|ed|e?s|e))\Z"
)
_FILLER_WORDS = "a an the is are be to of in for on and or this that it we you our your always"
_NEGATIONS = "not no never dont cannot cant without avoid wont shouldnt mustnt isnt only"
_FILLER = frozenset(_FILLER_WORDS.split())
_NEGATION = frozenset(_NEGATIONS.split())


@dataclass(frozen=True, slots=True)
class Gist:
    """What an item comes down to when it is compared."""

    text: str
    words: frozenset[str]
    numbers: tuple[str, ...]  # in their order: these must agree
    code: frozenset[str]  # what stands in code marks: the other must name it, marked or not
    negations: frozenset[str]


@lru_cache(maxsize=8192)
def gist(text: str) -> Gist:
    """Return the gist of ``text``, which may begin with a list marker."""
    plain = unicodedata.normalize("NFKC", _MARKER.sub("", text, count=1)).casefold()
    code = frozenset(_flat(match) for match in _CODE.findall(plain))
    flat = _flat(plain)
    words = _WORD.findall(flat)
    numbers = tuple(word for word in words if any(map(str.isdigit, word)))
    every = frozenset(words)
    stems = frozenset(_ENDING.sub(r"\g<double>", word) for word in every - _FILLER)
    return Gist(flat, stems, numbers, code, every & _NEGATION)


def _flat(text: str) -> str:
    return " ".join(_PUNCTUATION.sub(" ", text.replace("'", "").replace("\u2019", "")).split())


@lru_cache(maxsize=1 << 15)
def normalised(text: str) -> str:
    """Return ``text`` without what does not change its meaning: case, emphasis, full stop."""
    if "*" in text or "_" in text:
        text = _MARKUP.sub("", text)
    return " ".join(text.split()).casefold().rstrip(".! ")


def same(one: str, other: str) -> bool:
    """Whether both say the same word for word; case, marks and spaces do not count."""
    first, second = gist(one), gist(other)
    if not first.text:
        return without_marker(one) == without_marker(other)
    return first.text == second.text and _symbols(one) == _symbols(other)


def near(new: str, old: str) -> bool:
    """Whether ``old`` already says ``new``, in nearly the same words or as a part of it."""
    first, second = gist(new), gist(old)
    if not first.words or not second.words:
        return False
    if first.negations != second.negations:
        return False
    if len(first.text) >= _CONTAINED_CHARS and f" {first.text} " in f" {second.text} ":
        return True
    if first.numbers != second.numbers or not (_names(first, second) and _names(second, first)):
        return False
    both = len(first.words & second.words)
    return both >= 3 and both / len(first.words | second.words) >= _NEAR


def _names(one: Gist, other: Gist) -> bool:
    """Whether ``one`` holds what ``other`` has in code marks."""
    return all(f" {code} " in f" {one.text} " for code in other.code)


def without_marker(text: str) -> str:
    """Return ``text`` without what makes it an item, a heading or a task."""
    return _MARKER.sub("", text.strip(), count=1)


def _symbols(text: str) -> str:
    """Return the marks that carry meaning: ``C`` is not ``C++`` nor ``C#``."""
    return "".join(char for char in without_marker(text) if char in "+#=<>@$%&^~|\\/")
