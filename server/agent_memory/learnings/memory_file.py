"""Edit the text of one Claude MPM memory file within its limits.

Every function takes text and returns text. Unlike Claude MPM, a new item goes to the end of its
section and the first, oldest one is evicted. A file that is too large loses the oldest items of
Recent Learnings, then of the longest section, but never headings, comments or prose.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from agent_memory.base.text import (
    BOM,
    Span,
    apply_edits,
    newline_of,
    split_lines,
    with_final_newline,
    without_newline,
)
from agent_memory.l10n import t
from agent_memory.language.similarity import equality_key
from agent_memory.learnings.eviction import (
    Evicted,
    Limits,
    NotAdded,
    cut,
    evict_over,
    shrink,
)
from agent_memory.learnings.extract import RECENT
from agent_memory.learnings.sections import SectionSpec, find_item, sections_of
from agent_memory.markdown.open_blocks import UnclosedBlockError, ensure_no_open_block
from agent_memory.markdown.parser import scan
from agent_memory.runtimes.claude_mpm import REQUIRED

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from agent_memory.markdown.model import Heading, Item

_STAMP = re.compile(r"<!-- Last Updated: [^|<\n]+ \| Auto-updated by: [^<>\n]+ -->")
"""The header comment with the time of the last update, as :func:`_stamp` returns it."""


@dataclass(frozen=True, slots=True)
class FileChange:
    """A new text of the file.

    ``section`` and ``line`` (from 0) are those of the new item, '' and 0 without one. ``evicted``
    are the items that were removed for the limits, ``notes`` say what else was changed.
    """

    text: str
    section: str = ""
    line: int = 0
    evicted: tuple[Evicted, ...] = ()
    notes: tuple[str, ...] = field(default=())


def default_text(agent: str, project: str, now: datetime, limits: Limits) -> str:
    """Return the text of a new file: a header, and the required and recent sections, empty.

    ``agent`` and ``project`` are names on disk, see :func:`as_utf8`.
    """
    agent = as_utf8(agent)
    name = agent.replace("_", " ").title()
    file_limits = f"{limits.size // 1024}KB max | {limits.sections} sections max"
    head = [
        f"# {name} Agent Memory - {as_utf8(project)}",
        "",
        f"<!-- MEMORY LIMITS: {file_limits} | {limits.items} items per section -->",
        _stamp(now, agent),
    ]
    for section in (*REQUIRED, RECENT):
        head += ["", _heading(section, limits)]
    return "\n".join(head) + "\n"


def as_utf8(name: str) -> str:
    """Return ``name``, of a file or folder, with U+FFFD for bytes that are not UTF-8."""
    return os.fsencode(name).decode("utf-8", "replace")


def add(text: str, name: str, item: str, limits: Limits, now: datetime) -> FileChange:
    """Return ``text`` with ``item`` at the end of section ``name``, within ``limits``.

    A new section is created if the file lacks it; see :func:`_section_for`.

    Raises:
        NotAdded: ``item`` is a duplicate, too long, or would not be parsed as a list item, the
            place is inside an unclosed fence or comment, or there is no room.

    """
    longest = limits.line - len("- ")
    if len(item) > longest:
        raise NotAdded(
            t("the text has {0} characters; the limit of a line is {1}", len(item), longest)
        )
    duplicate = find_item(text, item)
    if duplicate:
        raise NotAdded(t("already in line {0}, under '{1}'", duplicate.line + 1, duplicate.section))
    lines = split_lines(text)
    section = _section_for(sections_of(lines), name, limits)
    evicted: list[Evicted] = []
    if section is None:
        text = _with_section(lines, name, limits, item)
    else:
        name = section.name  # Recent Learnings, if no further section is allowed
        text = _with_item(lines, section, item)
        text, evicted = evict_over(text, limits.items, name)
    text = stamped(text, now)
    text, evicted_for_size = shrink(text, limits, keep=item)
    added = find_item(text, item)  # not a duplicate, so it is the new item
    # A comment that begins in the item would swallow the lines below it.
    if added is None or _opens_comment(text, added.line):
        raise NotAdded(t("it would not be parsed as a list item. Rephrase it"))
    return FileChange(text, name, added.line, (*evicted, *evicted_for_size))


def repair(text: str, agent: str, project: str, limits: Limits, now: datetime) -> FileChange:
    """Return ``text`` with the title, header comments and required sections that it lacks.

    The notes of the result name each addition. What exists stays as it is. ``agent`` and
    ``project`` are those of :func:`default_text`.

    Raises:
        NotAdded: an unclosed fence or comment would swallow a section.

    """
    text, notes = _with_required(text, limits)
    lines = split_lines(text)
    newline = newline_of(lines)
    default_lines = default_text(agent, project, now, limits).split("\n")
    title, header_comments = default_lines[0], default_lines[2:4]  # a blank line in between
    if not any(_is_title(heading) for heading in scan(lines).headings):
        bom = BOM if text.startswith(BOM) else ""
        text = bom + newline.join([title, "", text.removeprefix(BOM)])
        notes.append("title added")
    # A comment with the same beginning keeps its values.
    missing = [comment for comment in header_comments if comment.split(":")[0] not in text]
    if missing:
        text = _with_lines_below_title(text, ["", *missing], newline)
        notes.append("header comments added")
    return FileChange(text, notes=tuple(notes))


def _with_lines_below_title(text: str, added: Sequence[str], newline: str) -> str:
    """Return ``text``, which has a title, with the lines ``added`` directly below the title."""
    lines = split_lines(text)
    title_line = next(heading.line for heading in scan(lines).headings if _is_title(heading))
    below = title_line + 1
    if below >= len(lines):  # the title is the last line, which may have no newline
        text = with_final_newline(text, newline)
    inserted = "".join(line + newline for line in added)
    return apply_edits(split_lines(text), [(Span(below, 0, below, 0), inserted)])


def _with_required(text: str, limits: Limits) -> tuple[str, list[str]]:
    """Return ``text`` with the required sections that were missing, and a note for each of them."""
    notes = []
    names = {section.name for section in sections_of(split_lines(text))}
    for name in REQUIRED:
        if name not in names:
            text = _with_section(split_lines(text), name, limits, "")
            notes.append(f"section '{name}' added")
    return text, notes


def _is_title(heading: Heading) -> bool:
    """Whether ``heading`` is a ``# `` heading; a setext heading, which has two rows, is not."""
    return heading.level == 1 and heading.rows == 1


def tidied(text: str, limits: Limits) -> FileChange:
    """Return ``text`` without duplicate items and within the limits.

    Raises:
        NotAdded: headings and prose alone exceed the limit.

    """
    notes = []
    while duplicates := _duplicates(text):  # again: a cut can change how the rest is parsed
        text, removed = cut(split_lines(text), duplicates)
        notes += [f"duplicate removed: {item.text.strip()}" for item in removed]
    text, evicted = evict_over(text, limits.items)
    text, evicted_for_size = shrink(text, limits)
    return FileChange(text, evicted=(*evicted, *evicted_for_size), notes=tuple(notes))


def stamped(text: str, now: datetime) -> str:
    """Return ``text`` with its update comment, if it has one, set to ``now`` and "system"."""
    return _STAMP.sub(_stamp(now, "system"), text, count=1)


def _stamp(now: datetime, who: str) -> str:
    """Return the comment with the time of an update and its author."""
    return f"<!-- Last Updated: {now:%Y-%m-%d %H:%M:%S} UTC | Auto-updated by: {who} -->"


def _heading(name: str, limits: Limits) -> str:
    """Return the heading of a new section, with its maximum of items."""
    return f"## {name} (Max: {limits.items} items)"


def _section_for(sections: Sequence[SectionSpec], name: str, limits: Limits) -> SectionSpec | None:
    """Return the section of ``sections`` with the ``name``; None if it has to be created.

    Letter case is ignored. If the section is missing and the file already has the maximum of
    sections, Recent Learnings is returned instead.

    Raises:
        NotAdded: Recent Learnings is missing then, too.

    """
    # The first of several sections with the same name counts: added last, it replaces the others.
    by_name = {section.name.casefold(): section for section in reversed(sections)}
    section = by_name.get(name.casefold())
    if section or len(sections) < limits.sections:
        return section
    if RECENT.casefold() in by_name:
        return by_name[RECENT.casefold()]
    raise NotAdded(
        t(
            "the file has {0} sections, the maximum, and none is '{1}' or '{2}'. "
            "Merge two sections first",
            len(sections),
            name,
            RECENT,
        )
    )


def _with_item(lines: Sequence[str], section: SectionSpec, item: str) -> str:
    """Return the text of ``lines`` with ``item`` below the last item of ``section``.

    In a section without items, it goes above the blank lines at the end of the section.

    Raises:
        NotAdded: the place is inside an unclosed fence or comment.

    """
    newline = newline_of(lines)
    if section.items:
        last = section.items[-1]
        at = last.end_line
        item_line = f"{last.marker} {item}"
    else:
        at = section.end
        while at > section.line + 1 and not without_newline(lines[at - 1]).strip():
            at -= 1
        item_line = f"- {item}"
    _ensure_insertable(lines, at)
    above = with_final_newline("".join(lines[:at]), newline)
    return above + item_line + newline + "".join(lines[at:])


def _with_section(lines: Sequence[str], name: str, limits: Limits, item: str) -> str:
    """Return the text of ``lines`` with a new section above Recent Learnings, else at the end.

    The section contains ``item``, or nothing if that is ''. A blank line separates the section from
    the text above and below it.

    Raises:
        NotAdded: the place is inside an unclosed fence or comment.

    """
    if lines and lines[0].startswith(BOM):  # the BOM stays first, even if the section is on line 0
        return BOM + _with_section([lines[0][1:], *lines[1:]], name, limits, item)
    newline = newline_of(lines)
    recent = (section.line for section in sections_of(lines) if section.name == RECENT)
    at = next(recent, len(lines))
    _ensure_insertable(lines, at)
    before = with_final_newline("".join(lines[:at]), newline)
    after = "".join(lines[at:])
    gap_above = "" if not before or before.endswith(newline * 2) else newline
    gap_below = newline if after else ""
    section_lines = [_heading(name, limits)]
    if item:
        section_lines.append(f"- {item}")
    section = "".join(line + newline for line in section_lines)
    return before + gap_above + section + gap_below + after


def _opens_comment(text: str, line: int) -> bool:
    """Whether a comment begins on ``line`` and continues below it."""
    spans = [comment.span for comment in scan(split_lines(text)).comments]
    return any(span.line == line < span.end_line for span in spans)


def _ensure_insertable(lines: Sequence[str], at: int) -> None:
    """Raise ``NotAdded`` if the line ``at`` is inside an unclosed fence or comment."""
    try:
        ensure_no_open_block(scan(lines), at)
    except UnclosedBlockError as why:
        raise NotAdded(str(why)) from why


def _duplicates(text: str) -> list[tuple[SectionSpec, Item]]:
    """Return the items that repeat an earlier one of the same section, with the section.

    Only items of one line are compared, because ``item.text`` is only the first line of an item.
    """
    duplicates = []
    for section in sections_of(split_lines(text)):
        seen: set[tuple[str, str]] = set()
        for item in section.items:
            if item.end_line > item.line + 1:
                continue
            key = equality_key(item.text)
            if key in seen:
                duplicates.append((section, item))
            seen.add(key)
    return duplicates
