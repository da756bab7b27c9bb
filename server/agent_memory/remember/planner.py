"""Remember: from a snippet to the one edit that saves it. Planning reads; only `apply` writes.

Editors turn the edits of a plan into one undoable WorkspaceEdit; the command line, MCP and the
Python API hand the plan to :func:`apply`.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from agent_memory import secrets
from agent_memory.base.errors import UsageError
from agent_memory.base.model import Role, Scope
from agent_memory.fs.atomic_write import update, update_and_settle
from agent_memory.fs.durable import has_other_names
from agent_memory.l10n import t
from agent_memory.remember import insert, preconditions
from agent_memory.remember.entry_planner import EntryTarget, plan_entry
from agent_memory.remember.formatting import encodable, format_snippet
from agent_memory.remember.plan import Outcome, Plan, refused, secret_found
from agent_memory.remember.scopes import known_scope, scope_target
from agent_memory.remember.snippet import origin_of
from agent_memory.remember.target_lookup import find_target
from agent_memory.runtimes.selection import choose
from agent_memory.runtimes.write_scope import write_scope

if TYPE_CHECKING:
    from agent_memory.config.context import Context
    from agent_memory.fs.reader import FileText
    from agent_memory.remember.snippet import Snippet
    from agent_memory.remember.targets import Target
    from agent_memory.secrets import Secret


def plan(  # noqa: PLR0913 -- the options of the one planner
    ctx: Context,
    snippet: Snippet,
    target: Scope | str | Path | EntryTarget,
    *,
    section: str | None = None,
    redact: bool = False,
    allow_duplicate: bool = False,
    create: bool = False,
    runtime_id: str | None = None,
    by_agent: bool = False,
) -> Plan:
    """Plan to save ``snippet`` into ``target``.

    ``target`` is a scope of the chosen runtime's memory (user or project), the path of a memory
    file (:mod:`agent_memory.remember.targets`), or a learned entry, for which only ``redact``,
    ``allow_duplicate`` and ``create`` count. ``section`` is the heading to add the item under
    (None: the suggested one; a missing one is added); for Claude MPM it may be a learning type.
    ``redact`` replaces secrets, ``allow_duplicate`` skips the checks for duplicates, conflicts and
    the runtime's size limit, ``create`` is the consent to create the project's memory folder,
    ``by_agent`` protects instruction files and the memory of other agents. ``runtime_id`` None: the
    runtime of the settings, else a detected one. Lone surrogates in ``snippet`` and ``section``
    become U+FFFD.

    Raises:
        UsageError: the runtime, agent or scope is not valid, the scope has no memory file, the path
            has a NUL, or an entry breaks a limit or rule.

    """
    snippet = replace(snippet, text=encodable(snippet.text))
    section = encodable(section) if section else section
    if isinstance(target, EntryTarget):
        return plan_entry(
            ctx, snippet, target, redact=redact, allow_duplicate=allow_duplicate, create=create
        )
    file = _find_file(ctx, target, runtime_id)
    if isinstance(file, Plan):  # refused
        return file
    roots = write_scope(file.ctx, file.choice.runtime)
    outside = roots.refusal(file.source.path)
    if outside:
        return refused(file.source.path, outside)
    found_secrets = _secrets_in(snippet, section)
    if found_secrets and not redact:
        return secret_found(file.source.path, found_secrets)
    if found_secrets:
        snippet, section = _redacted(snippet, section)
    planned = _plan_file(file, snippet, section, allow_duplicate=allow_duplicate)
    planned = preconditions.refuse_unsafe(planned, f"## {section}" if section else "")
    planned = replace(
        planned,
        secrets=found_secrets,
        allow_duplicate=allow_duplicate,
        role=file.source.role,
        roots=roots,
    )
    if by_agent:  # `file.choice` names the agent that the path belongs to, not the one that saves
        planned = preconditions.refuse_others(planned, *choose(ctx, runtime_id))
    return preconditions.check(file, planned, create=create, by_agent=by_agent)


def _secrets_in(snippet: Snippet, section: str | None) -> tuple[Secret, ...]:
    """Return the secrets in the texts that may be saved."""
    found = (*secrets.find(snippet.text), *secrets.find(section or ""))
    # Of a comment, only the words are saved. Without its markers, they can contain a secret that is
    # not found in the text.
    return found or tuple(secrets.find(snippet.comment))


def _redacted(snippet: Snippet, section: str | None) -> tuple[Snippet, str | None]:
    """Return ``snippet`` and ``section`` with placeholders for their secrets."""
    snippet = replace(
        snippet,
        text=secrets.redact_for_memory(snippet.text),
        comment=secrets.redact_for_memory(snippet.comment),
    )
    return snippet, secrets.redact_for_memory(section) if section else section


def _find_file(ctx: Context, target: Scope | str | Path, runtime_id: str | None) -> Target | Plan:
    """Return the file of ``target``, a path or a scope; a refused plan if it is not a memory file.

    Raises:
        UsageError: as for :func:`plan`.

    """
    if isinstance(target, Path):
        return find_target(ctx, target, runtime_id)
    return scope_target(ctx, known_scope(target), runtime_id)


def apply(plan: Plan) -> Plan:
    """Write a ready ``plan``; return it as it was carried out.

    If the file changed after planning, the item is placed again in the new content. If another
    program added the same item meanwhile, the item is not added twice, and ``plan`` is returned
    unchanged. A plan with ``write`` is returned unchanged, too.

    Raises:
        UsageError: the plan is not ready, the item cannot be placed in the changed file, or the
            file cannot be written.

    """
    if plan.outcome is not Outcome.READY:
        raise UsageError(plan.message)
    if plan.write:
        plan.write()
        return plan
    done = plan

    def change(content: FileText) -> str:
        """Return the text with the item; the current text if the item cannot be placed in it."""
        nonlocal done
        done = insert.replanned(plan, content)
        if done.outcome is not Outcome.READY:
            return content.text
        if done.creates:  # the file is missing, and the only one that the plan creates
            _, text = done.creates[0]
            return text
        return insert.edited(content, done.edits)

    # `update_and_settle` repeats the change if another program overwrites the file. An allowed
    # duplicate would be added twice, because `replanned` does not search for it.
    write = update if plan.allow_duplicate else update_and_settle
    had_hard_links = has_other_names(plan.path)  # writing replaces the file and separates them
    write(plan.path, change, plan.roots)
    if done.outcome is Outcome.REFUSED:
        raise UsageError(done.message)
    # Another program has added the item, or has overwritten the file after this write with a text
    # that contains the item.
    if done.outcome is Outcome.DUPLICATE:
        return plan
    if had_hard_links:
        name = plan.path.name
        note = t("Other hard links of {0} keep the old text. Use a symlink instead", name)
        return preconditions.with_note(done, note)
    return done


def _plan_file(
    target: Target, snippet: Snippet, section: str | None, *, allow_duplicate: bool
) -> Plan:
    """Return the plan to add ``snippet`` to the file of ``target``; the text is not checked.

    The options are those of :func:`plan`.
    """
    ctx, runtime, source = target.ctx, target.choice.runtime, target.source
    origin = origin_of(snippet, runtime.root(ctx), ctx.home, source.scope)
    item = format_snippet(snippet, origin)
    if not item.text:
        return refused(source.path, t("Nothing to save: the text is empty"))
    if runtime.stores_learnings and source.role is Role.MEMORY:
        from agent_memory.remember.learning_planner import plan_learning  # noqa: PLC0415 -- few need it

        return plan_learning(ctx, item, section, source.path)
    return insert.into_file(
        ctx,
        source.path,
        item,
        section=section,
        allow_duplicate=allow_duplicate,
        scope=source.scope,
        label=target.label,
    )
