"""The tools that save and change learned entries: remember, update and promote."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from agent_memory import serialize
from agent_memory.base.errors import UsageError
from agent_memory.base.model import Role
from agent_memory.integrations.tools.answers import Promoted, SavedEntry
from agent_memory.integrations.tools.memory_files import saved
from agent_memory.integrations.tools.parameters import (
    Body,
    Id,
    Keep,
    Kind,
    NewBody,
    NewKind,
    NewSummary,
    NewTags,
    Owner,
    Redact,
    Replaces,
    Section,
    Summary,
    Tags,
    To,
)
from agent_memory.integrations.tools.stored_entries import removal_detail, visible
from agent_memory.integrations.tools.toolbox import readable_errors, refusal
from agent_memory.remember import planner, promote
from agent_memory.remember.entry_planner import EntryTarget, entries_of
from agent_memory.remember.plan import Outcome
from agent_memory.remember.snippet import Snippet

if TYPE_CHECKING:
    from agent_memory.integrations.tools.toolbox import Toolbox
    from agent_memory.remember.plan import Plan


class EntryChangeTools:
    """Save, update and promote entries. ``box`` is the project."""

    def __init__(self, box: Toolbox) -> None:
        self._box = box

    def remember_entry(  # noqa: PLR0913 -- the parameters of the tool
        self,
        summary: Summary,
        body: Body,
        kind: Kind = "project",
        scope: Owner = "global",
        tags: Tags = (),
        id: Replaces = "",  # noqa: A002 -- the name drover's tool has
        *,
        redact: Redact = False,
        granted: bool = False,
    ) -> SavedEntry:
        """Save a learned entry, which recall finds in later sessions.

        For what is not obvious and will be useful again, one fact per entry. An entry that
        exists is not saved twice; a text with a key, token or password is refused.
        """
        target = self._target(summary, kind, scope, tags, id)
        with readable_errors():
            self._box.writes.attempt()  # raises if drover's limit of saves per turn is reached
            return self._save(target, body, redact=redact, granted=granted)

    def missing_powers_to_remember_entry(  # noqa: PLR0913 -- the parameters of the tool
        self,
        summary: Summary,
        body: Body,
        kind: Kind,
        scope: Owner,
        tags: Tags,
        id: Replaces,  # noqa: A002 -- as above
        *,
        redact: Redact,
    ) -> dict[str, str]:
        """Return the powers that a person has not given yet for :meth:`remember_entry`.

        Each has a sentence on what it would do. The parameters are those of the call.
        """
        target = self._target(summary, kind, scope, tags, id)
        plan = planner.plan(self._box.fresh(), Snippet(body), target, redact=redact)
        return self._box.powers.missing(self._box.needed(plan))

    def update_entry(
        self,
        id: Id,  # noqa: A002 -- as above
        summary: NewSummary = None,
        body: NewBody = None,
        kind: NewKind = None,
        tags: NewTags = None,
        *,
        redact: Redact = False,
    ) -> SavedEntry:
        """Change a learned entry. The person can restore the earlier version from the trash."""
        with readable_errors():
            if all(value is None for value in (summary, body, kind, tags)):
                raise UsageError("Nothing to change. Pass summary, body, kind or tags")
            self._box.writes.attempt()  # raises if drover's limit of saves per turn is reached
            ctx = self._box.fresh()
            old = visible(entries_of(ctx), ctx, id)
            target = EntryTarget(
                old.scope,
                kind or old.kind,
                old.summary if summary is None else summary,
                old.tags if tags is None else tags,
                ctx.agent,
                ctx.run,
                id,
            )
            text = old.body if body is None else body
            # No person is asked: a power that the change needs must be given by a switch.
            return self._save(target, text, redact=redact, granted=False)

    def promote_entry(
        self,
        id: Id,  # noqa: A002 -- as above
        to: To = "project",
        section: Section = "",
        *,
        keep: Keep = False,
        granted: bool = False,
    ) -> Promoted:
        """Move a learned entry to a memory file, which every session reads at its start.

        The person has to allow that the entry is moved; with keep it stays as well.
        """
        with readable_errors():
            planned = self._promotion(id, to, section)
            needed = self._needed_to_promote(planned, keep=keep)
            # Unlike `remember` with `evict`, this tool has no parameter for a power.
            self._box.powers.require(needed, agreed={}, granted=granted)
            if planned.plan.outcome is Outcome.CONSENT:  # given by the power "create" above
                planned = self._promotion(id, to, section, create=True)
            if planned.plan.outcome not in (Outcome.READY, Outcome.DUPLICATE):
                raise _not_promoted(planned.plan, id)
            plan = promote.apply(planned, keep=keep)
        return {**saved(plan), "id": id, "kept": keep}

    def missing_powers_to_promote(
        self,
        id: Id,  # noqa: A002 -- as above
        to: To,
        section: Section,
        *,
        keep: Keep,
    ) -> dict[str, str]:
        """Return the powers that a person has not given yet for :meth:`promote_entry`.

        Each has a sentence on what it would do. The parameters are those of the call.
        """
        needed = self._needed_to_promote(self._promotion(id, to, section), keep=keep)
        return self._box.powers.missing(needed)

    def _target(
        self, summary: str, kind: str, scope: str, tags: tuple[str, ...], entry_id: str
    ) -> EntryTarget:
        """Return the entry that this agent saves; ``entry_id`` is the one to replace ('': none)."""
        ctx = self._box.fresh()
        return EntryTarget(scope, kind, summary, tags, ctx.agent, ctx.run, entry_id or None)

    def _save(self, target: EntryTarget, body: str, *, redact: bool, granted: bool) -> SavedEntry:
        """Save ``target`` with the text ``body``; return the saved or the existing entry.

        A copy of the entry that it replaces (``target.id``) goes to the trash. ``granted``: a
        person was asked and has allowed it.

        Raises:
            UsageError: the agent may not see that entry, lacks a power, or the plan is refused.

        """
        ctx = self._box.fresh()
        store = entries_of(ctx)
        old = visible(store, ctx, target.id) if target.id else None
        plan = planner.plan(ctx, Snippet(body), target, redact=redact)
        # Unlike `remember` with `evict`, these tools have no parameter for a power.
        self._box.powers.require(self._box.needed(plan), agreed={}, granted=granted)
        if plan.outcome is Outcome.CONSENT:  # given by the power "create" above
            plan = planner.plan(ctx, Snippet(body), target, redact=redact, create=True)
        if plan.outcome is Outcome.READY:
            if old:
                store.trash().keep_version(old)
            plan = planner.apply(plan)
        # Both outcomes have an entry; "is None" is for the type checker.
        if plan.entry is None or plan.outcome not in (Outcome.READY, Outcome.DUPLICATE):
            raise refusal(plan)
        score = 0.0  # the entry was not searched for
        row = serialize.entry_json(plan.entry, score, ctx.settings.allowed_secrets)
        return cast("SavedEntry", {**row, "outcome": str(plan.outcome)})

    def _promotion(
        self, entry_id: str, to: str, section: str, *, create: bool = False
    ) -> promote.Promotion:
        """Return the plan to promote the entry to the memory of the scope ``to``.

        ``section`` is the heading to add it under ('': the suggested one). ``create``: a person has
        allowed to create a folder.

        Raises:
            EntryError: the agent cannot see the entry, or it mirrors an instruction file.

        """
        ctx = self._box.fresh()
        visible(entries_of(ctx), ctx, entry_id)
        return promote.promote(
            ctx,
            entry_id,
            to,
            section=section or None,
            create=create,
            runtime_id=self._box.runtime,
            by_agent=True,
        )

    def _needed_to_promote(self, planned: promote.Promotion, *, keep: bool) -> dict[str, str]:
        """Return {power: sentence on what it would do} for the powers that ``planned`` needs.

        Without ``keep`` the entry is removed from the store, which needs the power "forget".
        """
        needed = self._box.needed(planned.plan)
        can_move = planned.plan.outcome in (Outcome.READY, Outcome.DUPLICATE, Outcome.CONSENT)
        if can_move and not keep:
            detail = removal_detail(planned.entries[-1])  # the current one
            needed["forget"] = f"{detail} It moves to {planned.plan.path}."
        return needed


def _not_promoted(plan: Plan, entry_id: str) -> UsageError:
    """Return the error for ``plan``, which cannot be carried out, to promote ``entry_id``."""
    if plan.role is not Role.INSTRUCTIONS:
        return refusal(plan)
    return UsageError(
        f"Not moved: {plan.path.name} is an instruction file, which agents only read. Ask the "
        f"user to run: agent-memory entries promote {entry_id}"
    )
