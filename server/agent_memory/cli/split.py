"""``agent-memory split FILE``: move a section into a note and link to it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from agent_memory.cli import options
from agent_memory.remember.split import apply_split, split

if TYPE_CHECKING:
    import argparse


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("file", type=Path, metavar="FILE")
    parser.add_argument(
        "--section", metavar="NAME", help="the section to move (default: the largest)"
    )
    parser.add_argument("--dry-run", action="store_true", help="show what would be done")
    options.add_project(parser)


def run(args: argparse.Namespace) -> int:
    """Move a section into a note, unless this is a dry run, and print which; return 0.

    Raises:
        UsageError: there is no such section, the note exists, or a file cannot be read or written.

    """
    ctx = options.context(args)
    plan = split(ctx, (ctx.cwd / args.file.expanduser()).absolute(), args.section)
    if not args.dry_run:
        apply_split(plan)
    print(plan.message)
    return 0
