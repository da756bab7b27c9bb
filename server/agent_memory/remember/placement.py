"""Finds the insertion point of an item in a file's text and renders it in the file's style."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agent_memory.base.text import Span, newline_of, without_newline
from agent_memory.markdown.model import Item as ListItem
from agent_memory.markdown.model import LineKind, Markdown
from agent_memory.markdown.open_blocks import ensure_no_open_block
from agent_memory.markdown.parser import scan
from agent_memory.markdown.sections import Section, sections_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agent_memory.remember.snippet import FormattedItem

_NUMBER = re.compile(r"(\d{1,9})([.)])\Z")
"""The marker of a numbered item, ``1.`` or ``1)``: its number and its mark."""


@dataclass(frozen=True, slots=True)
class Placement:
    """Insert ``text`` at the empty ``span``; ``line`` is then the item's first line (from 0)."""

    span: Span
    text: str
    line: int


def new_file(item: FormattedItem, title: str, section: str = "", newline: str = "\n") -> Placement:
    """Return the insertion into a missing or blank file: title, heading ``section``, and item."""
    head = f"# {title}\n\n" + (f"## {section}\n\n" if section else "")
    text = head + item.text + "\n"
    return Placement(Span(0, 0, 0, 0), text.replace("\n", newline), head.count("\n"))


def place(lines: Sequence[str], item: FormattedItem, section: Section | None) -> Placement:
    """Return the insertion of ``item`` at the end of ``section``, or of the file if None.

    Raises:
        UnclosedBlockError: the insertion point is inside an unclosed fence or comment.

    """
    markdown = scan(lines)
    sections = [section] if section else sections_of(markdown)
    # The item may only join a list that is below this line: that below the last heading above it.
    first = sections[-1].heading.below if sections else _after_front_matter(markdown)
    end = section.end if section else len(lines)
    at = _end_of_content(markdown, first, end)  # the line to insert at
    ensure_no_open_block(markdown, at)
    above = _last_item_of_list(markdown, first, at)
    rendered = _render(lines, item, above or _usual_item(markdown), follows=above is not None)
    joins_list = above is not None and item.bullets and not item.numbered
    blank_lines = 0 if joins_list else _blank_lines_above(markdown, first, at, item)
    return _insertion(lines, at, rendered, blank_lines, pad_below=bool(item.block))


def place_heading(lines: Sequence[str], item: FormattedItem, title: str) -> Placement:
    """Return the insertion of ``item`` under a new heading ``title`` at the end of the file.

    Raises:
        UnclosedBlockError: the insertion point is inside an unclosed fence or comment.

    """
    markdown = scan(lines)
    at = _end_of_content(markdown, 0, len(lines))  # the line to insert at
    ensure_no_open_block(markdown, at)
    levels = [section.heading.level for section in sections_of(markdown)]
    marks = "#" * (min(levels) if levels and min(levels) > 1 else 2)  # level 1 is the title
    rendered = f"{marks} {title}\n\n" + _render(lines, item, _usual_item(markdown), follows=False)
    placed = _insertion(lines, at, rendered, 1, pad_below=False)  # only blank lines are below
    item_line = placed.line + 2  # below the heading and a blank line
    return Placement(placed.span, placed.text, item_line)


def _after_front_matter(markdown: Markdown) -> int:
    """Return the line below the front matter; 0 without it."""
    return markdown.front_matter[1] + 1 if markdown.front_matter else 0


def _end_of_content(markdown: Markdown, first: int, end: int) -> int:
    """Return the line after the last line with content from ``first`` to ``end`` (exclusive).

    If all of these lines are blank, it is ``first``.
    """
    while end > first and markdown.kinds[end - 1] is LineKind.BLANK:
        end -= 1
    return end


def _last_item_of_list(markdown: Markdown, first: int, at: int) -> ListItem | None:
    """Return the last outermost item of the list that ends directly above line ``at``.

    Only lines from ``first`` on count. None if no list ends there, or if an item above that list is
    indented less than its items.
    """
    inside = [item for item in markdown.items if first <= item.line < at]
    if not inside:
        return None
    least = min(item.indent for item in inside)
    last_outermost = [item for item in inside if item.indent == least][-1]
    return last_outermost if last_outermost.end_line >= at else None


def _usual_item(markdown: Markdown) -> ListItem | None:
    """Return the last bullet of the file that is indented by less than four columns.

    It is an example of the file's style; an item that is indented more is always nested. None if
    there is no such bullet.
    """
    bullets = [item for item in markdown.items if item.marker in "-*+" and item.indent < 4]
    return bullets[-1] if bullets else None


def _render(
    lines: Sequence[str], item: FormattedItem, like: ListItem | None, *, follows: bool
) -> str:
    """Return the lines of ``item``: bullets in the style of ``like`` (None: ``- ``).

    ``follows``: the bullets continue the list of ``like``, so they have its indentation and, if it
    is numbered, the next numbers. A block or numbered list keeps its own style.
    """
    if item.block:
        return item.block
    if item.numbered:
        return _numbered_list(item, like if follows else None)
    marker, space, indent = "-", " ", ""
    if like:
        marker = like.marker
        indent = " " * like.indent if follows else ""
        before_text = lines[like.line][: like.start]
        spaces = len(before_text) - len(before_text.rstrip(" \t"))  # between marker and text
        space = " " * max(1, min(4, spaces))  # five would begin an indented code block
    out = []
    for bullet in item.bullets:
        number = _NUMBER.match(marker)  # "1." or "1)"
        if number and follows:
            marker = f"{int(number[1]) + 1}{number[2]}"
        out.append(f"{indent}{marker}{space}{bullet}")
    return "\n".join(out)


def _numbered_list(item: FormattedItem, above: ListItem | None) -> str:
    """Return the bullets of ``item`` numbered ``1.`` and so on.

    If the list item ``above`` has a number with a period, the numbers are ``1)`` and so on: else
    Markdown would join the two lists.
    """
    end = ")" if above and above.marker.endswith(".") else "."
    return "\n".join(f"{step}{end} {text}" for step, text in enumerate(item.bullets, 1))


def _blank_lines_above(markdown: Markdown, first: int, at: int, item: FormattedItem) -> int:
    """Return how many blank lines go above ``item`` at line ``at``: 0 or 1.

    ``first`` is the first line of the section or file below its heading or front matter.
    """
    kinds = markdown.kinds
    if at == 0:  # the start of the file
        return 0
    if at > first:  # text, code, a comment or another list is above
        # A comment directly above a list usually describes the list.
        return 0 if kinds[at - 1] is LineKind.COMMENT and item.bullets else 1
    if item.bullets and kinds[at - 1] is LineKind.HEADING:
        # Below the heading of an empty section. In the file's style, a list is directly below a
        # heading if that is so for any heading.
        below_headings = {heading.line + 1 for heading in markdown.headings}
        if any(below < len(kinds) and kinds[below] is LineKind.ITEM for below in below_headings):
            return 0
    return 1


def _insertion(
    lines: Sequence[str], at: int, rendered: str, blank_lines: int, *, pad_below: bool
) -> Placement:
    """Return the insertion of ``rendered`` at line ``at``, below ``blank_lines`` blank ones.

    If ``rendered`` begins with a heading, or if ``pad_below``, a blank line separates it from text
    directly below.
    """
    newline = newline_of(lines)
    has_text_below = at < len(lines) and without_newline(lines[at]).strip() != ""
    pad = "\n" if has_text_below and (pad_below or rendered.startswith("#")) else ""
    ends_without_newline = bool(lines) and without_newline(lines[-1]) == lines[-1]
    if at == len(lines) and ends_without_newline:
        # The file has no newline at its end, and gets none.
        span = Span(at - 1, len(lines[-1]), at - 1, len(lines[-1]))
        text = "\n" * (blank_lines + 1) + rendered
    else:
        span = Span(at, 0, at, 0)
        text = "\n" * blank_lines + rendered + "\n" + pad
    return Placement(span, text.replace("\n", newline), at + blank_lines)
