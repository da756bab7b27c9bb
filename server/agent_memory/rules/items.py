"""What the rules about repetition compare: the items of a file, normalised."""

from __future__ import annotations

import re
from bisect import bisect
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from agent_memory.markdown import Kind

if TYPE_CHECKING:
    from agent_memory.markdown import Item
    from agent_memory.rules.base import MemoryFile

_MARKUP = re.compile(r"\*\*|__|(?<!\w)[*_](?=\w)|(?<=\w)[*_](?!\w)")
_TASK = re.compile(r"\[[ xX]\]\s")
WORDS_MIN = 4
"""Words an item needs to be compared: short ones ("Yes", a command) are repeated on purpose."""


@dataclass(frozen=True, slots=True)
class Said:
    """A statement: its item, the text two equal ones share, its words, and its section."""

    item: Item
    key: str
    words: int
    section: int  # the number of headings above it


def items_of(file: MemoryFile) -> list[Said]:
    """Return the items of ``file`` that are long enough to be compared, in order."""
    return file.content.once("items", lambda: _items(file))


def _items(file: MemoryFile) -> list[Said]:
    out: list[Said] = []
    heads = [heading.line for heading in file.markdown.headings]
    for item in file.markdown.items:
        if file.markdown.kinds[item.line] is not Kind.ITEM or _TASK.match(item.text):
            continue
        text = " ".join([item.text, *file.lines[item.line + 1 : item.end_line]])
        key = normalised(text)
        words = key.count(" ") + 1
        if words >= WORDS_MIN and not key.endswith(":"):
            out.append(Said(item, key, words, bisect(heads, item.line)))
    return out


@lru_cache(maxsize=32768)
@lru_cache(maxsize=1 << 15)
def normalised(text: str) -> str:
    """Return ``text`` without what does not change its meaning: case, emphasis, full stop."""
    return " ".join(_MARKUP.sub("", text).split()).casefold().rstrip(".! ")
