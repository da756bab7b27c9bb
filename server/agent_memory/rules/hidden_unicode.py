"""AM107: characters that a person cannot see and a model reads.

Tag characters spell hidden ASCII; bidirectional controls show another order than is read;
zero-width characters hide borders. Emoji sequences (variation selectors, a zero-width joiner
between pictographs, flag tags) are ordinary text and never reported.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from agent_memory.model import Severity
from agent_memory.rules.base import LineFix, LineHit, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

_HIDDEN = re.compile(
    "[\u200b\u200c\u200d\u2060-\u2064\u180e\u00ad\ufeff"
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
    "\U000e0000-\U000e007f]+"
)
_FLAG = re.compile("\U0001f3f4[\U000e0020-\U000e007e]+\U000e007f")
_JOINED = re.compile("(?<=[^\x00-\u0fff])[\ufe0f\U0001f3fb-\U0001f3ff]?(\u200d)(?=[^\x00-\u0fff])")
_SCRIPT_JOINER = re.compile("(?<=[\u0600-\u0eff])[\u200c\u200d](?=[\u0600-\u0eff])")


def check(line: str) -> Iterator[LineHit]:
    """Report each run of hidden characters of ``line``."""
    if line.isascii():
        return
    ordinary = {at for match in _FLAG.finditer(line) for at in range(*match.span())}
    ordinary |= {match.start(1) for match in _JOINED.finditer(line)}
    ordinary |= {match.start() for match in _SCRIPT_JOINER.finditer(line)}
    for match in _HIDDEN.finditer(line):
        start, end = match.span()
        if all(at in ordinary for at in range(start, end)):
            continue
        yield LineHit(
            start,
            end,
            _message(match[0]),
            (LineFix("Remove the hidden characters", ((start, end, ""),)),),
            Severity.WARNING if set(match[0]) == {"\u00ad"} else None,
        )


def _message(run: str) -> str:
    names = ", ".join(f"U+{ord(char):04X}" for char in dict.fromkeys(run[:8]))
    hidden = "".join(
        chr(ord(char) - 0xE0000) for char in run if "\U000e0020" <= char <= "\U000e007e"
    )
    said = f' that spell "{hidden}" to the agent' if hidden else ""
    return f"{len(run)} invisible character{'s' * (len(run) > 1)} ({names}){said}"


RULE = Rule("AM107", "hidden-unicode", Severity.ERROR, "Text that only the agent sees", line=check)
