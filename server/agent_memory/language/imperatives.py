"""What a statement tells the agent to do, in a form in which two that differ can be found.

Read are English imperatives of one line: *do X* and *never do X*, *prefer A over B*, and the use
of one thing of several that exclude each other, such as tabs and spaces, npm and pnpm, or the
language answers are written in.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.language.exclusive_choices import chosen

if TYPE_CHECKING:
    from collections.abc import Iterator

_REASON = lazy_compile(
    r"\s*(?:;|\s\(|\s[-–—]\s|,?\s(?:because|since|so that|as it|unless)\b|\.\s).*"  # noqa: RUF001
)
# What a bracket says is where the statement holds, unless it begins like a reason or a repetition.
_BRACKET = lazy_compile(r"\s\(([^()]+)\)")
_NO_SCOPE = lazy_compile(
    r"(?:because|since|so|as|due|the|it|its|it's|they|we|i|this|that|no|not|never|instead|please|see"
    r"|always|required|mandatory|important|preferred|default|strict(?:ly)?|faster|slower|really)\b"
)
# A condition behind the second thing may be meant for the first one, so nothing is cut off then.
_AND = lazy_compile(r":\s.*|,?\s(?:and|then)\s(?!.*\b(?:when|if|only|unless|until)\b).*")
_NO = lazy_compile(
    r"(?:please )?(?:you (?:must|should) )?"
    r"(?:never|do not|don't|don’t|must not|should not|avoid|no longer|no(?= \w+ ?\w*\Z))"  # noqa: RUF001
    r"\s+(?:ever )?"
)
_YES = lazy_compile(r"(?:please )?(?:always|do|make sure to|you must|you should|must)\s+")
_INSTEAD = lazy_compile(r",\s+(?:but )?(?:instead )?(?=(?:use|prefer|always)\s)")
_WHO = lazy_compile(
    r"(?:(?:the |this )?(?:user|project|team|repo|repository|codebase)|we|i)\s+"
    r"((?:always|never)\s+)?(use|prefer|want|like)s?\b"
)
_PREFER = lazy_compile(r"(?:prefer|use)\s+(.+?)\s+(?:over|instead of|rather than|not)\s+(.+)\Z")
_NOUN = lazy_compile(r"(?:use|using|prefer)\s+")
_CORE_MIN = 2  # words; one alone says too little
# What a claim begins with, behind emphasis and code marks; most statements have none of these.
_CLAIMING = lazy_compile(
    r"[\s*_`]*(?:please|never|do|avoid|no|always|make|you|must|should|us|prefer|indent|line"
    r"|max|keep|limit|respond|answer|reply|write|speak|communicate|talk|install|run|manage|format"
    r"|give|be\b|i\b|we\b|the\b|this\b|project|team|repo|codebase)",
    re.IGNORECASE,
)


class Claim(NamedTuple):
    """``about`` is what two claims must share to be compared, ``says`` what they differ in."""

    about: tuple[str, ...]
    says: str


def claims_in(text: str) -> tuple[Claim, ...]:
    """Return what ``text`` (normalised, one statement) claims; nothing for most texts."""
    return _claimed(text) if _CLAIMING.match(text) else ()


def plainly(text: str) -> Claim:
    """Return ``text`` (normalised) read as something to do, as it would be forbidden elsewhere.

    Of several things to do, it is the first one.
    """
    text, scope = _said(text)
    return Claim(("do", _AND.sub("", text), *scope), "yes")


def opposed(one: str, other: str) -> bool:
    """Whether the two texts (normalised) tell the agent to do opposite things."""
    first = dict((*claims_in(one), plainly(one)))
    second = dict(claims_in(other))
    if "no" in first.values():
        second.setdefault(*plainly(other))
    return any(second.get(about, says) != says for about, says in first.items())


@lru_cache(maxsize=1 << 15)
def _claimed(text: str) -> tuple[Claim, ...]:
    text, scope = _said(text)
    return tuple(
        Claim((*claim.about, *scope), claim.says)
        for clause in _INSTEAD.split(_WHO.sub(r"\1\2", text, count=1))
        for claim in _read(clause)
    )


def _said(text: str) -> tuple[str, tuple[str, ...]]:
    """Return ``text`` without reasons and brackets, and what the brackets limit it to."""
    blank = _BRACKET.sub(lambda bracket: "\0" * len(bracket[0]), text.replace("`", ""))
    kept = _REASON.sub("", blank)
    if "\0" not in kept:
        return kept, ()
    brackets = _BRACKET.finditer(text.replace("`", ""), 0, len(kept))
    scope = tuple(found[1].strip() for found in brackets if not _NO_SCOPE.match(found[1].strip()))
    return " ".join(kept.replace("\0", " ").split()), scope


def _read(text: str) -> Iterator[Claim]:
    no = _NO.match(text)
    if not no:
        yield from (Claim(("choice", *about), says) for about, says in chosen(text))
    prefer = _PREFER.match(text)
    if prefer:
        pair = sorted((prefer[1], prefer[2]))
        yield Claim(("prefer", *pair), prefer[1])
        return
    core = text[no.end() :].partition(": ")[0] if no else _YES.sub("", text, count=1)
    if not no and core == text and not _NOUN.match(core):
        return  # neither asked for nor forbidden in so many words: see plainly()
    noun = _NOUN.sub("", core, count=1)
    bare = no is not None and no[0].split()[-1] == "no"  # what should not be there, not what to do
    if core.count(" ") + 1 >= _CORE_MIN and noun == core and not bare:
        yield Claim(("do", core), "no" if no else "yes")
    if noun != core or (no and not no[0].startswith("no longer")):
        yield Claim(("do", f"use {noun}"), "no" if no else "yes")
