"""Plans the insertion of one item into one Markdown file, unless the file already contains it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from agent_memory.base.model import Edit, Scope
from agent_memory.base.text import apply_edits, full_span, newline_of
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
from agent_memory.remember.duplicates import find_duplicate
from agent_memory.remember.insert_messages import added_message, duplicate_message
from agent_memory.remember.plan import Outcome, Plan, refused
from agent_memory.runtimes.classify import MEMORY_NAMES

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from agent_memory.config.context import Context
    from agent_memory.fs.reader import FileText
    from agent_memory.remember.snippet import FormattedItem

_TITLES = {Scope.USER: "User memory", Scope.PROJECT: "Project memory"}
"""The first heading of a new file with a name such as ``AGENTS.md``."""


def into_file(  # noqa: PLR0913 -- what is known of the file
    ctx: Context,
    path: Path,
    item: FormattedItem,
    *,
    section: str | None = None,
    allow_duplicate: bool = False,
    scope: Scope = Scope.PROJECT,
    label: str = "",
) -> Plan:
    """Plan to add ``item`` to ``path``. Only this file is searched for a duplicate.

    ``section`` is the heading to add it under; a missing one is added. None or blank: the suggested
    one, else the last one; the end of the file if it has no section. ``label`` is the file's name
    in messages ('': its file name).

    The outcome is ready, a duplicate (not with ``allow_duplicate``), or refused: the file cannot be
    read or is read-only, or the item would be inside an unclosed block.
    """
    content = ctx.store.read(path)
    refusal = _refusal(path, content)
    if refusal:
        return refused(path, refusal)
    requested = _requested_title(section or "")
    choices, chosen, title = _choose_section(content, item, requested)
    # If no section is requested and none is suggested, the last one is chosen.
    heading_fits = bool(requested) or not chosen or any(suggested for _, suggested in choices)
    base = Plan(
        Outcome.READY,
        "",
        path,
        section=title,
        sections=choices,
        item=item.text,
        formatted=item,
        label=label or path.name,
        scope=scope,
        allow_duplicate=allow_duplicate,
        before=content,
        notes=() if heading_fits else (t("No heading fits, so it is under the last one"),),
    )
    existing = None if allow_duplicate else find_duplicate(content.lines, item)
    if existing:
        duplicate = replace(base, outcome=Outcome.DUPLICATE, line=existing.line, notes=())
        message = duplicate_message(duplicate, exact=existing.exact)
        return replace(duplicate, section=existing.section, headline=message)
    try:
        return _with_edit(base, content, chosen)
    except UnclosedBlockError as error:
        message = t("Not saved in {0}: {1}", path.name, error)
        return replace(base, outcome=Outcome.REFUSED, headline=message, notes=())


def replanned(plan: Plan, content: FileText) -> Plan:
    """Return ``plan`` with its edit for the file as it is now, with ``content``.

    The outcome is a duplicate if the file now contains the item (not with ``allow_duplicate``),
    refused if the item would be inside an unclosed block. If the file has not changed, ``plan`` is
    returned as it is.
    """
    if plan.before and (content.failure, content.text) == (plan.before.failure, plan.before.text):
        return plan
    # Nobody can be asked here: a near match is no reason to leave the item out.
    existing = (
        None if plan.allow_duplicate else find_duplicate(content.lines, plan.formatted, exact=True)
    )
    if existing:
        return replace(plan, outcome=Outcome.DUPLICATE, line=existing.line)
    chosen = named(sections_of(scan(content.lines)), plan.section) if plan.section else None
    try:
        return _with_edit(plan, content, chosen)
    except UnclosedBlockError as error:
        message = t("Not saved, because {0} changed: {1}", plan.path, error)
        return replace(plan, outcome=Outcome.REFUSED, headline=message)


def edited(content: FileText, edits: Sequence[Edit]) -> str:
    """Return the text of ``content`` after ``edits``, all of which are of that file."""
    return apply_edits(content.lines, [(edit.span, edit.text) for edit in edits])


def _refusal(path: Path, content: FileText) -> str:
    """Return why nothing can be added to ``path`` with ``content``.

    '' if something can, also to a missing file, which is created.
    """
    if content.failure and content.failure is not Failure.MISSING:
        why = content.failure.words
        return t("Cannot read {0}: {1}. Fix the file, then try again", path, why)
    if content.ok and _read_only(path):
        return t("{0} is read-only. Make it writable, or choose another file", path)
    return ""


def _read_only(path: Path) -> bool:
    """Whether ``path`` exists and nobody has the permission to write to it."""
    try:
        return not path.stat().st_mode & 0o222
    except OSError:  # an open buffer that is not saved yet
        return False


def _requested_title(section: str) -> str:
    """Return the title of the heading ``section``: "## Style" names the section "Style"."""
    return " ".join(section.split()).lstrip("# ")


def _choose_section(
    content: FileText, item: FormattedItem, wanted: str
) -> tuple[tuple[tuple[str, bool], ...], Section | None, str]:
    """Return (title, suggested) of each section, the chosen section, and its title.

    The chosen section is the one with the title ``wanted``; None if it does not exist yet, then the
    title is ``wanted``. If ``wanted`` is '', it is the suggested section, else the last one; in a
    file without sections it is None and the title ''.
    """
    sections = sections_of(scan(content.lines))
    suggested = suggest(sections, item.text, content.lines)
    titles = tuple((section.title, section is suggested) for section in sections)
    if wanted:
        chosen = named(sections, wanted)
    else:
        chosen = suggested or (sections[-1] if sections else None)
    return titles, chosen, chosen.title if chosen else wanted


def _with_edit(base: Plan, content: FileText, chosen: Section | None) -> Plan:
    """Return ``base`` with its edit and headline.

    The item goes into the section ``chosen``, else under the new heading ``base.section``, else
    ('') to the end of the file. A missing or blank file gets the text of a new one.

    Raises:
        UnclosedBlockError: the insertion point is inside a code block or comment.

    """
    item, new_section = base.formatted, bool(base.section) and chosen is None
    edits: tuple[Edit, ...] = ()
    creates: tuple[tuple[Path, str], ...] = ()
    is_blank = not content.text.strip("\ufeff \t\r\n")
    if not is_blank:
        placed = (
            placement.place_heading(content.lines, item, base.section)
            if new_section
            else placement.place(content.lines, item, chosen)
        )
        edits = (Edit(base.path, placed.span, placed.text),)
    else:
        newline = newline_of(content.lines)
        placed = placement.new_file(item, _title(base), base.section, newline)
        if content.failure is Failure.MISSING:
            creates = ((base.path, placed.text),)
        else:
            bom = "\ufeff" if content.text.startswith("\ufeff") else ""
            edits = (Edit(base.path, full_span(content.lines), bom + placed.text),)
    plan = replace(base, line=placed.line, edits=edits, creates=creates, new_section=new_section)
    return replace(plan, headline=added_message(plan))


def _title(plan: Plan) -> str:
    """Return the heading of a new file.

    It is that of the scope for a file with a name such as ``AGENTS.md``, else it is made from the
    file's name.
    """
    if plan.path.name in MEMORY_NAMES:
        return _TITLES[plan.scope]
    return plan.path.stem.replace("-", " ").replace("_", " ").capitalize()
