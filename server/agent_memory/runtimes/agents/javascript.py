"""What agents written in JavaScript do with text: decoding, white space, trimming."""

from __future__ import annotations

import unicodedata
from dataclasses import replace
from typing import TYPE_CHECKING

from agent_memory.fs.reader import Failure
from agent_memory.runtimes.segments import line_breaks

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agent_memory.base.model import Segment
    from agent_memory.fs.reader import FileText

SPACE = (
    "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)
"""What JavaScript's ``trim`` removes and ``\\s`` matches; Python's sets differ."""
S = f"[{SPACE}]"
"""``\\s`` of JavaScript as a part of a Python pattern."""


def decoded(content: FileText) -> str:
    """Return the text of a file as Node decodes it: invalid bytes become U+FFFD."""
    if content.failure is Failure.UNDECODABLE:
        return content.raw.decode("utf-8", "replace")
    return content.text


_ORDER = "_-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$0123456789"
"""Characters that are not letters, in the order of the Unicode collation algorithm."""


def sort_key(text: str) -> tuple[list[tuple[int, str]], str]:
    """Return a key that sorts most names as JavaScript's ``localeCompare`` does.

    Letters come after all other characters. Case and accents only decide between names that are
    otherwise equal, lower case first: the key is (ranks of the characters without both, ``text``
    with upper and lower case swapped).
    """
    plain = unicodedata.normalize("NFKD", text.casefold())
    chars = [char for char in plain if not unicodedata.combining(char)]  # without accents
    ranks = [(_ORDER.find(char) if char in _ORDER else len(_ORDER), char) for char in chars]
    return ranks, text.swapcase()


def trimmed(segments: Sequence[Segment]) -> list[Segment]:
    """Return ``segments`` without the white space at both ends of their joined text."""
    out = list(segments)
    while out:  # delete segments of white space up to the first one with text, and strip that
        first = out[0]
        text = first.text.lstrip(SPACE)
        if text:
            removed = first.text[: len(first.text) - len(text)]
            out[0] = replace(first, text=text, line=first.line + line_breaks(removed))
            break
        del out[0]
    while out:
        text = out[-1].text.rstrip(SPACE)
        if text:
            out[-1] = replace(out[-1], text=text)
            break
        del out[-1]
    return out
