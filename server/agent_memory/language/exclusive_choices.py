"""Finds what a statement chooses where a project has one of several options.

An example is npm or pnpm. Each table of choices.toml is such a choice with its options.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.base.toml_tables import read_tables

if TYPE_CHECKING:
    from collections.abc import Iterator

DATA = Path(__file__).with_name("choices.toml")
# A word before the option that is chosen, as in "use npm".
_USE = r"\b(?:use|using|with|via|through|prefer|only)\s+"
_USED = lazy_compile(_USE)
_REJECTED = lazy_compile(
    r",? ?\b(?:instead of|rather than|over|not|never|no) (?:using )?[\w.+-]+,?|[,;(].*"
    r"|\b(?:except|unless)\b.*"
)
"""What a statement rejects, and all after a comma, a bracket or an exception: other things."""
# Words that do not name what a choice is for.
_NO_PURPOSE = lazy_compile(
    r"\b(?:a|all|always|an|and|any|as|at|be|by|code|everything|everywhere|for|in|is|keep|limit"
    r"|max|maximum|most|must|of|only|our|please|prefer|project|should|style|targets?|the|through"
    r"|to|under|use|using|via|with|you|your)\b"
)
_START = lazy_compile(r"\b[a-z]{1,3}")  # the first one to three letters of a word
_WORD = lazy_compile(r"[\w.+#/-]+")
_SYNONYMS = {
    **dict.fromkeys(("respond", "reply", "communicate", "speak", "talk"), "answer"),
    "responses": "answers",
    "replies": "answers",
}
"""Words of a purpose that mean the same, and the one that stands for them."""


class ExclusiveChoice(NamedTuple):
    """A table of choices.toml, which explains its keys. ``about`` is the name of the table."""

    about: str
    pattern: re.Pattern[str]
    ignored: frozenset[str]
    synonyms: dict[str, str]
    word: str
    """A word that is in every text with this choice, such as "python"; '' if it has none."""
    needs_use: bool
    """Whether the pattern begins with a word such as "use"."""
    starts: frozenset[str]
    """The first one to three letters of the options; empty if the choice has a word."""

    def may_be_in(self, text: str, starts: list[str], *, has_use: bool) -> bool:
        """Whether ``text`` may make this choice; False means that it does not.

        It is a prefilter, because compiling a pattern takes 0.2 ms. ``starts`` are the first one to
        three letters of the words of ``text``. ``has_use``: ``text`` has a word such as "use".
        """
        if self.word not in text:  # '' is in every text
            return False
        if self.needs_use and not has_use:
            return False
        return not self.starts or not self.starts.isdisjoint(starts)


def chosen(text: str) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield ((about, purpose words…), option) for each choice that ``text`` makes.

    ``text`` is in lower case and one clause. "use npm for the docs" gives
    ``("node packages", "docs"), "npm"``. Two statements conflict if they choose different options
    for the same thing and purpose. A choice is left out if ``text`` names several of its options
    without rejecting all but one, or has an "or" after the option.
    """
    if not names_option(text):
        return
    has_use = _USED.search(text) is not None
    starts = _START.findall(text)
    for choice in _choices():
        if not choice.may_be_in(text, starts, has_use=has_use):
            continue
        match = choice.pattern.search(text)
        if match is None:
            continue
        option = match[match.lastindex or 0]  # the last group that matched; 0: the whole match
        before = text[: match.start()]
        after = _REJECTED.sub(" ", text[match.end() :])
        # A second option need not follow a "use" of its own, as in "use npm and pnpm".
        if choice.pattern.search(f"use {before} use {after}") or " or " in after:
            continue
        between = match[0].partition(option)[0]  # words of the match before the option
        words = _NO_PURPOSE.sub(" ", f"{before} {between} {after}")
        purpose = (_SYNONYMS.get(word, word) for word in _WORD.findall(words))
        about = (choice.about, *(word for word in purpose if word not in choice.ignored))
        yield about, choice.synonyms.get(option, option)


def names_option(text: str) -> bool:
    """Return whether ``text`` may name an option of a choice; False means that it names none.

    The function is the prefilter of :func:`chosen`.
    """
    # Few words begin like an option. Comparing first letters takes a fifth of the time of a search.
    may_name = not _starts().isdisjoint(_START.findall(text))
    if may_name and _options().search(text):
        return True
    return any(map(text.__contains__, _words()))  # the choices that _options() leaves out


@cache
def _options() -> re.Pattern[str]:
    """Return a pattern that finds each option of the choices without a ``word``."""
    return re.compile(rf"\b(?:{'|'.join(_options_without_word())})")


@cache
def _starts() -> frozenset[str]:
    """Return the first one to three letters of the options of all choices without a ``word``."""
    return frozenset().union(*(choice.starts for choice in _choices()))


def _starts_of(options: str) -> frozenset[str]:
    """Return the first one to three letters of each of ``options``, a regular expression.

    Each option of a choice without a ``word`` begins with a letter.
    """
    names = re.split(r"\|(?![^(]*\))", options)  # at each | outside of brackets
    starts = (re.match(r"[a-z]{1,3}", name) for name in names)
    return frozenset(start[0] for start in starts if start)


def _options_without_word() -> list[str]:
    """Return the options (a regular expression per choice) of the choices without a ``word``.

    A choice has a ``word`` if its options are numbers, which are in very many texts.
    """
    return [entry["options"] for entry in read_tables(DATA).values() if not entry.get("word")]


@cache
def _words() -> frozenset[str]:
    """Return the ``word`` of each choice that has one."""
    return frozenset(choice.word for choice in _choices() if choice.word)


@cache
def _choices() -> tuple[ExclusiveChoice, ...]:
    """Return the choices of choices.toml in its order."""
    choices = []
    for about, entry in read_tables(DATA).items():
        pattern = entry["pattern"].replace("{use}", _USE).replace("{options}", entry["options"])
        synonyms = dict(pair.split("=") for pair in entry.get("synonyms", "").split())
        ignored = frozenset(entry.get("ignored", "").split())
        word = entry.get("word", "")
        choice = ExclusiveChoice(
            about,
            lazy_compile(pattern),
            ignored,
            synonyms,
            word,
            # No alternative of such a pattern matches a text that has no word such as "use".
            needs_use=entry["pattern"].startswith("{use}"),
            starts=frozenset() if word else _starts_of(entry["options"]),
        )
        choices.append(choice)
    return tuple(choices)
