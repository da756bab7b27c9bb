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


class _Key(NamedTuple):
    """The normalized text of an item, which equal items share, and its number of words."""

    text: str
    words: int


class _ItemInList(NamedTuple):
    """An item, and the list that it is in."""

    item: Item
    first: int  # the line of the first item of its list
    parent: int  # the line of the item it is nested in, or -1


def items_of(file: MemoryFile) -> list[NormalizedItem]:
    """Return the comparable items of ``file`` (see :func:`_keys`) in order."""
    return file.content.once(_items, file)


def has_equal_items(file: MemoryFile) -> bool:
    """Return whether two comparable items have the same normalized text: a cheap prefilter."""
    texts = [key.text for key in file.content.once(_keys, file) if key]
    return len(set(texts)) < len(texts)


def _items(file: MemoryFile) -> list[NormalizedItem]:
    """Return :func:`items_of` without its cache."""
    out: list[NormalizedItem] = []
    labels: dict[int, int] = {}  # by the first line of a list
    headings = [heading.line for heading in file.markdown.headings]
    keys = file.content.once(_keys, file)
    for (item, first, parent), key in zip(_items_in_lists(file), keys, strict=True):
        if key is None:
            continue
        if first not in labels:
            labels[first] = _label(file, first)
        section = bisect(headings, item.line)
        out.append(NormalizedItem(item, key.text, key.words, section, first, parent, labels[first]))
    return out


def _keys(file: MemoryFile) -> list[_Key | None]:
    """Return the key of each item of the file, None for one that is not comparable.

    Tasks (``[ ] test``), labels, code, items of examples and very long items are not comparable.
    """
    keys = (None if text is None else _key(text) for text in _comparable_texts(file))
    # With a colon at the end, it is a label, not a statement.
    return [None if key is None or key.text.endswith(":") else key for key in keys]


def _comparable_texts(file: MemoryFile) -> Iterator[str | None]:
    """Yield for each item of the file its text with that of its nested items.

    None for a task, code, an item of an example and one of more than :data:`_LINES_MAX` lines.
    """
    examples, kinds = file.example_lines, file.markdown.kinds
    for item in file.markdown.items:
        line, end, text = item.line, item.end_line, item.text
        is_task = text.startswith("[") and _TASK.match(text)
        is_listed = kinds[line] is LineKind.ITEM and line not in examples
        if not is_listed or is_task or end > line + _LINES_MAX:
            yield None
        else:
            yield text if end == line + 1 else " ".join([text, *file.lines[line + 1 : end]])


@TextCache
def _key(text: str) -> _Key:
    """Return the key of an item with ``text``."""
    key = normalized(text)
    return _Key(key, _words(key))


def _label(file: MemoryFile, first: int) -> int:
    """Return the line above the list that begins on line ``first``, if it is a label; else -1.

    Blank lines between them are skipped.
    """
    kinds, line = file.markdown.kinds, first - 1
    while line > 0 and kinds[line] is LineKind.BLANK:
        line -= 1
    if line < 0 or kinds[line] is not LineKind.TEXT:
        return -1
    text = file.lines[line]
    return line if _LABEL.search(text[-_LABEL_MAX:]) or _BOLD.match(text) else -1


def _words(key: str) -> int:
    """Return the number of words of ``key``: words between spaces, and pairs of CJK characters."""
    words = key.count(" ") + 1
    return words if key.isascii() else words + len(_CHARACTER.findall(key)) // 2


def _items_in_lists(file: MemoryFile) -> Iterator[_ItemInList]:
    """Yield each item of the file with its list; only blank lines separate the items of a list."""
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
        yield _ItemInList(item, first, parent.line if parent else -1)
