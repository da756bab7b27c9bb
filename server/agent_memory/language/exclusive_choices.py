"""Things of which an agent is told to use one: which of them a statement chooses, and for what."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.base.lazy_regex import lazy_compile

if TYPE_CHECKING:
    from collections.abc import Iterator

_WITH = r"\b(?:use|using|with|via|through|prefer|only)\s+"
_LANGUAGE = (
    "english|german|french|spanish|italian|portuguese|dutch|polish|russian|ukrainian|turkish"
    "|chinese|japanese|korean|arabic|hindi|vietnamese"
)
_SHORT = dict.fromkeys(("short", "brief", "concise", "terse"), "short")
_LONG = dict.fromkeys(("long", "lengthy", "detailed", "verbose"), "long")
_LENGTH = "|".join((*_SHORT, *_LONG))
_ANSWERS = "(?:answers|responses|replies|explanations)"
_GROUPS = {
    name: lazy_compile(pattern)
    for name, pattern in {
        "node packages": rf"{_WITH}(npm|pnpm|yarn|bun)\b(?!\s+(?:run|install|ci|test)\b)",
        "python packages": rf"{_WITH}(pip|uv|poetry|pdm|pipenv)\b",
        "python tests": rf"{_WITH}(pytest|unittest)\b",
        "node tests": rf"{_WITH}(jest|vitest|mocha)\b",
        "quotes": rf"{_WITH}(single|double)[- ]quote[sd]?\b",
        "history": rf"{_WITH}(merge commits|rebas(?:e|ing))\b",
        "indentation": rf"(?:{_WITH}|\bindent(?:ation)?(?: is|:| by)?\s+)"
        r"(tabs?|(?:\w+[- ])?spaces?)\b",
        "language": rf"\bin\s+({_LANGUAGE})\b",
        "python version": rf"{_WITH}python\s+(3\.\d+)(?![\d.+]| or )",
        "length": rf"\b(?:be|{_ANSWERS}(?: are| be)?)\s+({_LENGTH})\b|\b({_LENGTH}) {_ANSWERS}\b",
        "line length": r"\bline(?: length|s)\b[^\d]{0,40}?\b(\d{2,3})\b",
    }.items()
}
# One of these stands in every statement that chooses; looking for them first is much faster.
_NEEDED = lazy_compile(
    rf"npm|yarn|bun\b|pip|uv\b|poetry|pdm|test|jest|mocha|quote|merge|rebas|tab|space|python|line"
    rf"|{_LANGUAGE}|{_LENGTH}"
)
_REJECTED = lazy_compile(r"[,;(]|\b(?:instead of|rather than|over|not|never|except|unless)\b.*")
_WIDTH = lazy_compile(r"(\d|two|four|eight)[- ]space")
_SAYS = {**_SHORT, **_LONG, "rebase": "rebasing"}
_DIGITS = {"two": "2", "four": "4", "eight": "8"}
_EMPTY = lazy_compile(
    r"\b(?:a|all|always|an|and|any|as|at|be|by|code|everything|everywhere|for|in|is|keep|limit"
    r"|max|maximum|most|must|of|only|our|please|prefer|project|should|the|through|to|under|use"
    r"|using|via|with|you|your)\b"
)
_WORD = lazy_compile(r"[\w.+#/-]+")
_SAME = {
    **dict.fromkeys(("respond", "reply", "communicate", "speak", "talk"), "answer"),
    "responses": "answers",
    "replies": "answers",
}
_PACKAGES = frozenset(("package", "packages", "manager", "management"))
_TESTS = frozenset(("run", "write", "test", "tests", "testing"))
_OWN_WORDS = {
    "node packages": _PACKAGES,
    "python packages": _PACKAGES,
    "node tests": _TESTS,
    "python tests": _TESTS,
    "quotes": frozenset(("string", "strings")),
    "indentation": frozenset(("indent", "indentation", "indenting", "level", "per")),
    "length": frozenset(("give", "write", "want", "like", "answers", "the", "i", "user", "we")),
    "line length": frozenset(
        (
            *("line", "length", "lines", "characters", "chars", "columns", "than", "not", "no"),
            *("exceed", "longer", "shorter", "below", "within", "up", "over", "stay", "limited"),
            *("set", "allowed"),
        )
    ),
}


def chosen(text: str) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield what ``text`` (lower case, one clause) chooses: (group, for what…) and the choice.

    Two statements contradict each other where they agree in the first and differ in the second.
    Silent where a statement names several of a group without saying which one is meant.
    """
    if not _NEEDED.search(text):
        return
    for group, pattern in _GROUPS.items():
        found = pattern.search(text)
        if found is None:
            continue
        rest = _REJECTED.sub("", text[found.end() :], count=1)
        if pattern.search(f"use {text[: found.start()]} use {rest}") or " or " in rest:
            continue
        choice = found[found.lastindex or 0]
        between = found[0].rpartition(choice)[0] if group == "line length" else ""
        words = _purpose(group, f"{text[: found.start()]} {between} {rest}")
        if group != "indentation":
            yield (group, *words), _SAYS.get(choice, choice)
            continue
        width = _WIDTH.match(choice)
        yield (group, *words), "tabs" if choice.startswith("tab") else "spaces"
        if width:
            yield ("indentation width", *words), _DIGITS.get(width[1], width[1])


def _purpose(group: str, text: str) -> list[str]:
    """Return the words of ``text`` that say for what something is chosen."""
    ignored = _OWN_WORDS.get(group, frozenset())
    words = (_SAME.get(word, word) for word in _WORD.findall(_EMPTY.sub(" ", text)))
    return [word for word in words if word not in ignored]
