"""Parse JSON with limits on nesting, digits and size."""

from __future__ import annotations

import json
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

MAX_CHARS = 16 * 1024 * 1024
"""Characters of a text."""

_TOKEN = lazy_compile(
    r'"(?:[^"\\]|\\.)*+"?|(?P<open>[\[{])|(?P<close>[\]}])|(?P<digits>[0-9]++)', re.DOTALL
)
"""Brackets and digits; strings are matched so that those in them do not count."""


def parse_json(text: str) -> Any:
    """Return the value of ``text``.

    Raises:
        FormatError: it is not JSON, or exceeds a limit.

    """
    return parse(text, MAX_CHARS, _check, json.loads)


def _check(text: str) -> None:
    """Check how deeply brackets are nested and how many digits in a row numbers have.

    Raises:
        FormatError: the nesting or a number exceeds its limit.

    """
    depth = 0
    for token in _TOKEN.finditer(text):
        if token["open"]:
            depth += 1
            if depth > MAX_DEPTH:
                raise too_deep(line_of(text, token.start()))
        elif token["close"]:
            depth -= 1
        elif token["digits"] and token.end() - token.start() > MAX_DIGITS:
            raise too_many_digits(line_of(text, token.start()))
