"""``agent-memory split FILE``: move a section into a note that the file links to."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from agent_memory.cli import options
from agent_memory.remember import move

if TYPE_CHECKING:
    import argparse


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("file", type=Path, metavar="FILE")
    parser.add_argument("--section", metavar="NAME", help="default: the largest section")
    parser.add_argument("--dry-run", action="store_true", help="say what would be done")
    options.add_place(parser)


def run(args: argparse.Namespace) -> int:
    """Split and say what was moved."""
    ctx = options.context(args)
    plan = move.split(ctx, (ctx.cwd / args.file.expanduser()).absolute(), args.section)
    if not args.dry_run:
        move.apply_split(plan)
    print(plan.message)
    return 0
