"""List items as they are in a file: found by line or content, and removed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.base.model import Edit
from agent_memory.base.text import BOM, Span, without_newline
from agent_memory.markdown.model import LineKind
from agent_memory.markdown.parser import scan
from agent_memory.remember.snippet import FormattedItem

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from agent_memory.markdown.model import Item as ListItem


def item_at(lines: Sequence[str], line: int) -> ListItem | None:
    """Return the outermost list item that covers ``line`` (from 0); None without one."""
    covering = [item for item in scan(lines).items if item.line <= line < item.end_line]
    return min(covering, key=lambda item: item.indent) if covering else None


def as_item(text: str, list_item: ListItem) -> FormattedItem:
    """Return ``list_item``, whose lines are ``text``, as an item to insert elsewhere.

    An item of one line becomes a bullet without its marker. An item of several lines becomes a
    block with its marker, so that its nested items and code stay as they are.
    """
    lines = text.removeprefix(BOM).replace("\r\n", "\n").rstrip("\n").split("\n")
    if len(lines) == 1:
        return FormattedItem((list_item.text,))
    unindented = [line.removeprefix(" " * list_item.indent) for line in lines]
    return FormattedItem(block="\n".join(unindented))


def equal_items(lines: Sequence[str], wanted: FormattedItem) -> list[ListItem]:
    """Return the outermost items of ``lines`` that equal ``wanted``."""
    equal = []
    previous_end = 0
    for item in scan(lines).items:
        if item.line < previous_end:  # nested
            continue
        previous_end = item.end_line
        if as_item("".join(lines[item.line : item.end_line]), item) == wanted:
            equal.append(item)
    return equal


def removal_of(path: Path, lines: Sequence[str], list_item: ListItem) -> Edit:
    """Return the edit that removes ``list_item``.

    If a blank line is above and another one below the item, the one below is removed too.
    """
    kinds = scan(lines).kinds
    end = list_item.end_line
    blank_above = list_item.line > 0 and kinds[list_item.line - 1] is LineKind.BLANK
    if blank_above and end < len(lines) and kinds[end] is LineKind.BLANK:
        end += 1
    first_column = int(list_item.line == 0 and lines[0].startswith(BOM))  # the BOM stays
    if end == len(lines) and without_newline(lines[-1]) == lines[-1]:
        # The file has no newline at its end, so there is no line `end` that the span can end at.
        return Edit(path, Span(list_item.line, first_column, end - 1, len(lines[-1])), "")
    return Edit(path, Span(list_item.line, first_column, end, 0), "")
