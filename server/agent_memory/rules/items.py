"""What the rules about repetition compare: the items of a file, normalised."""

from __future__ import annotations

import re
from bisect import bisect
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from agent_memory.markdown import Kind
from agent_memory.rules.examples import example_lines

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.markdown import Item
    from agent_memory.rules.base import MemoryFile

_MARKUP = re.compile(r"\*\*|__|(?<!\w)[*_](?=\w)|(?<=\w)[*_](?!\w)")
_TASK = re.compile(r"\[[ xX]\]\s")
_CHARACTER = re.compile("[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]")
"""A character of a script without spaces between words, in which two make about a word."""


@dataclass(frozen=True, slots=True)
class Said:
    """A statement: its item, the text two equal ones share, its words, and where it stands."""

    item: Item
    key: str
    words: int
    section: int  # the number of headings above it
    siblings: int  # the line of the first item of its list; two lists differ in it
    parent: int  # the line of the item it is nested in, -1 where it is in none


def items_of(file: MemoryFile) -> list[Said]:
    """Return the items of ``file`` that can be compared, in order."""
    return file.content.once("items", lambda: _items(file))


def _items(file: MemoryFile) -> list[Said]:
    out: list[Said] = []
    heads = [heading.line for heading in file.markdown.headings]
    shown = example_lines(file)
    for item, siblings, parent in _lists(file):
        if file.markdown.kinds[item.line] is not Kind.ITEM or _TASK.match(item.text):
            continue
        if item.line in shown:
            continue
        key = normalised(" ".join([item.text, *file.lines[item.line + 1 : item.end_line]]))
        if not key.endswith(":"):
            out.append(Said(item, key, _words(key), bisect(heads, item.line), siblings, parent))
    return out


def _words(key: str) -> int:
    return key.count(" ") + 1 + len(_CHARACTER.findall(key)) // 2


def _lists(file: MemoryFile) -> Iterator[tuple[Item, int, int]]:
    """Yield each item with the lines of the first item of its list and of the item around it.

    Only blank lines part the items of one list.
    """
    kinds = file.markdown.kinds
    above: list[tuple[Item, int]] = []
    for item in file.markdown.items:
        first = item.line
        while above and above[-1][0].indent >= item.indent:
            before, theirs = above.pop()
            between = kinds[before.end_line : item.line]
            if before.indent == item.indent and all(kind is Kind.BLANK for kind in between):
                first = theirs
        parent = above[-1][0] if above else None
        inside = parent is not None and item.line < parent.end_line
        above.append((item, first))
        yield item, first, parent.line if parent and inside else -1


@lru_cache(maxsize=1 << 15)
def normalised(text: str) -> str:
    """Return ``text`` without what does not change its meaning: case, emphasis, full stop."""
    return " ".join(_MARKUP.sub("", text).split()).casefold().rstrip(".! ")
