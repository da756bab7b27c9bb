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


@dataclass(frozen=True, slots=True)
class Placement:
    """Insert ``text`` at the empty ``span``; ``line`` is then the item's first line (from 0)."""

    span: Span
    text: str
    line: int


def new_file(item: FormattedItem, title: str, section: str = "", newline: str = "\n") -> Placement:
    """Return the content of a file that does not exist yet, or is blank."""
    head = f"# {title}\n\n" + (f"## {section}\n\n" if section else "")
    text = head + item.text + "\n"
    return Placement(Span(0, 0, 0, 0), text.replace("\n", newline), head.count("\n"))


def place(lines: Sequence[str], item: FormattedItem, section: Section | None) -> Placement:
    """Return the insertion of ``item`` at the end of ``section``, or of the file if None.

    Raises:
        UnclosedBlockError: the insertion point is inside an unclosed fence or comment.

    """
    markdown = scan(lines)
    first = section.heading.below if section else _after_front_matter(markdown)
    end = section.end if section else len(lines)
    if section is None and sections_of(markdown):
        first = sections_of(markdown)[-1].heading.below
    last = _last_line(markdown, first, end)
    ensure_no_open_block(markdown, last)
    above = _top_item(markdown, first, last)
    rendered = _render(lines, item, above or _usual_item(markdown), follows=above is not None)
    joins = above is not None and item.bullets and not item.numbered
    before = 0 if joins else _gap(markdown, first, last, item)
    return _insertion(lines, last, rendered, before, pad_below=bool(item.block))


def place_heading(lines: Sequence[str], item: FormattedItem, title: str) -> Placement:
    """Return the insertion of ``item`` under a new heading ``title`` at the end of the file.

    Raises:
        UnclosedBlockError: the insertion point is inside an unclosed fence or comment.

    """
    markdown = scan(lines)
    last = _last_line(markdown, 0, len(lines))
    ensure_no_open_block(markdown, last)
    levels = [section.heading.level for section in sections_of(markdown)]
    marks = "#" * (min(levels) if levels and min(levels) > 1 else 2)
    rendered = f"{marks} {title}\n\n" + _render(lines, item, _usual_item(markdown), follows=False)
    placed = _insertion(lines, last, rendered, 1, pad_below=False)
    return Placement(placed.span, placed.text, placed.line + 2)


def _after_front_matter(markdown: Markdown) -> int:
    return markdown.front_matter[1] + 1 if markdown.front_matter else 0


def _last_line(markdown: Markdown, first: int, end: int) -> int:
    """Return the line after the last one with content in ``first`` to ``end``."""
    while end > first and markdown.kinds[end - 1] is LineKind.BLANK:
        end -= 1
    return end


def _top_item(markdown: Markdown, first: int, last: int) -> ListItem | None:
    """Return the last item of the list that ends on line ``last``."""
    inside = [item for item in markdown.items if first <= item.line < last]
    if not inside:
        return None
    least = min(item.indent for item in inside)
    top = [item for item in inside if item.indent == least][-1]
    return top if top.end_line >= last else None


def _usual_item(markdown: Markdown) -> ListItem | None:
    bullets = [item for item in markdown.items if item.marker in "-*+" and item.indent < 4]
    return bullets[-1] if bullets else None


def _render(
    lines: Sequence[str], item: FormattedItem, like: ListItem | None, *, follows: bool
) -> str:
    """Return the item's lines in the style of the list item ``like``."""
    if item.block:
        return item.block
    if item.numbered:
        return _steps(item, like if follows else None)
    marker, space, indent = "-", " ", ""
    if like:
        marker = like.marker
        indent = " " * like.indent if follows else ""
        head = lines[like.line][: like.start]
        space = " " * max(1, min(4, len(head) - len(head.rstrip(" \t"))))
    out = []
    for bullet in item.bullets:
        number = _NUMBER.match(marker)
        if number and follows:
            marker = f"{int(number[1]) + 1}{number[2]}"
        out.append(f"{indent}{marker}{space}{bullet}")
    return "\n".join(out)


def _steps(item: FormattedItem, above: ListItem | None) -> str:
    """Return a numbered list; another delimiter separates it from the list ``above``."""
    end = ")" if above and above.marker.endswith(".") else "."
    return "\n".join(f"{step}{end} {text}" for step, text in enumerate(item.bullets, 1))


def _gap(markdown: Markdown, first: int, last: int, item: FormattedItem) -> int:
    """Return how many blank lines go above the item, in the style of the file."""
    if last == 0:
        return 0
    if last > first:  # text, code, a comment or another list is above
        return 0 if markdown.kinds[last - 1] is LineKind.COMMENT and item.bullets else 1
    if last < len(markdown.kinds) and markdown.kinds[last - 1] is LineKind.HEADING:
        tight = [
            heading.line + 1 < len(markdown.kinds)
            and markdown.kinds[heading.line + 1] is LineKind.ITEM
            for heading in markdown.headings
        ]
        return 0 if item.bullets and any(tight) else 1
    return 1


def _insertion(
    lines: Sequence[str], last: int, rendered: str, before: int, *, pad_below: bool
) -> Placement:
    newline = newline_of(lines)
    below = last < len(lines) and without_newline(lines[last]).strip() != ""
    after = "\n" if below and pad_below else ""
    line = last + before
    if (
        last and last == len(lines) and without_newline(lines[-1]) == lines[-1]
    ):  # no newline at the end
        span = Span(last - 1, len(lines[-1]), last - 1, len(lines[-1]))
        text = "\n" * (before + 1) + rendered
    else:
        span = Span(last, 0, last, 0)
        if below and rendered.startswith("#"):
            after = "\n"
        text = "\n" * before + rendered + "\n" + after
    return Placement(span, text.replace("\n", newline), line)
