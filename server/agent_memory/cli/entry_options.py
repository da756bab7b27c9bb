"""Options of the commands for learned entries."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from agent_memory.base.errors import UsageError
from agent_memory.cli import options
from agent_memory.entries.entry_file import KINDS, SCOPES
from agent_memory.entries.markdown_store import MarkdownEntries
from agent_memory.entries.store import Filter
from agent_memory.entries.validation import EntryError
from agent_memory.remember.entry_planner import entries_of
from agent_memory.runtimes.drover import Drover

if TYPE_CHECKING:
    from collections.abc import Callable


def add_store(parser: argparse.ArgumentParser) -> None:
    """Add ``--store`` and ``--run``."""
    parser.add_argument(
        "--store",
        type=Path,
        metavar="DIR",
        help="the folder of entries (default: that of the project)",
    )
    parser.add_argument("--run", metavar="ID", help="the ID of the run")


def add_run(parser: argparse.ArgumentParser) -> None:
    """Add the options that :func:`store` reads."""
    add_store(parser)
    parser.add_argument("--agent", metavar="ID", help="the ID of the agent")
    parser.add_argument(
        "--cwd",
        type=Path,
        default=None,
        metavar="DIR",
        help="the folder the agent starts in (default: the current one)",
    )
    parser.add_argument("--home", type=Path, default=None, help=argparse.SUPPRESS)


def store(args: argparse.Namespace) -> MarkdownEntries:
    """Return the entries of ``--store``, or those of the project, at the start of a run.

    The project's instruction files are entries too, but not in the store of another project
    unless ``--cwd`` is given.

    Raises:
        UsageError: the folder does not exist, or the project has none.

    """
    given = folder(args.store) if args.store else None
    ctx = options.context(args).with_(entries=given)
    root = Drover().root(ctx) or ctx.cwd
    if given and not args.cwd and not given.is_relative_to(root):
        return MarkdownEntries(given)
    return entries_of(ctx)


def folder(store: Path, *, must_exist: bool = True) -> Path:
    """Return the path of ``--store``, relative to the working directory and not to ``--cwd``.

    Raises:
        UsageError: the folder must exist and does not.

    """
    path = store.expanduser().absolute()
    if must_exist and not path.is_dir():
        raise UsageError(f"--store {store}: the folder does not exist")
    return path


def add_filters(parser: argparse.ArgumentParser) -> None:
    """Add ``--scope``, ``--kind`` and ``--tag``, each of which can be repeated."""
    parser.add_argument("--scope", action="append", default=[], choices=SCOPES)
    parser.add_argument("--kind", action="append", default=[], choices=KINDS)
    parser.add_argument(
        "--tag",
        action="append",
        default=[],
        type=options.utf8,
        metavar="TAG",
        help="entries with this tag; can be repeated",
    )


def wanted(args: argparse.Namespace) -> Filter:
    """Return the filter of the options."""
    return Filter(args.agent, args.run, tuple(args.scope), tuple(args.kind), tuple(args.tag))


def refusable(name: str, work: Callable[[], int]) -> int:
    """Return the exit code of ``work``; 1, with a message, if an entry is denied or not found.

    Raises:
        UsageError: the request is not valid.

    """
    try:
        return work()
    except EntryError as error:
        if error.reason not in ("denied", "not_found"):
            raise
        print(f"agent-memory {name}: {error}", file=sys.stderr)
        return 1
