"""Moving what is already in memory: an item to the other scope, a section to a note of its own.

Each plan is one set of edits, so an editor undoes it in one step. The command line writes the new
place before it clears the old one: a crash between the two leaves the text in both, never in none.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from agent_memory import secrets
from agent_memory.base.errors import UsageError
from agent_memory.base.model import Edit
from agent_memory.base.text import BOM, Span, body, newline_of
from agent_memory.fs.atomic_write import update
from agent_memory.fs.reader import Failure
from agent_memory.l10n import t
from agent_memory.markdown.model import LineKind
from agent_memory.markdown.parser import scan
from agent_memory.markdown.sections import named, sections_of
from agent_memory.remember import insert, planner, preconditions
from agent_memory.remember.plan import Outcome, Plan
from agent_memory.remember.snippet import FormattedItem
from agent_memory.runtimes.selection import choose

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from agent_memory.base.model import Scope
    from agent_memory.config.context import Context
    from agent_memory.fs.reader import FileText
    from agent_memory.markdown.model import Item as ListItem
    from agent_memory.markdown.sections import Section

_SLUG = re.compile(r"[^\w]+")


@dataclass(frozen=True, slots=True)
class Move:
    """``plan`` for the new place, and ``removal``, the edit that clears the old one.

    Without ``removal`` nothing can be moved; the plan's message says why. ``source`` is the text
    that ``removal`` was made for.
    """

    plan: Plan
    removal: Edit | None = None
    source: str = field(default="", repr=False)

    @property
    def edits(self) -> tuple[Edit, ...]:
        """Every edit of the move."""
        return (*self.plan.edits, *((self.removal,) if self.removal else ()))


def item_at(lines: Sequence[str], line: int) -> ListItem | None:
    """Return the outermost list item that covers ``line``; None if there is none."""
    covering = [item for item in scan(lines).items if item.line <= line < item.end_line]
    return min(covering, key=lambda item: item.indent) if covering else None


def move(
    ctx: Context,
    path: Path,
    line: int,
    scope: Scope | str,
    *,
    create: bool = False,
    runtime_id: str | None = None,
) -> Move:
    """Plan to move the list item at ``line`` (from 0) of ``path`` into the memory of ``scope``.

    What stands there already, word for word, is only removed here; what is said there nearly the
    same is filed nevertheless.

    Raises:
        UsageError: there is no item, or it is in that memory.

    """
    content = ctx.store.read(path)
    found = item_at(content.lines, line) if content.ok else None
    if found is None:
        raise UsageError(t("{0}:{1}: there is no list item to move", path, line + 1))
    ctx, choice = choose(ctx, runtime_id)
    target_scope = planner.known_scope(scope)
    target = planner.memory_target(ctx, choice, target_scope)
    if _one_file(target, path):
        raise UsageError(t("{0}:{1}: this is {2} memory already", path, line + 1, t(scope)))
    text = "".join(content.lines[found.line : found.end_line])
    hidden = tuple(secrets.find(text))
    if hidden:
        kinds = ", ".join(dict.fromkeys(secret.title for secret in hidden))
        message = t("Not moved: the item holds a secret ({0})", kinds)
        return Move(Plan(Outcome.SECRET, message, target, secrets=hidden))
    item = _as_item(text, found)
    removal = _removal(path, content.lines, found)
    there = _equal_items(ctx.store.read(target).lines, item)
    if there:
        at = there[0].line
        message = t("This is already there in line {0} of {1}", at + 1, target.name)
        return Move(Plan(Outcome.READY, message, target, line=at, tidy=item), removal, content.text)
    plan = insert.into_file(ctx, target, item, anyway=True, scope=target_scope)
    if plan.outcome is Outcome.READY and not create:
        plan = preconditions.consent(ctx, plan)
    return Move(plan, removal if plan.outcome is Outcome.READY else None, content.text)


def _one_file(one: Path, other: Path) -> bool:
    """Whether both names lead to the same file, be it by ``..``, a link or another case."""
    try:
        return one.samefile(other)
    except OSError:  # one is not on disk yet
        return os.path.realpath(one) == os.path.realpath(other)


def apply(move: Move) -> None:
    """Write ``move``: the new place first.

    Raises:
        UsageError: it is not ready, or a file cannot be written.

    """
    if move.removal is None:
        raise UsageError(move.plan.message)
    if move.plan.edits or move.plan.creates:
        planner.apply(move.plan)
    _remove(move.removal, move.plan.tidy, move.source)


def split(ctx: Context, path: Path, title: str | None = None, *, line: int | None = None) -> Plan:
    """Plan to move a section of ``path`` into a note beside it and to leave a link.

    It is the one whose heading stands on ``line`` (from 0), else the one called ``title``, else
    the largest.

    Raises:
        UsageError: the file cannot be read, or has no such section, or the note is there.

    """
    content = ctx.store.read(path)
    if not content.ok:
        why = content.failure.words if content.failure else ""
        raise UsageError(t("{0}: cannot be split ({1})", path, why))
    section = _section(content, path, title) if line is None else _section_on(content, path, line)
    note = path.with_name(f"{_slug(section.title)}.md")
    if ctx.store.read(note).failure is not Failure.MISSING:
        raise UsageError(t("{0}: there is such a file; rename the heading or the file first", note))
    newline = newline_of(content.lines)
    last = section.end
    while last > section.heading.below and not body(content.lines[last - 1]).strip():
        last -= 1
    text = "".join(content.lines[section.heading.below : last]).strip("\r\n")
    link = f"{newline}See [{section.title}]({note.name}).{newline}"
    span = Span(section.heading.below, 0, last, 0)
    if last == len(content.lines) and body(content.lines[-1]) == content.lines[-1]:
        span = Span(section.heading.below, 0, last - 1, len(content.lines[-1]))
    saved = len(text.encode("utf-8", "surrogatepass"))
    return Plan(
        Outcome.READY,
        t(
            "Moves '{0}' ({1:,} bytes) from {2} to {3}, which the agent reads when it needs it",
            section.title,
            saved,
            path.name,
            note.name,
        ),
        path,
        line=section.heading.line,
        section=section.title,
        edits=(Edit(path, span, link),),
        creates=((note, f"# {section.title}{newline}{newline}{text}{newline}"),),
        before=content,
    )


def apply_split(plan: Plan) -> None:
    """Write a plan of :func:`split`: the note first.

    Raises:
        UsageError: a file cannot be written, or was changed since the plan.

    """
    (edit,) = plan.edits
    ((note, text),) = plan.creates
    update(note, lambda content: _new(note, content, text))

    def change(content: FileText) -> str:
        if plan.before is None or content.text != plan.before.text:
            raise UsageError(f"{plan.path}: another program changed it meanwhile; try again")
        return insert.edited(content, [edit])

    update(plan.path, change)


def _new(note: Path, content: FileText, text: str) -> str:
    if content.ok and content.text != text:
        raise UsageError(f"{note}: there is such a file now; nothing was changed")
    return text


def _as_item(text: str, found: ListItem) -> FormattedItem:
    lines = text.removeprefix(BOM).replace("\r\n", "\n").rstrip("\n").split("\n")
    if len(lines) == 1:
        return FormattedItem((found.text,))
    rows = [line.removeprefix(" " * found.indent) for line in lines]
    return FormattedItem(block="\n".join(rows))


def _equal_items(lines: Sequence[str], wanted: FormattedItem) -> list[ListItem]:
    """Return the items of ``lines`` that are ``wanted``, but for those inside of another item."""
    found, behind = [], 0
    for item in scan(lines).items:
        if item.line < behind:
            continue
        behind = item.end_line
        if _as_item("".join(lines[item.line : item.end_line]), item) == wanted:
            found.append(item)
    return found


def _removal(path: Path, lines: Sequence[str], found: ListItem) -> Edit:
    """Return the edit that takes an item out, and a blank line where it leaves two."""
    kinds = scan(lines).kinds
    end = found.end_line
    above = found.line == 0 or kinds[found.line - 1] is not LineKind.ITEM
    if above and end < len(lines) and kinds[end] is LineKind.BLANK and found.line > 0:
        end += kinds[found.line - 1] is LineKind.BLANK
    start = int(found.line == 0 and lines[0].startswith(BOM))
    if end == len(lines) and body(lines[-1]) == lines[-1]:
        return Edit(path, Span(found.line, start, end - 1, len(lines[-1])), "")
    return Edit(path, Span(found.line, start, end, 0), "")


def _remove(removal: Edit, wanted: FormattedItem, source: str) -> None:
    """Take the item out of the file as it is now: where that is not ``source``, the nearest one."""

    def change(content: FileText) -> str:
        if content.text == source:
            return insert.edited(content, [removal])
        equal = _equal_items(content.lines, wanted)
        if not equal:
            return content.text
        nearest = min(equal, key=lambda item: abs(item.line - removal.span.line))
        return insert.edited(content, [_removal(removal.path, content.lines, nearest)])

    update(removal.path, change)


def _section(content: FileText, path: Path, title: str | None) -> Section:
    sections = sections_of(scan(content.lines))
    found = named(sections, title) if title else None
    if title is None and sections:
        found = max(
            sections,
            key=lambda item: len("".join(content.lines[item.heading.below : item.end])),
        )
    if found is None:
        known = ", ".join(f"'{section.title}'" for section in sections) or "none"
        raise UsageError(
            t("{0}: there is no section '{1}'; sections: {2}", path, title or "", known)
        )
    return found


def _section_on(content: FileText, path: Path, line: int) -> Section:
    for section in sections_of(scan(content.lines)):
        if section.heading.line == line:
            return section
    raise UsageError(t("{0}:{1}: no section begins here", path, line + 1))


def _slug(title: str) -> str:
    return _SLUG.sub("-", title.lower()).strip("-") or "note"
