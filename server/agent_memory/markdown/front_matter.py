"""Front matter: the lines between two ``---`` at the top of a file, unless they are text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from agent_memory.base.text import without_newline

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

# A line with a key: "name: review", "tags:" or "'a key': 1".
_KEY = re.compile(r"(?:[A-Za-z_][\w.-]*|\"[^\"]+\"|'[^']+')[ \t]*:(?P<value>$|[ \t].*)")
_INDENTED_OR_COMMENT = re.compile(r"[ \t]|#")


def find(lines: Sequence[str], *, mapping: bool) -> tuple[int, int] | None:
    """Return the line numbers (from 0) of the two fences of the front matter, None without one.

    With ``mapping`` only a YAML mapping counts: in memory the first line can also be a thematic
    break, with a list between it and the next one.
    """
    if not lines or without_newline(lines[0]).rstrip() != "---":
        return None
    for number in range(1, len(lines)):
        if without_newline(lines[number]).rstrip() in ("---", "..."):
            inside = (without_newline(line).rstrip() for line in lines[1:number])
            return (0, number) if not mapping or _is_mapping(inside) else None
    return None


def _is_mapping(lines: Iterable[str]) -> bool:
    """Whether ``lines`` begin with a key, and all further unindented lines may follow a key.

    A key may be followed by another key, a blank line, a comment, which looks like a heading, or,
    if it has no value, an item. Blank lines may precede the first key. ``lines`` have no white
    space at their ends. False without any key.
    """
    may_have_items: bool | None = None  # the last key has no value; None: before the first key
    for line in lines:
        key = _KEY.match(line)
        if key:
            may_have_items = not key["value"].strip()
        elif not line:
            continue
        elif may_have_items is None:  # the text does not begin with a key
            return False
        else:
            is_item = may_have_items and line[:2] == "- "
            if not is_item and not _INDENTED_OR_COMMENT.match(line):
                return False
    return may_have_items is not None
