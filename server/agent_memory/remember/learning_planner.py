"""Plans a learning of a Claude MPM agent, within the limits of its file."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from agent_memory.base.model import Edit
from agent_memory.base.text import Span, split_lines
from agent_memory.base.text_diff import common_ends
from agent_memory.fs.reader import Failure
from agent_memory.l10n import t
from agent_memory.learnings import memory_file
from agent_memory.learnings.eviction import NotAdded
from agent_memory.learnings.extract import RECENT, SECTION_OF
from agent_memory.learnings.memory_file import FileChange
from agent_memory.learnings.sections import find_item
from agent_memory.learnings.store import Learnings, archive_text
from agent_memory.markdown.parser import scan
from agent_memory.markdown.sections import sections_of, suggest
from agent_memory.remember.plan import Outcome, Plan, SectionChoice, refused
from agent_memory.runtimes.claude_mpm_names import agent_of
from agent_memory.secrets import mask

if TYPE_CHECKING:
    from pathlib import Path

    from agent_memory.config.context import Context
    from agent_memory.fs.reader import FileText
    from agent_memory.remember.snippet import FormattedItem


def plan_learning(ctx: Context, item: FormattedItem, section: str | None, path: Path) -> Plan:
    """Plan to add ``item`` to ``path``, the memory of an agent.

    ``section`` is a heading or a learning type (None or blank: the suggested section, else the last
    one). The notes name the items to evict, and the edits move them to the archive. The edits are
    for editors; ``write`` of the plan adds the item to the file as it is at that time.

    The outcome is ready, a duplicate if the file has an item with the text of the first bullet, or
    refused: the file cannot be read or is not the one that Claude MPM reads for the agent, the item
    is a block or would not be parsed as an item, or a limit does not allow it.
    """
    learnings = Learnings(ctx)
    agent = agent_of(path.stem)
    content = ctx.store.read(path)
    refusal = _refusal(item, path, content, learnings.path_of(agent))
    if refusal:
        return refused(path, refusal)
    now, limits = datetime.now(UTC), learnings.limits(agent)
    text = content.text
    if not text.strip("\ufeff \t\r\n"):  # missing or blank
        text = learnings.fresh_text(path)
    title, choices = _choose_section(text, item, section)
    base = Plan(
        Outcome.READY,
        "",
        path,
        section=title,
        sections=choices,
        item=item.text,
        formatted=item,
        label=path.name,
    )
    done = FileChange(text)  # the changes of all bullets so far
    try:
        for bullet in item.bullets:
            change = memory_file.add(done.text, title, bullet, limits, now)
            done = replace(change, evicted=(*done.evicted, *change.evicted))
    except NotAdded as why:
        return _not_added(base, text, item, why)

    def write() -> None:
        """Add each bullet to the file, as it is on disk at that time."""
        for bullet in item.bullets:
            learnings.add_to(agent, title, bullet)

    ready = replace(_with_messages(base, done), write=write)
    return _with_edits(ctx, ready, done, learnings.archive_of(agent))


def _not_added(base: Plan, text: str, item: FormattedItem, why: NotAdded) -> Plan:
    """Return ``base`` as a duplicate if the file ``text`` has the first bullet, else as refused.

    ``why`` is the error of :func:`memory_file.add`, which is raised in both cases.
    """
    headline = t("Not saved: {0}", why)
    existing = find_item(text, item.bullets[0])
    if existing is None:
        return replace(base, outcome=Outcome.REFUSED, headline=headline)
    return replace(base, outcome=Outcome.DUPLICATE, headline=headline, line=existing.line)


def _with_messages(plan: Plan, done: FileChange) -> Plan:
    """Return ``plan`` with a headline, and the line, section and evicted items of ``done``.

    Each evicted item also gives a note.
    """
    evicts = tuple(mask(evicted.text.strip()) for evicted in done.evicted)
    values = (plan.path.name, done.section, done.line + 1)
    if evicts:  # an eviction needs consent, so the headline is shown before the change
        headline = t("Adds it to {0} > {1} (line {2})", *values)
    else:
        headline = t("Added to {0} > {1} (line {2})", *values)
    notes = tuple(t("The oldest item, '{0}', moves to the archive", item) for item in evicts)
    plan = replace(plan, headline=headline, line=done.line, section=done.section)
    return replace(plan, notes=notes, evicts=evicts)


def _refusal(item: FormattedItem, path: Path, content: FileText, path_of_agent: Path) -> str:
    """Return why ``item`` cannot be added to the file ``path`` with ``content``, '' if it can.

    ``path_of_agent`` is the file that Claude MPM reads for the agent that ``path`` is named after.
    """
    if path != path_of_agent:
        return t("claude-mpm reads {0} instead of {1}", path_of_agent.name, path.name)
    if content.failure and content.failure is not Failure.MISSING:
        why = content.failure.words
        return t("Cannot read {0}: {1}. Fix the file, then try again", path, why)
    if item.block:
        return t("A learning is one line, not a block")
    return ""


def _with_edits(ctx: Context, plan: Plan, done: FileChange, archive: Path) -> Plan:
    """Return ``plan`` with the edits for editors: of the memory file, and of the archive.

    The archive is only edited if ``done`` evicts items. A file that cannot be read, usually because
    it is missing, is created.
    """
    new_texts = [(plan.path, done.text)]
    if done.evicted:
        archived = ctx.store.read(archive).text
        agent = agent_of(plan.path.stem)
        new_texts.append((archive, archive_text(archived, agent, done.evicted)))
    edits, creates = [], []
    for path, text in new_texts:
        content = ctx.store.read(path)
        if content.ok:
            edits.append(_edit(path, content.lines, text))
        else:
            creates.append((path, text))
    return replace(plan, edits=tuple(edits), creates=tuple(creates))


def _edit(path: Path, old: list[str], text: str) -> Edit:
    """Return the smallest edit of whole lines that turns ``old`` into ``text``."""
    new = split_lines(text)
    head, tail = common_ends(old, new)  # the number of equal lines at the start and the end
    span = Span(head, 0, len(old) - tail, 0)
    return Edit(path, span, "".join(new[head : len(new) - tail]))


def _choose_section(
    text: str, item: FormattedItem, requested: str | None
) -> tuple[str, tuple[SectionChoice, ...]]:
    """Return the title of the section for ``item``, and all sections of the file ``text``.

    ``requested`` is a heading or a learning type. If it is None or blank, the section is the
    suggested one, else the last one; in a file without sections it is Recent Learnings.
    """
    lines = split_lines(text)
    sections = sections_of(scan(lines))
    suggested = suggest(sections, item.text, lines)
    choices = tuple(SectionChoice(section.title, section is suggested) for section in sections)
    if requested and requested.strip():
        heading = " ".join(requested.split())
        return SECTION_OF.get(requested.strip().lower(), heading), choices
    chosen = suggested or (sections[-1] if sections else None)
    return chosen.title if chosen else RECENT, choices
