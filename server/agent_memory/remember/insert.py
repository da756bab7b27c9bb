"""Plans the insertion of one item into one Markdown file, unless the file already contains it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from agent_memory.base.model import Edit, Scope
from agent_memory.base.text import BOM, apply_edits, full_span, newline_of
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
from agent_memory.remember.plan import Outcome, Plan, SectionChoice, refused
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

    ``section`` is the heading to add ``item`` under; a missing heading is added. None or blank: the
    suggested section, else the last one; the end of a file without sections. ``label`` is the
    file's name in messages ('': its file name).

    The outcome is ready, a duplicate (not with ``allow_duplicate``), or refused: the file cannot be
    read or is read-only, or the item would be inside an unclosed block.
    """
    content = ctx.store.read(path)
    refusal = _refusal(path, content)
    if refusal:
        return refused(path, refusal)
    requested = _requested_title(section or "")
    sections = sections_of(scan(content.lines))
    suggested = suggest(sections, item.text, content.lines)
    if requested:
        chosen = named(sections, requested)
    else:
        chosen = suggested or (sections[-1] if sections else None)
    is_fallback = bool(chosen) and not requested and not suggested  # the last section
    base = Plan(
        Outcome.READY,
        "",
        path,
        section=chosen.title if chosen else requested,
        sections=tuple(SectionChoice(each.title, each is suggested) for each in sections),
        item=item.text,
        formatted=item,
        label=label or path.name,
        scope=scope,
        allow_duplicate=allow_duplicate,
        before=content,
        notes=(t("No heading fits, so it is under the last one"),) if is_fallback else (),
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
    """Return ``plan`` with the edit for ``content``, that of the file as it is now.

    The outcome is a duplicate if the file now contains the item (not with ``allow_duplicate``),
    refused if the item would be inside an unclosed block. If the file has not changed, ``plan`` is
    returned as it is.
    """
    if plan.before and (content.failure, content.text) == (plan.before.failure, plan.before.text):
        return plan
    # Only an exact match counts: no person can confirm here that a similar item says the same.
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
    """Return the text of the file ``content`` after ``edits``, all of which are of this file."""
    return apply_edits(content.lines, [(edit.span, edit.text) for edit in edits])


def _refusal(path: Path, content: FileText) -> str:
    """Return why nothing can be added to the file ``path`` with ``content``, '' if something can.

    A missing file is not refused: it is created.
    """
    if content.failure and content.failure is not Failure.MISSING:
        why = content.failure.words
        return t("Cannot read {0}: {1}. Fix the file, then try again", path, why)
    if content.ok and _is_read_only(path):
        return t("{0} is read-only. Make it writable, or choose another file", path)
    return ""


def _is_read_only(path: Path) -> bool:
    """Whether ``path`` exists and nobody has the permission to write to it."""
    try:
        return not path.stat().st_mode & 0o222
    except OSError:  # an open buffer that is not saved yet
        return False


def _requested_title(section: str) -> str:
    """Return the title of the heading ``section``: "## Style" names the section "Style"."""
    return " ".join(section.split()).lstrip("# ")


def _with_edit(base: Plan, content: FileText, chosen: Section | None) -> Plan:
    """Return ``base`` with its edit and headline.

    The item goes to the end of the section ``chosen``. Without one, it goes under the new heading
    ``base.section``; if that is '' too, to the end of the file. A missing or blank file gets the
    text of a new one.

    Raises:
        UnclosedBlockError: the insertion point is inside an unclosed fence or comment.

    """
    new_section = bool(base.section) and chosen is None
    base = replace(base, new_section=new_section)
    is_blank = not content.text.strip("\ufeff \t\r\n")
    if is_blank:
        return _with_new_text(base, content)
    placed = (
        placement.place_heading(content.lines, base.formatted, base.section)
        if new_section
        else placement.place(content.lines, base.formatted, chosen)
    )
    edit = Edit(base.path, placed.span, placed.text)
    plan = replace(base, line=placed.line, edits=(edit,), creates=())
    return replace(plan, headline=added_message(plan))


def _with_new_text(base: Plan, content: FileText) -> Plan:
    """Return ``base`` with a headline and the edit that gives its file the text of a new one.

    The file is missing or blank; ``content`` is that of the file.
    """
    newline = newline_of(content.lines)
    placed = placement.new_file(base.formatted, _title(base), base.section, newline)
    plan = replace(base, line=placed.line, edits=(), creates=())
    if content.failure is Failure.MISSING:
        plan = replace(plan, creates=((base.path, placed.text),))
    else:
        bom = BOM if content.text.startswith(BOM) else ""
        edit = Edit(base.path, full_span(content.lines), bom + placed.text)
        plan = replace(plan, edits=(edit,))
    return replace(plan, headline=added_message(plan))


def _title(plan: Plan) -> str:
    """Return the first heading of the file of ``plan``, which is new.

    The heading is that of the scope if the file has a name such as ``AGENTS.md``. For any other
    file, it is the file's name in words: ``code-style.md`` gives ``Code style``.
    """
    if plan.path.name in MEMORY_NAMES:
        return _TITLES[plan.scope]
    return plan.path.stem.replace("-", " ").replace("_", " ").capitalize()
