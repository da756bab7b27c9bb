"""Remember: from a snippet to the one edit that files it. Planning reads; only apply writes.

Every face calls :func:`plan`: the editor turns its edits into one undoable WorkspaceEdit, the
command line hands the plan to :func:`apply`.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from agent_memory import secrets
from agent_memory.base.errors import UsageError
from agent_memory.base.model import (
    Role,
    Scope,
    Source,
    Status,
)
from agent_memory.fs.atomic_write import update, update_and_settle
from agent_memory.l10n import t
from agent_memory.remember import insert, preconditions, targets
from agent_memory.remember.entry_planner import EntryTarget, plan_entry
from agent_memory.remember.plan import (
    Outcome,
    Plan,
    refused,
    secret_found,
)
from agent_memory.remember.snippet import origin_of, tidy
from agent_memory.remember.targets import Target
from agent_memory.runtimes.selection import choose

if TYPE_CHECKING:
    from agent_memory.config.context import Context
    from agent_memory.fs.reader import FileText
    from agent_memory.remember.snippet import Snippet
    from agent_memory.runtimes.selection import Choice

SCOPES = ("user", "project")


def plan(  # noqa: PLR0913 -- the options of the one planner
    ctx: Context,
    snippet: Snippet,
    target: Scope | str | Path | EntryTarget,
    *,
    section: str | None = None,
    redact: bool = False,
    anyway: bool = False,
    create: bool = False,
    runtime_id: str | None = None,
    by_agent: bool = False,
) -> Plan:
    """Plan to file ``snippet`` into ``target``.

    That is the scope of the chosen runtime's memory file (user or project), the path of any
    memory file (:mod:`agent_memory.remember.targets`), or a learned entry. ``section`` is the
    heading to add it under (None: the suggested one; a missing one is added), for Claude MPM also
    a learning type. ``redact`` replaces secrets, ``anyway`` adds duplicates too, ``create`` is the
    consent to make the project's memory folder; ``by_agent`` keeps instruction files as
    they are, which agents only read.

    Raises:
        UsageError: the runtime, agent or scope is not known, or has no memory file; an entry
            breaks a limit.

    """
    if isinstance(target, EntryTarget):
        return plan_entry(ctx, snippet, target, redact=redact, anyway=anyway, create=create)
    if isinstance(target, Path):
        place = targets.find(ctx, target, runtime_id)
        if isinstance(place, str):
            return refused(ctx.cwd / target, place)
    else:
        place = _of_scope(ctx, known_scope(target), runtime_id)
    found = (*secrets.find(snippet.text), *secrets.find(section or ""))
    if found and not redact:
        return secret_found(place.source.path, found)
    if found:
        snippet = replace(snippet, text=secrets.redact_for_memory(snippet.text))
        section = secrets.redact_for_memory(section) if section else section
    made = _filed(place, snippet, section, anyway=anyway)
    made = replace(made, secrets=found, anyway=anyway, role=place.source.role)
    made = _objected(place, made, create=create, by_agent=by_agent)
    if made.outcome is Outcome.READY:
        made = preconditions.read_by(choose(ctx, runtime_id)[1], place.choice, made)
    return made


def memory_target(ctx: Context, choice: Choice, scope: Scope) -> Path:
    """Return the file that memory of ``scope`` is filed into.

    Raises:
        UsageError: this runtime has none, for example outside of a project.

    """
    path = choice.runtime.memory_path(ctx, scope)
    if path is None:
        raise UsageError(t("{0} has no {1} memory here", t(choice.runtime.title), t(scope)))
    return path


def known_scope(scope: Scope | str) -> Scope:
    """Return ``scope`` as one of memory files.

    Raises:
        UsageError: it is none.

    """
    if scope in SCOPES:
        return Scope(scope)
    raise UsageError(t("{0!r} is not a scope of memory files: use user or project", scope))


def apply(plan: Plan) -> Plan:
    """Write a ready ``plan``; return it as it was carried out.

    If the file changed since it was planned, the item is placed again in what is there now; if
    another program has filed it meanwhile, it is not filed twice.

    Raises:
        UsageError: the plan is not ready, or the file cannot be written.

    """
    if plan.outcome is not Outcome.READY:
        raise UsageError(plan.message)
    if plan.write:
        plan.write()
        return plan
    done = plan

    def change(content: FileText) -> str:
        nonlocal done
        done = insert.replanned(plan, content)
        if done.outcome is not Outcome.READY:
            return content.text
        for _, text in done.creates:
            return text
        return insert.edited(content, done.edits)

    write = update if plan.anyway else update_and_settle
    write(plan.path, change)
    if done.outcome is Outcome.REFUSED:
        raise UsageError(done.message)
    return plan if done.outcome is Outcome.DUPLICATE else done


def _of_scope(ctx: Context, scope: Scope, runtime_id: str | None) -> Target:
    """Return the memory file of ``scope`` of the chosen runtime.

    Raises:
        UsageError: this runtime has none, or is not known.

    """
    ctx, choice = targets.asked(ctx, runtime_id)
    path = memory_target(ctx, choice, scope)
    for source in choice.runtime.sources(ctx):
        if source.path == path:
            return Target(replace(source, scope=scope), ctx, choice)
    return Target(Source(path, scope, Role.MEMORY, Status.MISSING), ctx, choice)


def _filed(place: Target, snippet: Snippet, section: str | None, *, anyway: bool) -> Plan:
    """Return the plan for the file alone."""
    ctx, runtime = place.ctx, place.choice.runtime
    path, scope = place.source.path, place.source.scope
    item = tidy(snippet, origin_of(snippet, runtime.root(ctx), ctx.home, scope))
    if not item.text:
        return Plan(Outcome.REFUSED, t("There is nothing to file: the text is empty"), path)
    if runtime.stores_learnings and place.source.role is Role.MEMORY:
        from agent_memory.remember.learning_planner import plan_learning  # noqa: PLC0415 -- few need it

        return plan_learning(ctx, item, section, path)
    return insert.into_file(ctx, path, item, section=section, anyway=anyway, scope=scope)


def _objected(place: Target, made: Plan, *, create: bool, by_agent: bool) -> Plan:
    """Return ``made`` after all that may still stand in its way."""
    ctx, choice = place.ctx, place.choice
    if by_agent:
        made = preconditions.not_for_agents(made)
    if made.outcome is Outcome.READY and not made.anyway:
        made = preconditions.said_elsewhere(ctx, choice, made)
    if made.outcome is Outcome.READY and not made.anyway:
        made = preconditions.opposite(ctx, choice, made)
    if made.outcome is Outcome.READY and not create:
        made = preconditions.consent(ctx, made)
    if made.outcome in (Outcome.READY, Outcome.CONSENT):
        made = preconditions.outside(ctx, choice, made)
    if made.outcome is Outcome.READY and made.write is None:
        made = preconditions.limits(ctx, choice, made)
    return made
