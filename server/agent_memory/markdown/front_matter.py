"""Front matter: the lines between two rules at the top of a file, told from text between rules."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from agent_memory.base.text import body

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_KEY = re.compile(r"(?:[A-Za-z_][\w.-]*|\"[^\"]+\"|'[^']+')[ \t]*:(?P<value>$|[ \t].*)")
_PASSED_OVER = re.compile(r"[ \t]|#")


def find(lines: Sequence[str], *, mapping: bool) -> tuple[int, int] | None:
    """Return the lines of the two fences around the front matter of ``lines``, if it has any.

    With ``mapping`` only what has the shape of a YAML mapping counts: in memory the first line
    may as well be a rule, and what stands between it and the next one a list.
    """
    if not lines or body(lines[0]).rstrip() != "---":
        return None
    for number in range(1, len(lines)):
        if body(lines[number]).rstrip() in ("---", "..."):
            inside = (body(line).rstrip() for line in lines[1:number])
            return (0, number) if not mapping or _is_mapping(inside) else None
    return None


def _is_mapping(lines: Iterable[str]) -> bool:
    """Whether ``lines`` begin with a key and have no other text at their left edge.

    A heading of markdown is a comment of YAML, so it may stand below a key only; so may the items
    of a key without a value.
    """
    listed: bool | None = None  # None: there was no key yet
    for line in lines:
        key = _KEY.match(line)
        if key:
            listed = not key["value"].strip()
        elif not line:
            continue
        elif listed is None or not (_PASSED_OVER.match(line) or (listed and line[:2] == "- ")):
            return False
    return listed is not None
