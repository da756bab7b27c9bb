"""Filing one item into one markdown file: where it goes, and whether it is said there already."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from agent_memory.base.model import Edit, Scope
from agent_memory.base.text import apply_edits, newline_of, whole
from agent_memory.fs.reader import Failure
from agent_memory.l10n import t
from agent_memory.markdown.open_blocks import UnclosedBlockError
from agent_memory.markdown.parser import scan
from agent_memory.markdown.sections import (
    Section,
    named,
    sections_of,
    suggest,
)
from agent_memory.remember import placement
from agent_memory.remember.duplicates import find_said
from agent_memory.remember.plan import Outcome, Plan, refused
from agent_memory.runtimes.classify import MEMORY_NAMES

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from agent_memory.config.context import Context
    from agent_memory.fs.reader import FileText
    from agent_memory.remember.snippet import FormattedItem

_TITLES = {Scope.USER: "User memory", Scope.PROJECT: "Project memory"}


def into_file(
    ctx: Context,
    path: Path,
    item: FormattedItem,
    *,
    section: str | None = None,
    anyway: bool = False,
    scope: Scope = Scope.PROJECT,
) -> Plan:
    """Plan to file ``item`` into ``path``, whatever else is known about it."""
    content = ctx.store.read(path)
    if not content.ok and content.failure is not Failure.MISSING:
        why = content.failure.words if content.failure else ""
        return refused(path, t("{0} cannot be read ({1}). Mend the file first", path, why))
    if content.ok and _read_only(path):
        return refused(
            path, t("{0} is marked as read-only. Make it writable, or choose another", path)
        )
    sections, chosen, title = _sections(content, item, section)
    base = Plan(
        Outcome.READY,
        "",
        path,
        section=title,
        sections=sections,
        item=item.text,
        tidy=item,
        scope=scope,
        before=content,
    )
    said = None if anyway else find_said(content.lines, item)
    if said:
        place = (said.line + 1, path.name)
        return replace(
            base,
            outcome=Outcome.DUPLICATE,
            message=t("This is already there in line {0} of {1}", *place)
            if said.exact
            else t("This is said almost the same in line {0} of {1}", *place),
            line=said.line,
            section=said.section,
        )
    try:
        return _placed(base, content, chosen)
    except UnclosedBlockError as error:
        message = t("Not filed: in {0}, {1}", path.name, error)
        return replace(base, outcome=Outcome.REFUSED, message=message)


def replanned(plan: Plan, content: FileText) -> Plan:
    """Return ``plan`` for the file as it is now; a duplicate where the item stands in it."""
    if plan.before and (content.failure, content.text) == (plan.before.failure, plan.before.text):
        return plan
    said = None if plan.anyway else find_said(content.lines, plan.tidy, exact=True)
    if said:
        return replace(plan, outcome=Outcome.DUPLICATE, line=said.line)
    sections = sections_of(scan(content.lines)) if plan.section else []
    chosen = named(sections, plan.section) if plan.section else None
    try:
        return _placed(plan, content, chosen)
    except UnclosedBlockError as error:
        message = t("{0}: not filed, because meanwhile {1}", plan.path, error)
        return replace(plan, outcome=Outcome.REFUSED, message=message)


def edited(content: FileText, edits: Sequence[Edit]) -> str:
    """Return the text of ``content`` after ``edits``, which are all of that file."""
    return apply_edits(content.lines, [(edit.span, edit.text) for edit in edits])


def _read_only(path: Path) -> bool:
    try:
        return not path.stat().st_mode & 0o222
    except OSError:  # an open buffer that is not saved yet
        return False


def _sections(
    content: FileText, item: FormattedItem, wanted: str | None
) -> tuple[tuple[tuple[str, bool], ...], Section | None, str]:
    """Return (title, suggested) of each section, the chosen one if it is there, and its title."""
    sections = sections_of(scan(content.lines))
    best = suggest(sections, item.text, content.lines)
    shown = tuple((section.title, section is best) for section in sections)
    if wanted is None or not wanted.strip():
        return shown, best, best.title if best else ""
    title = " ".join(wanted.split()).lstrip("# ")
    chosen = named(sections, title)
    return shown, chosen, chosen.title if chosen else title


def _placed(base: Plan, content: FileText, chosen: Section | None) -> Plan:
    """Return ``base`` with the edit that files its item.

    Raises:
        UnclosedBlockError: the place is inside code or a comment.

    """
    name, item = base.path.name, base.tidy
    if not content.text.strip("\ufeff \t\r\n"):
        newline = newline_of(content.lines)
        placed = placement.new_file(item, _title(base), base.section, newline)
        message = t("Filed in {0}, which is new", name)
        if content.failure is Failure.MISSING:
            creates = ((base.path, placed.text),)
            return replace(base, message=message, line=placed.line, creates=creates, edits=())
        bom = "\ufeff" if content.text.startswith("\ufeff") else ""
        edit = Edit(base.path, whole(content.lines), bom + placed.text)
        message = t("Filed in {0}, which was empty", name)
        return replace(base, message=message, line=placed.line, edits=(edit,), creates=())
    if base.section and chosen is None:
        placed = placement.place_heading(content.lines, item, base.section)
        message = t("Filed under the new heading '{0}' of {1}", base.section, name)
    else:
        placed = placement.place(content.lines, item, chosen)
        line = placed.line + 1
        message = (
            t("Filed under '{0}' of {1}, line {2}", base.section, name, line)
            if base.section
            else t("Filed at the end of {0}, line {1}", name, line)
        )
    edit = Edit(base.path, placed.span, placed.text)
    return replace(base, message=message, line=placed.line, edits=(edit,), creates=())


def _title(plan: Plan) -> str:
    """Return the heading of a new file: whose memory it is, or for a note its name."""
    if plan.path.name.lower() in MEMORY_NAMES:
        return _TITLES[plan.scope]
    return plan.path.stem.replace("-", " ").replace("_", " ").capitalize()
