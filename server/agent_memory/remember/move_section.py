"""Moves a list item to another section of its file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.base.errors import UsageError
from agent_memory.base.model import Edit
from agent_memory.l10n import t
from agent_memory.markdown.open_blocks import UnclosedBlockError
from agent_memory.markdown.parser import scan
from agent_memory.markdown.sections import Section, sections_of
from agent_memory.remember import placement
from agent_memory.remember.list_items import as_item, item_at, removal_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


def sections_for(lines: Sequence[str], line: int) -> list[Section]:
    """Return the sections that the list item at ``line`` (from 0) can move to: all but its own.

    [] if no list item is at this line.
    """
    list_item = item_at(lines, line)
    if list_item is None:
        return []
    sections = sections_of(scan(lines))
    return [
        section for section in sections if not section.heading.line < list_item.line < section.end
    ]


def edits(path: Path, lines: Sequence[str], line: int, heading: int) -> tuple[Edit, ...]:
    """Return the edits that move the item at ``line`` to the end of another section.

    ``heading`` is the line of that section's heading. Both lines count from 0.

    Raises:
        UsageError: there is no such item or section, the item is in that section already, or the
            end of the section is inside an unclosed block.

    """
    list_item = item_at(lines, line)
    by_heading = {section.heading.line: section for section in sections_for(lines, line)}
    section = by_heading.get(heading)
    # An editor offers only what `sections_for` returns, so another section means that the text has
    # changed. Without an item, `sections_for` returns no section: the first test is for mypy.
    if list_item is None or section is None:
        raise UsageError(t("The document has changed. Request the code actions again."))
    item = as_item("".join(lines[list_item.line : list_item.end_line]), list_item)
    try:
        placed = placement.place(lines, item, section)
    except UnclosedBlockError as error:
        raise UsageError(t("Not moved: {0}", error)) from None
    return Edit(path, placed.span, placed.text), removal_of(path, lines, list_item)
