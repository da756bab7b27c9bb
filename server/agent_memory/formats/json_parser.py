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
    """Return the JSON value that ``text`` contains.

    Raises:
        FormatError: it is not JSON, or exceeds a limit.

    """
    return parse(text, MAX_CHARS, _ensure_within_limits, json.loads)


def _ensure_within_limits(text: str) -> None:
    """Check the nesting of brackets and the digits of numbers.

    Raises:
        FormatError: the nesting exceeds ``MAX_DEPTH``, or digits in a row ``MAX_DIGITS``.

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
