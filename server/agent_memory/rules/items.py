"""What the rules about repetition compare: the items of a file, normalised."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agent_memory.markdown import Kind

if TYPE_CHECKING:
    from agent_memory.markdown import Item
    from agent_memory.rules.base import MemoryFile

_MARKUP = re.compile(r"\*\*|__|(?<!\w)[*_](?=\w)|(?<=\w)[*_](?!\w)")
_TASK = re.compile(r"\[[ xX]\]\s")
_WORDS_MIN = 4
"""Words an item needs to be compared: short ones ("Yes", a command) are repeated on purpose."""


@dataclass(frozen=True, slots=True)
class Said:
    """A top-level statement: its item, and the text two equal statements share."""

    item: Item
    key: str


def items_of(file: MemoryFile) -> list[Said]:
    """Return the items of ``file`` that are long enough to be compared, in order."""
    return file.content.once("items", lambda: _items(file))


def _items(file: MemoryFile) -> list[Said]:
    out: list[Said] = []
    for item in file.markdown.items:
        if file.markdown.kinds[item.line] is not Kind.ITEM or _TASK.match(item.text):
            continue
        text = " ".join([item.text, *file.lines[item.line + 1 : item.end_line]])
        words = normalised(text)
        if words.count(" ") + 1 >= _WORDS_MIN and not words.endswith(":"):
            out.append(Said(item, words))
    return out


def normalised(text: str) -> str:
    """Return ``text`` without what does not change its meaning: case, emphasis, full stop."""
    return " ".join(_MARKUP.sub("", text).split()).casefold().rstrip(".! ")
