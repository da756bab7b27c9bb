"""Makes answers encodable as UTF-8: a path in them need not be.

For each byte of a file name that is not UTF-8, Python's text has a lone surrogate. The SDK of MCP
cannot send one: a tool would fail, and any other answer would end the server. Frameworks send
the answers of tools to APIs, which expect UTF-8 too.
"""

from __future__ import annotations

from typing import Any


def encodable(value: Any) -> Any:
    r"""Return the JSON ``value`` with escapes such as ``\udce9`` for lone surrogates in strings.

    Tuples become lists. This is for text that is shown; text that is saved gets U+FFFD in place of
    a lone surrogate (:func:`agent_memory.remember.formatting.encodable`).
    """
    if isinstance(value, str):
        try:
            value.encode()
        except UnicodeEncodeError:
            return value.encode("utf-8", "backslashreplace").decode()
        return value  # the same object: it may be marked as secrets.Exact
    if isinstance(value, dict):
        return {encodable(key): encodable(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [encodable(item) for item in value]
    return value
