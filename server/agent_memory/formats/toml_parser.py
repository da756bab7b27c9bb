"""Parse TOML with limits on nesting, digits and size."""

from __future__ import annotations

import re
from typing import Any

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.formats.limits import (
    MAX_DEPTH,
    MAX_DIGITS,
    line_of,
    parse,
    too_deep,
    too_many_digits,
)

MAX_CHARS = 4 * 1024 * 1024
"""Characters of a text."""

_TOKEN = lazy_compile(
    r'"""(?:[^\\"]|\\.|"(?!""))*+"{0,5}|\'\'\'(?:[^\']|\'(?!\'\'))*+\'{0,5}'
    r'|"(?:[^"\\\n]|\\.)*+"?|\'[^\'\n]*+|#[^\n]*+'
    r"|(?P<open>[\[{])|(?P<close>[\]}])|(?P<dot>\.)|(?P<end>[\n=,])|(?P<word>\w++)",
    re.DOTALL,
)
"""Brackets, dots and words; strings and comments are matched so that those in them do not count.
``end`` ends a dotted key.
"""


def parse_toml(text: str) -> dict[str, Any]:
    """Return the TOML table that ``text`` contains, {} for ''.

    Raises:
        FormatError: it is not TOML, or exceeds a limit.

    """
    if not text:  # a missing file: no need to import the parser
        return {}
    import tomllib  # noqa: PLC0415 -- 3 ms, and many projects have no TOML

    tables: dict[str, Any] = parse(text, MAX_CHARS, _ensure_within_limits, tomllib.loads)
    return tables


def _ensure_within_limits(text: str) -> None:
    """Check the nesting of brackets, the parts of dotted keys, and the digits of numbers.

    Raises:
        FormatError: one of them exceeds its limit.

    """
    depth = 0  # open brackets
    dots = 0  # those of the current key, which begins after `open` or `end`
    for token in _TOKEN.finditer(text):
        kind = token.lastgroup  # None for a string or comment
        if kind == "open":
            depth += 1
            dots = 0
        elif kind == "close":
            depth -= 1
        elif kind == "dot":
            dots += 1
        elif kind == "end":
            dots = 0
        elif kind == "word" and len(token[0]) > MAX_DIGITS and token[0][0].isdigit():
            # A word that begins with a digit is a number, or a key, which nobody writes so long.
            raise too_many_digits(line_of(text, token.start()))
        if depth > MAX_DEPTH or dots >= MAX_DEPTH:  # n dots separate n + 1 parts of a key
            raise too_deep(line_of(text, token.start()))
