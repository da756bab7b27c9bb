"""``agent-memory move FILE:LINE --scope user|project``: move an item; exit 0, 1 or 2."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from agent_memory.base.errors import UsageError
from agent_memory.cli import options
from agent_memory.cli.plan_text import result_text, shown_path
from agent_memory.remember import move
from agent_memory.remember.plan import Outcome

if TYPE_CHECKING:
    import argparse


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("location", metavar="FILE:LINE", help="a line of the item, counted from 1")
    parser.add_argument("--scope", choices=("user", "project"), required=True)
    parser.add_argument("--yes", action="store_true", help="create the project's memory folder")
    parser.add_argument("--dry-run", action="store_true", help="show what would be done")
    options.add_project(parser)


def run(args: argparse.Namespace) -> int:
    """Move the item and print its new location; return 0, or 1 if it is refused.

    Raises:
        UsageError: the location is not FILE:LINE or has no item, a file cannot be read or written,
            the item is in that memory already, or ``--yes`` is needed to create a folder, also for
            ``--dry-run``.

    """
    ctx = options.context(args)
    location = options.item_location(args.location)
    path = ctx.cwd / Path(location.name).expanduser()
    content = ctx.store.read(path)
    if content.failure:
        raise UsageError(f"{location.name}: cannot be read ({content.failure.words})")
    planned = move.move(
        ctx, path, location.line, args.scope, create=args.yes, runtime_id=args.runtime
    )
    plan = planned.plan
    if plan.outcome is Outcome.CONSENT:
        question = options.consent_question(plan)
        raise UsageError(f"{question} Nothing was written; pass --yes to create it")
    if plan.outcome is not Outcome.READY:
        print(f"agent-memory move: {plan.message}", file=sys.stderr)
        return 1
    if not args.dry_run:
        move.apply(planned)
    is_already_there = not plan.edits and not plan.creates  # the item is only removed from its file
    if is_already_there:
        removed = "Would be removed" if args.dry_run else "Removed"
        target = f"{shown_path(plan.path, ctx.cwd)}:{plan.line + 1}"
        print(f"{removed} from {args.location}: {target} already contains it")
    else:
        print(result_text(plan, ctx.cwd, written=not args.dry_run))
    return 0
