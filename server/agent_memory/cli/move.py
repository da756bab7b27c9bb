"""``agent-memory move FILE:LINE --scope user|project``: move an item; exit 0, 1 or 2."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from agent_memory.base.errors import UsageError
from agent_memory.cli import options
from agent_memory.remember import move
from agent_memory.remember.plan import Outcome

if TYPE_CHECKING:
    import argparse


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("place", metavar="FILE:LINE", help="a line of the item, counted from 1")
    parser.add_argument("--scope", choices=("user", "project"), required=True)
    parser.add_argument("--yes", action="store_true", help="make the project's memory folder")
    parser.add_argument("--dry-run", action="store_true", help="say what would be done")
    options.add_place(parser)


def run(args: argparse.Namespace) -> int:
    """Move the item and say where it is now."""
    ctx = options.context(args)
    name, _, number = args.place.rpartition(":")
    if not name or not number.isdecimal() or int(number) < 1:
        raise UsageError(f"{args.place}: expected FILE:LINE, such as agent.md:12")
    path = ctx.cwd / Path(name).expanduser()
    made = move.move(
        ctx, path, int(number) - 1, args.scope, create=args.yes, runtime_id=args.runtime
    )
    if made.plan.outcome is Outcome.CONSENT:
        raise UsageError(f"{made.plan.message} Nothing was written; --yes says so")
    if made.plan.outcome is not Outcome.READY:
        print(f"agent-memory move: {made.plan.message}", file=sys.stderr)
        return 1
    if not args.dry_run:
        move.apply(made)
    print(f"{made.plan.path}:{made.plan.line + 1}: {made.plan.message}")
    return 0
