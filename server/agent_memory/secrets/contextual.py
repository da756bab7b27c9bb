"""Values that only their name gives away: ``name = value`` with a telling name.

Far less sure than a known shape, so everything that looks like words, code, a path, a
reference or a stand-in is left alone.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from agent_memory.secrets.anchors import long_words
from agent_memory.secrets.checks import entropy
from agent_memory.secrets.model import Confidence, Group, Secret
from agent_memory.secrets.placeholders import digest, is_cut, is_placeholder
from agent_memory.secrets.tokens import SPARSE

if TYPE_CHECKING:
    from collections.abc import Iterator

NAME_MAX = 64
"""Code points before a long word that are searched for its name."""

_TELLING = re.compile(
    r"passw(?:or)?d|passphrase|secret|token|credential|"
    r"(?:api|access|auth|account|private|encryption|signing|master|service|storage)[_ -]?key|_key\b"
)
_PASSWORD = re.compile(r"passw(?:or)?d|passphrase")
_DIGIT = re.compile(r"[0-9]")
_LETTER = re.compile(r"[A-Za-z]")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_NOT_A_NAME = re.compile(r"[^A-Z0-9]+")
_ASCII_LOWER = {at: at + 32 for at in range(65, 91)}
# From the telling word to the value: the rest of the name, a separator, an opening quote.
_ASSIGNED = re.compile(
    r"(?P<rest>[\w.\]-]{0,32}+)[\"'`*]{0,4}[ \t]{0,8}"
    r"(?::=|=>|->|[:=|]|\bis\b)[\"'`*]{0,4}[ \t]{0,8}"
    r"(?P<quote>[\"'`]?)(?P<value>[^\s\"'`<>|,;\\]{8,200}+)(?P<after>.?)"
)
_NAME_BEFORE = re.compile(r"[A-Za-z][\w-]{0,48}\Z")
_NOT_A_VALUE = re.compile(
    r"_?(?:id|ids|name|names|file|path|url|uri|endpoint|type|count|limit|length|size|budget|hash|"
    r"version|prefix|suffix|pattern|regex|format|expir\w*|ttl|ref|arn|field|header|scope|s)\Z",
    re.IGNORECASE,
)
_PUBLIC = re.compile(r"max_?|min_?|num_?|public|publishable|anon|csrf|test|sha|digest|checksum")
_STAND_IN = re.compile(
    r"test|demo|pass|secret|s3cr3t|token|admin|default|user|none|null|undefined|change|my[_-]|"
    r"abc123|12345|qwerty|letmein|hunter2|foo|bar\b|value|string|key[_-]|[_-]key|hidden|env|"
    r"config|process|vault|ssm|xxx|\A[$%{<(\[/~.@*&!]|\$\{|\{\{|\$\(|://|[()\[\]{}]",
    re.IGNORECASE,
)
_WORDS = re.compile(r"[A-Z]?[a-z]{3,}|[A-Z]{3,}")
_CHANGE = re.compile(r"[a-z](?=[A-Z0-9])|[A-Z](?=[a-z0-9])|[0-9](?=[A-Za-z])")


def find(text: str) -> Iterator[Secret]:
    """Yield the values of ``text`` that stand behind a telling name, in no order.

    Only what could be a value is looked at: a long word with a digit, and what follows a word
    for a password, which may be short.
    """
    attempts = 64 + len(text) // SPARSE
    for start, end in long_words(text):
        if not _DIGIT.search(text, start, end):
            continue
        low = max(start - NAME_MAX, text.rfind("\n", 0, start) + 1)
        for telling in _TELLING.finditer(lower(text[low:end])):
            attempts -= 1
            if attempts < 0:
                return
            yield from _value(text, low + telling.start(), low + telling.end())
    for telling in _PASSWORD.finditer(lower(text)):
        attempts -= 1
        if attempts < 0:
            return
        yield from _value(text, *telling.span())


def _value(text: str, start: int, end: int) -> Iterator[Secret]:
    """Yield the secret that the telling word at ``start`` to ``end`` names, if there is one."""
    found = _ASSIGNED.match(text, end)
    if not found:
        return
    before = _NAME_BEFORE.search(text, max(0, start - 49), start)
    name = text[before.start() if before else start : end] + found["rest"]
    if _is_secret(name, found, text):
        yield _secret(found, name)


def lower(text: str) -> str:
    """Return ``text`` in lower case, with every character where it was."""
    lowered = text.lower()
    return lowered if len(lowered) == len(text) else text.translate(_ASCII_LOWER)


def _is_secret(name: str, found: re.Match[str], text: str) -> bool:
    value = found["value"]
    if _NOT_A_VALUE.search(found["rest"]) or _PUBLIC.search(name.lower()):
        return False
    if found["quote"] and found["after"] != found["quote"]:
        return False
    password = _PASSWORD.search(name.lower()) is not None
    if len(value) < (8 if password else 16) or is_stand_in(value):
        return False
    return is_random(value, 2.5 if password else 3.0) and not is_cut(text, found.end("value"))


def is_stand_in(value: str) -> bool:
    """Whether ``value`` is a reference, a piece of code or a word that fills the place."""
    return _STAND_IN.search(value) is not None or is_placeholder(value)


def is_random(value: str, floor: float) -> bool:
    """Whether ``value`` has letters and digits, an entropy of ``floor``, and is no words."""
    if not (_DIGIT.search(value) and _LETTER.search(value)) or entropy(value) < floor:
        return False
    if len(_CHANGE.findall(value)) * 6 < len(value):
        return False
    return sum(map(len, _WORDS.findall(value))) * 2 <= len(value)


def _secret(found: re.Match[str], name: str) -> Secret:
    value = found["value"]
    variable = _NOT_A_NAME.sub("_", _CAMEL.sub("_", name).upper())
    return Secret(
        found.start("value"),
        found.end("value"),
        "named-value",
        f"Value of {name}",
        f"\u2026({len(value)})",
        Confidence.CONTEXT,
        Group.CONTEXT,
        variable.strip("_"),
        digest(value),
    )
