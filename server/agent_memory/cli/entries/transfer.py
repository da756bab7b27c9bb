"""``agent-memory entries promote`` and ``demote``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from agent_memory.base.errors import UsageError
from agent_memory.cli import entry_options, options
from agent_memory.cli.plan_text import result_text, shown_path
from agent_memory.remember import move
from agent_memory.remember import promote as promotion
from agent_memory.remember.entry_planner import EntryTarget
from agent_memory.remember.plan import Outcome
from agent_memory.serialize import plan_json

if TYPE_CHECKING:
    import argparse

    from agent_memory.config.context import Context
    from agent_memory.remember.plan import Plan


def promote(args: argparse.Namespace) -> int:
    """Move the entry to a memory file and print where it is; return 0, or 1 if it is refused.

    An entry that a memory file contains already is only moved to the trash. With ``--keep``, the
    entry stays. A dry run that needs consent for a folder counts as refused.

    Raises:
        EntryError: the entry does not exist, mirrors an instruction file, or belongs to another
            agent or run.
        UsageError: ``--yes`` is needed to create a folder or to replace older items, or a file
            cannot be written.

    """
    ctx, store = entry_options.context_and_store(args)
    ctx = ctx.with_(run=args.run, entries=store.root)
    target = args.to if args.to in ("project", "user") else ctx.cwd / Path(args.to).expanduser()
    planned = promotion.promote(
        ctx, args.id, target, section=args.section, create=args.yes, runtime_id=args.runtime
    )
    plan = planned.plan
    if plan.outcome is Outcome.CONSENT and not args.dry_run:
        raise _consent_needed(plan)
    if plan.outcome not in (Outcome.READY, Outcome.DUPLICATE):
        return _refused(args, plan)
    if plan.evicts and not args.yes and not args.dry_run:
        raise UsageError(f"{plan.message}. Nothing was written; pass --yes to agree")
    if not args.dry_run:
        plan = promotion.apply(planned, keep=args.keep)
    return _print(ctx, args, plan)


def demote(args: argparse.Namespace) -> int:
    """Move the item of a memory file to an entry and print where it is; return 0.

    If the item is the unchanged text of a promoted entry, that entry is restored. Return 1 if the
    entry cannot be saved or an equal one exists; the item then stays.

    Raises:
        EntryError: the new entry breaks a limit.
        UsageError: the location is not FILE:LINE or has no item, ``--yes`` is needed to create a
            folder, or a file cannot be written.

    """
    location = options.item_location(args.location)
    ctx, store = entry_options.context_and_store(args)
    # A folder of entries in the context would be created without consent, so a missing one is
    # left out.
    ctx = ctx.with_(run=args.run, entries=store.root if store.root.is_dir() else None)
    path = ctx.cwd / Path(location.name).expanduser()
    target = EntryTarget(args.scope, args.kind, args.summary, (), ctx.agent, args.run)
    may_create = args.yes or args.dry_run  # a dry run creates nothing, so it needs no consent
    planned = promotion.demote(ctx, path, location.line, target, create=may_create)
    if planned.plan.outcome is Outcome.CONSENT:
        raise _consent_needed(planned.plan)
    if planned.removal is None:  # a secret, an equal entry or a refusal: the item stays
        return _refused(args, planned.plan)
    if not args.dry_run:
        move.apply(planned)
    return _print(ctx, args, planned.plan)


def _consent_needed(plan: Plan) -> UsageError:
    """Return the error for a ``plan`` that needs ``--yes`` to create a folder."""
    question = options.consent_question(plan)
    return UsageError(f"{question} Nothing was written; pass --yes to create it")


def _refused(args: argparse.Namespace, plan: Plan) -> int:
    """Print why ``plan`` cannot be carried out; return the exit code, always 1."""
    print(f"agent-memory entries {args.action}: {plan.message}", file=sys.stderr)
    return 1


def _print(ctx: Context, args: argparse.Namespace, plan: Plan) -> int:
    """Print the result of ``plan``, or with ``--dry-run`` what it would be; return 0."""
    written = not args.dry_run
    if args.format == "json":
        options.print_json({**plan_json(plan), "path": str(plan.path), "written": written})
    elif plan.outcome is Outcome.DUPLICATE:
        print(f"{shown_path(plan.path, ctx.cwd)}:{plan.line + 1} already contains it")
    else:
        print(result_text(plan, ctx.cwd, written=written))
    return 0
