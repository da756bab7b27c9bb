"""Checks before a plan is applied: duplicates elsewhere, conflicts, consent, size limits.

Each check returns the plan, with another outcome or one more note if it found something.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from agent_memory.base.model import Role, Scope, Status
from agent_memory.fs.write_roots import real_path
from agent_memory.l10n import t
from agent_memory.remember import unsafe_text
from agent_memory.remember.duplicates import find_duplicate, find_opposite
from agent_memory.remember.plan import Outcome
from agent_memory.remember.size_limits import check_size
from agent_memory.remember.unsafe_text import MAX_BYTES
from agent_memory.runtimes.classify import is_user_file, owner_of

if TYPE_CHECKING:
    from pathlib import Path

    from agent_memory.config.context import Context
    from agent_memory.remember.plan import Plan
    from agent_memory.remember.targets import Target
    from agent_memory.runtimes.selection import Choice


def check(target: Target, plan: Plan, *, create: bool, by_agent: bool) -> Plan:
    """Return ``plan`` after all checks for ``target``: with notes, or with another outcome.

    ``by_agent``: an agent saves, so the plan for an instruction file is refused, ready or not. Each
    further check needs a plan that is still ready; only the note on a missing project is also added
    to a request for consent. ``plan.allow_duplicate`` skips the checks for duplicates and
    conflicts. ``create`` is the consent to create the project's memory folder.
    """
    ctx, choice = target.ctx, target.choice
    if by_agent:
        plan = refuse_instructions(plan)
    if plan.outcome is Outcome.READY and not plan.allow_duplicate:
        plan = check_duplicates(ctx, choice, plan)
    if plan.outcome is Outcome.READY and not plan.allow_duplicate:
        plan = note_conflict(ctx, choice, plan)
    if plan.outcome is Outcome.READY and not create:
        plan = require_consent(ctx, plan, plan.path.parent)
    if plan.outcome in (Outcome.READY, Outcome.CONSENT):
        plan = note_missing_project(ctx, choice, plan)
    if plan.outcome is Outcome.READY and plan.write is None:  # learnings have limits of their own
        plan = check_size(ctx, choice, plan)
    if plan.outcome is Outcome.READY and target.instead_of:
        note = t("{0} reads it, {1} does not", choice.runtime.id, target.instead_of)
        plan = with_note(plan, note)
    return plan


def check_duplicates(ctx: Context, choice: Choice, plan: Plan) -> Plan:
    """Return ``plan``; as a duplicate if another file that the agent loads contains the item.

    The path, line and section of a duplicate are those of the existing item. Near matches do not
    count.
    """
    for source in choice.runtime.sources(ctx):
        if source.status is not Status.LOADED or source.path == plan.path:
            continue
        existing = find_duplicate(ctx.store.read(source.path).lines, plan.formatted, exact=True)
        if existing:
            message = t(
                "Already in {0} (line {1}), which the agent reads too",
                source.path,
                existing.line + 1,
            )
            return replace(
                plan,
                outcome=Outcome.DUPLICATE,
                headline=message,
                path=source.path,
                line=existing.line,
                section=existing.section,
                edits=(),
                creates=(),
            )
    return plan


def note_conflict(ctx: Context, choice: Choice, plan: Plan) -> Plan:
    """Return ``plan``, with a note if a line tells the agent the opposite of the item.

    The files that the agent loads and the plan's own file are searched. The note names the first
    such line.
    """
    for source in choice.runtime.sources(ctx):
        if source.status is Status.LOADED or source.path == plan.path:
            line = find_opposite(ctx.store.read(source.path).lines, plan.formatted)
            if line is not None:
                name = source.path.name
                return with_note(
                    plan, t("It conflicts with line {0} of {1}: keep one", line + 1, name)
                )
    return plan


def require_consent(ctx: Context, plan: Plan, folder: Path) -> Plan:
    """Return ``plan``; as a request for consent if ``folder`` is missing.

    A folder of the user's own memory needs no consent; any other counts as one of the project.
    """
    in_project = plan.scope is not Scope.USER and not is_user_file(folder, ctx.home)
    if folder.is_dir() or not in_project:
        return plan
    question = t("Create the {0} folder in this project?", folder.name)
    return replace(
        plan, outcome=Outcome.CONSENT, headline=question, folder=folder, edits=(), creates=()
    )


def note_missing_project(ctx: Context, choice: Choice, plan: Plan) -> Plan:
    """Return ``plan``, with a note if the runtime finds no project, or skips the nearest ``.git``.

    A plan for another scope than the project's never gets this note.
    """
    note = choice.runtime.missing_project(ctx) if plan.scope is Scope.PROJECT else ""
    return with_note(plan, note) if note else plan


def refuse_instructions(plan: Plan) -> Plan:
    """Return ``plan``; refused for an instruction file, which people write and agents only read."""
    if plan.role is not Role.INSTRUCTIONS:
        return plan
    message = (
        f"Not saved: {plan.path.name} is an instruction file, which agents only read. "
        "Save an entry instead, or ask the user to change the file"
    )
    return replace(plan, outcome=Outcome.REFUSED, headline=message, edits=(), creates=())


def refuse_others(plan: Plan, ctx: Context, choice: Choice) -> Plan:
    """Return ``plan``; refused for the memory of an agent that is not the agent of ``choice``.

    The path shows the owner of a memory file. But the files that the runtime reads for the agent
    are always its own, even if the name in their path is spelled differently. Of a symlink, both
    the link and its target count, so that a link to the memory of another agent is refused.
    """
    agent, runtime = choice.agent, choice.runtime
    memory_paths = (runtime.memory_path(ctx, scope) for scope in (Scope.USER, Scope.PROJECT))
    own = {_with_real_folder(path) for path in memory_paths if path}
    link_and_target = (plan.path, real_path(plan.path))
    foreign = (path for path in link_and_target if _with_real_folder(path) not in own)
    # '' is the owner of a file that belongs to no agent.
    other_agents = {owner_of(path, ctx.home) for path in foreign} - {"", agent}
    if not other_agents:
        return plan
    name = min(other_agents)
    message = (
        f"Not saved: {plan.path.name} is the memory of the agent {name}, and {agent} may "
        "change only its own and the project's. Save it without the parameter file"
    )
    return replace(
        plan, outcome=Outcome.REFUSED, headline=message, edits=(), creates=(), write=None
    )


def _with_real_folder(path: Path) -> Path:
    """Return ``path`` with the symlinks of its folder resolved; a link at ``path`` is kept."""
    return real_path(path.parent) / path.name


def refuse_unsafe(plan: Plan, *lines: str, most: int = MAX_BYTES) -> Plan:
    """Return ``plan``; refused if its text must not be saved (:mod:`.unsafe_text` says why).

    ``lines`` are saved with the item, such as a heading. ``most`` is the largest size of the item
    in bytes.
    """
    if plan.outcome in (Outcome.REFUSED, Outcome.SECRET):  # nothing is saved anyway
        return plan
    why = unsafe_text.why_unsafe(plan.item, *lines, most=most)
    if not why:
        return plan
    message = t("Not saved: {0}", why)
    return replace(
        plan, outcome=Outcome.REFUSED, headline=message, edits=(), creates=(), write=None
    )


def with_note(plan: Plan, note: str) -> Plan:
    """Return ``plan`` with one more sentence in its message."""
    return replace(plan, notes=(*plan.notes, note))
