"""Moves a section of a memory file into a note, which the file then links to."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from agent_memory.base.errors import UsageError
from agent_memory.base.model import Edit
from agent_memory.base.text import Span, newline_of, without_newline
from agent_memory.config.write_roots import with_project_of, write_roots
from agent_memory.fs.atomic_write import update
from agent_memory.fs.reader import Failure
from agent_memory.l10n import t
from agent_memory.markdown.parser import scan
from agent_memory.markdown.sections import named, sections_of
from agent_memory.remember import insert
from agent_memory.remember.plan import Outcome, Plan
from agent_memory.secrets import shown

if TYPE_CHECKING:
    from pathlib import Path

    from agent_memory.config.context import Context
    from agent_memory.fs.reader import FileText
    from agent_memory.markdown.sections import Section

_SLUG = re.compile(r"[^\w]+")
"""A run of characters that are not part of words: it becomes one dash in a file name."""


def split(ctx: Context, path: Path, title: str | None = None, *, line: int | None = None) -> Plan:
    """Plan to move a section of ``path`` into a note next to it and to leave a link.

    The section is the one whose heading is on ``line`` (from 0). If that is None, it is the one
    named ``title``; if both are None, the largest one.

    Raises:
        UsageError: the file cannot be read, may not be written to or has no such section, or the
            note exists.

    """
    content = ctx.store.read(path)
    if not content.ok:
        why = content.failure.words if content.failure else ""  # always set for an unread file
        raise UsageError(t("{0}: cannot be split ({1})", path, why))
    if line is None:
        section = _section_named(content, path, title)
    else:
        section = _section_on_line(content, path, line)
    # `shown` masks secrets, which must not be in a file name.
    note = path.with_name(f"{_slug(shown(section.title))}.md")
    # The user has named `path`, so its project may be written to as well.
    roots = with_project_of(write_roots(ctx), path)
    for file in (path, note):
        roots.check(file)
    if ctx.store.read(note).failure is not Failure.MISSING:
        raise UsageError(t("{0} already exists. Rename the heading or the file first", note))
    return replace(_plan_split(content, path, section, note), roots=roots)


def _plan_split(content: FileText, path: Path, section: Section, note: Path) -> Plan:
    """Return the plan to move the text of ``section`` from ``path`` to the new file ``note``."""
    newline = newline_of(content.lines)
    start, end = section.heading.below, _end_of_text(content.lines, section)
    text = "".join(content.lines[start:end]).strip("\r\n")
    link = f"{newline}See [{section.title}]({note.name}).{newline}"
    message = t(
        "Moves '{0}' ({1:,} bytes) from {2} to {3}, which the agent reads when it needs it",
        section.title,
        len(text.encode("utf-8", "surrogatepass")),
        path.name,
        note.name,
    )
    return Plan(
        Outcome.READY,
        message,
        path,
        line=section.heading.line,
        section=section.title,
        edits=(Edit(path, _span_of_lines(content.lines, start, end), link),),
        creates=((note, f"# {section.title}{newline}{newline}{text}{newline}"),),
        before=content,
    )


def _end_of_text(lines: list[str], section: Section) -> int:
    """Return the line after the last line with text in ``section``.

    In a section without text, it is the line below the heading.
    """
    end = section.end
    while end > section.heading.below and not without_newline(lines[end - 1]).strip():
        end -= 1
    return end


def _span_of_lines(lines: list[str], start: int, end: int) -> Span:
    """Return the span of the lines from ``start`` to the one before ``end``, newlines included."""
    if end == len(lines) and without_newline(lines[-1]) == lines[-1]:
        return Span(start, 0, end - 1, len(lines[-1]))  # no newline at the end of the file
    return Span(start, 0, end, 0)


def apply_split(plan: Plan) -> None:
    """Write a plan of :func:`split`: the note first, then the file with the link to it.

    Raises:
        UsageError: a file cannot be written, the memory file was changed after planning, or another
            program has created the note.

    """
    (edit,) = plan.edits
    ((note, text),) = plan.creates
    update(note, lambda content: _note_text(note, content, text), plan.roots)

    def change(content: FileText) -> str:
        """Return the text of the memory file with the link in place of the section.

        Raises:
            UsageError: another program has changed the file.

        """
        if plan.before is None or content.text != plan.before.text:
            raise UsageError(f"{plan.path}: another program changed the file; try again")
        return insert.edited(content, [edit])

    update(plan.path, change, plan.roots)


def _note_text(note: Path, content: FileText, text: str) -> str:
    """Return ``text``, which the new file ``note`` gets.

    ``content`` is the file as it is on disk now: missing, or with ``text`` from an earlier attempt.

    Raises:
        UsageError: another program has created the file with another text.

    """
    if content.ok and content.text != text:
        raise UsageError(f"{note} now exists; nothing was changed")
    return text


def _section_named(content: FileText, path: Path, title: str | None) -> Section:
    """Return the section named ``title``; for None the one with the most characters.

    Raises:
        UsageError: there is no such section; the message lists those that exist.

    """
    sections = sections_of(scan(content.lines))
    section = named(sections, title) if title else None
    if title is None and sections:
        section = max(sections, key=lambda item: _length(content, item))
    if section:
        return section
    if not sections:
        raise UsageError(t("{0} has no sections", path))
    titles = ", ".join(f"'{section.title}'" for section in sections)
    raise UsageError(t("{0} has no section '{1}'. Its sections: {2}", path, title or "", titles))


def _length(content: FileText, section: Section) -> int:
    """Return the number of characters below the heading of ``section``; newlines count."""
    return sum(map(len, content.lines[section.heading.below : section.end]))


def _section_on_line(content: FileText, path: Path, line: int) -> Section:
    """Return the section whose heading is on ``line`` (from 0).

    Raises:
        UsageError: no heading of a section is on this line.

    """
    for section in sections_of(scan(content.lines)):
        if section.heading.line == line:
            return section
    raise UsageError(t("{0}:{1}: no section begins here", path, line + 1))


def _slug(title: str) -> str:
    """Return the file name of a note, without suffix: ``Code style!`` gives ``code-style``."""
    return _SLUG.sub("-", title.lower()).strip("-") or "note"
