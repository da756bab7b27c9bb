"""Reads English imperatives, so that two statements that say opposite things can be found.

A statement is one line: *always do X* and *never do X*, *prefer A over B*, or the choice of one
of several options (:mod:`agent_memory.language.exclusive_choices`). A *normalized* text is
in lower case and without emphasis (:mod:`agent_memory.language.similarity`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.base.text_cache import TextCache
from agent_memory.language.exclusive_choices import chosen, names_option
from agent_memory.language.similarity import gist

if TYPE_CHECKING:
    from collections.abc import Iterator

# The start of a prohibition, an order, a use, a preference with its subject, a second clause. "no"
# is a prohibition only before one or two words that end the text, as in "no default exports".
_NO = (
    r"(?:please )?(?:you (?:must|should) )?"
    r"(?:never|do not|don't|don’t|must not|should not|avoid|no longer"  # noqa: RUF001
    r"|no(?= \w+(?: \w*)?\Z))\s+(?:ever )?"
)
_YES = r"(?:please )?(?:always|do|make sure to|you must|you should|must)\s+"
_USE = r"(?:use|using|prefer)\s+"
_WHO = (
    r"\b(?:(?:the |this )?(?:user|project|team|repo|repository|codebase)|we|i)\s+"
    r"((?:always|never)\s+)?(use|prefer|want|like)s?\b"
)
_NEXT = r",\s+(?:but )?(?:instead )?(?=(?:use|prefer|always)\s)"
_STARTING = lazy_compile(rf"{_NO}|{_YES}|{_USE}")
"""Every text with a claim begins so, unless ``_INSIDE`` finds something or it names an option."""
_INSIDE = lazy_compile(rf"{_WHO}|{_NEXT}")
"""A subject with its verb, or the start of a second clause: the text can then have a claim."""
_INSIDE_WORDS = ("use", "prefer", "want", "like", "always")
"""One of them is in every text that :data:`_INSIDE` finds something in."""
_PROHIBITION_START, _ORDER_START, _USE_START = (
    lazy_compile(_NO),
    lazy_compile(_YES),
    lazy_compile(_USE),
)
_SUBJECT, _NEXT_CLAUSE = lazy_compile(_WHO), lazy_compile(_NEXT)
_PREFERRED = lazy_compile(r"(?:prefer|use)\s+(.+?)\s+(?:over|instead of|rather than|not)\s+(.+)\Z")
"""``prefer A over B``; the groups are A and B."""
# A reason or an aside, from its first mark or word to the end of the text.
_REASON = lazy_compile(
    r"\s*(?:;|\s\(|\s[-–—]\s|,?\s(?:because|since|so that|as it|unless)\b|\.\s).*"  # noqa: RUF001
)
_BRACKET = lazy_compile(r"\s\(([^()]+)\)")
"""A bracket with the space before it; the group is the text in the bracket."""
_NO_SCOPE = lazy_compile(
    r"(?:because|since|so|as|due|the|it|its|it's|they|we|i|this|that|no|not|never|instead|please|see"
    r"|always|required|mandatory|important|preferred|default|strict(?:ly)?|faster|slower|really)\b"
)
"""A bracket that begins so gives a reason; any other one limits the statement."""
# What is after it is a detail or the second thing to do.
_COLON, _SECOND = lazy_compile(r":\s"), lazy_compile(r",?\s(?:and|then)\s")
_CONDITION = lazy_compile(r"\b(?:when|if|only|unless|until)\b")
_MANNER = lazy_compile(r"\s(?:directly|ever|at all|by hand|manually)\Z")
"""Words at the end that do not change what is ordered."""
_WORDS_MIN = 2  # one word alone says too little


class Claim(NamedTuple):
    """Two claims can be compared if ``about`` is the same; they conflict if ``says`` is not.

    ``about`` begins with the sort of claim, and ``says`` depends on that: ``do`` (``yes`` or
    ``no``), ``prefer`` (the preferred thing) or ``choice`` (the chosen option). ``about`` ends with
    the scope: the brackets that limit the statement.
    """

    about: tuple[str, ...]
    says: str


@TextCache
def claims_in(text: str) -> tuple[Claim, ...]:
    """Return the claims of ``text`` (normalized, one statement); most texts have none."""
    return tuple(_claims(text)) if may_claim(text) else ()


def may_claim(text: str) -> bool:
    """Return whether ``text`` (normalized) may have a claim; False means that it has none.

    The function is the prefilter of :func:`claims_in`.
    """
    plain = text.replace("`", "")
    if "(" in plain:
        plain = _BRACKET.sub("", plain)  # words on both sides of a bracket can be one claim
    if _STARTING.match(plain) or names_option(text):
        return True
    has_inside_word = any(map(plain.__contains__, _INSIDE_WORDS))
    return has_inside_word and _INSIDE.search(plain) is not None


@TextCache
def plain_claim(text: str) -> Claim:
    """Return the claim of ``text`` (normalized) read as an order without *always* or *must*.

    Of several things to do, the first one counts.
    """
    text, scope = _without_reason(text)
    return _order(_first_thing(text), "yes", scope)


def _first_thing(text: str) -> str:
    """Return ``text`` up to a colon or the second thing to do: "lint and test" gives "lint".

    A condition after the second thing may be meant for both, as in "lint and test before a release
    if it is big". So only a second thing after the last condition is cut off.
    """
    conditions = [match.start() for match in _CONDITION.finditer(text)]
    after_conditions = conditions[-1] if conditions else 0
    ends = (_COLON.search(text), _SECOND.search(text, after_conditions))
    first_end = min((end.start() for end in ends if end), default=len(text))
    return text[:first_end]


def opposed(one: str, other: str) -> bool:
    """Return whether the two texts (normalized) tell the agent to do opposite things.

    If one of them has a prohibition, the other text is also read as an order without *always*, so
    *commit to main* opposes *never commit to main*.
    """
    # A claim is a pair of what it is about and what it says, so these are {about: says}. The plain
    # claim of `one` says "yes", so it opposes nothing but a prohibition in `other`.
    claims_of_one = dict((*claims_in(one), plain_claim(one)))  # of equal `about`, the last counts
    claims_of_other = dict(claims_in(other))
    if "no" in claims_of_one.values():
        claims_of_other.setdefault(*plain_claim(other))  # replaces no claim that `other` makes
    return any(
        about in claims_of_other and claims_of_other[about] != says
        for about, says in claims_of_one.items()
    )


def _claims(text: str) -> Iterator[Claim]:
    """Yield the claims of ``text`` (normalized, one statement); :func:`claims_in` caches them."""
    text, scope = _without_reason(text)
    # Without its subject, "the team always prefers X" is the order "always prefer X".
    without_subject = _SUBJECT.sub(r"\1\2", text, count=1)
    for clause in _NEXT_CLAUSE.split(without_subject):
        yield from _claims_of_clause(clause, scope)


def _claims_of_clause(text: str, scope: tuple[str, ...]) -> Iterator[Claim]:
    """Yield the claims of the clause ``text``, limited by ``scope``.

    A clause that is not a prohibition has a claim for each option that it chooses. Besides, any
    clause has the claims of a preference, else of a prohibition, else of an order.
    """
    prohibition = _PROHIBITION_START.match(text)
    if not prohibition:  # a prohibition chooses nothing
        yield from (Claim(("choice", *about, *scope), option) for about, option in chosen(text))
    preference = _PREFERRED.match(text)
    if preference:
        preferred, rejected = preference[1], preference[2]
        # Sorted, so that the opposite preference is about the same.
        yield Claim(("prefer", *sorted((preferred, rejected)), *scope), preferred)
    elif prohibition:
        yield from _prohibited(prohibition[0], text[prohibition.end() :], scope)
    else:
        yield from _ordered(text, scope)


def _prohibited(prohibition: str, prohibited: str, scope: tuple[str, ...]) -> Iterator[Claim]:
    """Yield the claims of a clause: ``prohibition``, such as "never ", then ``prohibited``.

    The word after "never" may be something to do or a thing, so there can be two claims. They are
    limited by ``scope``.
    """
    prohibited = prohibited.partition(": ")[0]  # a reason follows the colon
    use = _USE_START.match(prohibited)
    if use:  # "never use X" and "never prefer X" are the same prohibition
        yield _order(f"use {prohibited[use.end() :]}", "no", scope)
        return
    # X in "never X" is something to do, or a thing that must not be used: both are claimed. After
    # "no", X is only a thing; after "no longer", it is only something to do.
    if _is_comparable(prohibited) and not prohibition.endswith("no "):
        yield _order(prohibited, "no", scope)
    if not prohibition.startswith("no longer"):
        yield _order(f"use {prohibited}", "no", scope)


def _ordered(text: str, scope: tuple[str, ...]) -> Iterator[Claim]:
    """Yield the claim of the clause ``text`` if it is an order, such as "always X" or "use X".

    The claim is limited by ``scope``.
    """
    order = _ORDER_START.match(text)
    ordered = text[order.end() :] if order else text
    use = _USE_START.match(ordered)
    if use:  # "always use X" and "prefer X" are the same order as "use X"
        yield _order(f"use {ordered[use.end() :]}", "yes", scope)
    elif order and _is_comparable(ordered):
        yield _order(ordered, "yes", scope)


def _is_comparable(text: str) -> bool:
    """Return whether ``text`` has enough words to be compared with other statements."""
    return text.count(" ") + 1 >= _WORDS_MIN


def _order(text: str, says: str, scope: tuple[str, ...]) -> Claim:
    """Return the claim to do ``text`` if ``says`` is "yes", and not to do it if it is "no".

    Filler words such as articles, word endings and a last word such as "directly" are ignored. The
    claim is limited by ``scope``.
    """
    words = gist(_MANNER.sub("", text)).orders[0]  # in the order of the text
    return Claim(("do", *words, *scope), says)


def _without_reason(text: str) -> tuple[str, tuple[str, ...]]:
    """Return (``text`` without reasons and brackets, scope: the brackets that limit it).

    "use tabs (in go), because gofmt does" gives ("use tabs", ("in go",)).
    """
    text = " ".join(text.replace("`", "").split())
    # NULs hide the brackets from the search for a reason, without shifting positions. A reason
    # extends to the end of the text, so the text before it is as long as `remaining`.
    remaining = _REASON.sub("", _BRACKET.sub(lambda bracket: "\0" * len(bracket[0]), text))
    if "\0" not in remaining:
        return remaining, ()
    brackets = (match[1].strip() for match in _BRACKET.finditer(text, 0, len(remaining)))
    scope = tuple(bracket for bracket in brackets if not _NO_SCOPE.match(bracket))
    return " ".join(remaining.replace("\0", " ").split()), scope
