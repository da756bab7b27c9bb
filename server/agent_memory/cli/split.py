"""``agent-memory split FILE``: move a section into a note that the file links to."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from agent_memory import moving
from agent_memory.cli import common

if TYPE_CHECKING:
    import argparse


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("file", type=Path, metavar="FILE")
    parser.add_argument("--section", metavar="NAME", help="default: the largest section")
    parser.add_argument("--dry-run", action="store_true", help="say what would be done")
    common.add_place(parser)


def run(args: argparse.Namespace) -> int:
    """Split and say what was moved."""
    ctx = common.context(args)
    plan = moving.split(ctx, (ctx.cwd / args.file.expanduser()).absolute(), args.section)
    if not args.dry_run:
        moving.apply_split(plan)
    print(plan.message)
    return 0
