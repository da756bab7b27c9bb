"""Parse JSON with limits on nesting, digits and size."""

from __future__ import annotations

import json
import re
from typing import Any

from agent_memory.formats.limits import (
    MAX_DEPTH,
    MAX_DIGITS,
    FormatError,
    line_of,
    too_deep,
    too_large,
    too_many_digits,
)

MAX_CHARS = 16 * 1024 * 1024

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+"?|(?P<open>[\[{])|(?P<close>[\]}])|[0-9]++', re.DOTALL)


def parse_json(text: str) -> Any:
    """Return the value of ``text``.

    Raises:
        FormatError: it is not JSON, or exceeds a limit.

    """
    if len(text) > MAX_CHARS:
        raise too_large(0)
    _check(text)
    try:
        return json.loads(text)
    except RecursionError:
        raise too_deep(0) from None
    except ValueError as error:
        raise FormatError(str(error)) from error


def _check(text: str) -> None:
    """Check nesting and numbers.

    Raises:
        FormatError: they exceed a limit.

    """
    depth = 0
    for token in _TOKEN.finditer(text):
        if token["open"]:
            depth += 1
            if depth > MAX_DEPTH:
                raise too_deep(line_of(text, token.start()))
        elif token["close"]:
            depth -= 1
        elif token.end() - token.start() > MAX_DIGITS and token[0][0] != '"':
            raise too_many_digits(line_of(text, token.start()))
