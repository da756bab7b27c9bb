"""The items of a file, normalized, for the rules about duplicates."""

from __future__ import annotations

from bisect import bisect
from typing import TYPE_CHECKING, NamedTuple

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.base.text_cache import TextCache
from agent_memory.language.similarity import normalized
from agent_memory.markdown.model import LineKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.markdown.model import Item

_LINES_MAX = 100
"""Lines of an item with its nested items; a longer one is not compared."""
_TASK = lazy_compile(r"\[[ xX]\]\s")
"""The start of a task: ``[ ] test``."""
_LABEL = lazy_compile(r"(?:[:：]\W*|\*\*|__)\s*\Z")  # noqa: RUF001
"""The end of a line that introduces a list: a colon (``Web:``, ``**Web:**``) or bold text."""
_LABEL_MAX = 20
"""Characters at the end of a line that are searched for :data:`_LABEL`."""
_BOLD = lazy_compile(r"\s*(?:\*\*[^*]+\*\*|__[^_]+__) ?(?:\([^()]*\)|`[^`]*`)\s*\Z")
"""A line of bold text with an aside, which stands for a heading: ``**Order** (table)``."""
_CHARACTER = lazy_compile("[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]")
"""A Chinese, Japanese or Korean character; two of them count as a word."""


class NormalizedItem(NamedTuple):
    """An item, the text that equal items share, its number of words, and its position."""

    item: Item
    key: str
    words: int
    section: int  # the number of headings above it
    siblings: int  # the line of the first item of its list, which identifies the list
    parent: int  # the line of the item it is nested in, or -1
    label: int  # the line with the label of its list, such as `Web:`, or -1


def items_of(file: MemoryFile) -> list[NormalizedItem]:
    """Return the comparable items of ``file`` (see :func:`_keys`) in order."""
    return file.content.once(_items, file)


def has_equal_items(file: MemoryFile) -> bool:
    """Return whether two comparable items have the same normalized text: a cheap prefilter."""
    keys = [keyed[0] for keyed in file.content.once(_keys, file) if keyed]
    return len(set(keys)) < len(keys)


def _items(file: MemoryFile) -> list[NormalizedItem]:
    """Return :func:`items_of` without its cache."""
    out: list[NormalizedItem] = []
    labels: dict[int, int] = {}  # by the first line of a list
    headings = [heading.line for heading in file.markdown.headings]
    keys = file.content.once(_keys, file)
    for (item, siblings, parent), keyed in zip(_lists(file), keys, strict=True):
        if keyed:
            if siblings not in labels:
                labels[siblings] = _label(file, siblings)
            section = bisect(headings, item.line)
            out.append(NormalizedItem(item, *keyed, section, siblings, parent, labels[siblings]))
    return out


def _keys(file: MemoryFile) -> list[tuple[str, int] | None]:
    """Return what :func:`_key` returns for each item of the file, None if it is not comparable.

    Tasks (``[ ] test``), labels, code, items of examples and very long items are not.
    """
    out: list[tuple[str, int] | None] = []
    examples, kinds, in_list = file.example_lines, file.markdown.kinds, LineKind.ITEM
    for item in file.markdown.items:
        line, end, text = item.line, item.end_line, item.text
        keyed = None
        is_task = text.startswith("[") and _TASK.match(text)
        if kinds[line] is in_list and line not in examples and not is_task:
            if end == line + 1:
                keyed = _key(text)
            elif end <= line + _LINES_MAX:
                keyed = _key(" ".join([text, *file.lines[line + 1 : end]]))
        # With a colon at the end it is a label, not a statement.
        out.append(None if keyed is None or keyed[0].endswith(":") else keyed)
    return out


@TextCache
def _key(text: str) -> tuple[str, int]:
    """Return what equal items share, the normalized ``text``, and its number of words."""
    key = normalized(text)
    return key, _words(key)


def _label(file: MemoryFile, first: int) -> int:
    """Return the line of the label above the list that begins on line ``first``, or -1.

    Blank lines may separate them.
    """
    kinds, line = file.markdown.kinds, first - 1
    while line > 0 and kinds[line] is LineKind.BLANK:
        line -= 1
    if line < 0 or kinds[line] is not LineKind.TEXT:
        return -1
    text = file.lines[line]
    return line if _LABEL.search(text[-_LABEL_MAX:]) or _BOLD.match(text) else -1


def _words(key: str) -> int:
    """Return the number of words of ``key``: those between spaces, and :data:`_CHARACTER` pairs."""
    words = key.count(" ") + 1
    return words if key.isascii() else words + len(_CHARACTER.findall(key)) // 2


def _lists(file: MemoryFile) -> Iterator[tuple[Item, int, int]]:
    """Yield each item with the lines of the first item of its list and of its parent item.

    The line of the parent is -1 for an item that is in none. Items of one list are separated by
    blank lines only.
    """
    kinds = file.markdown.kinds
    # The last item of each indent, from the outermost, with the line of the first item of its list.
    outer: list[tuple[Item, int]] = []
    for item in file.markdown.items:
        first = item.line
        while outer and outer[-1][0].indent >= item.indent:
            before, first_of_list = outer.pop()
            between = kinds[before.end_line : item.line]
            if before.indent == item.indent and between.count(LineKind.BLANK) == len(between):
                first = first_of_list
        parent = outer[-1][0] if outer else None
        if parent and item.line >= parent.end_line:
            parent = None  # its indent is smaller, but text above this item has ended it
        outer.append((item, first))
        yield item, first, parent.line if parent else -1
