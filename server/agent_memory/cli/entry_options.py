"""The options of commands that work on a folder of entries."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from agent_memory.base.errors import UsageError
from agent_memory.cli import options
from agent_memory.entries.entry_file import KINDS, SCOPES
from agent_memory.entries.store import Filter
from agent_memory.entries.validation import EntryError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable


def add_store(parser: argparse.ArgumentParser, *, required: bool = True) -> None:
    """Add ``--store``, ``--agent`` and ``--run``."""
    parser.add_argument(
        "--store", type=Path, required=required, metavar="DIR", help="a folder of entries"
    )
    parser.add_argument("--run", metavar="ID", help="the run that asks")
    if required:
        parser.add_argument("--agent", metavar="ID", help="the agent that asks")


def folder(store: Path, *, must_exist: bool = True) -> Path:
    """Return what ``--store`` names, from the folder the command runs in (whatever ``--cwd``).

    Raises:
        UsageError: there must be such a folder, and there is none.

    """
    path = store.expanduser().absolute()
    if must_exist and not path.is_dir():
        raise UsageError(f"--store {store}: there is no such folder")
    return path


def add_filters(parser: argparse.ArgumentParser) -> None:
    """Add ``--scope``, ``--kind`` and ``--tag``, each of which may be given several times."""
    parser.add_argument("--scope", action="append", default=[], choices=SCOPES)
    parser.add_argument("--kind", action="append", default=[], choices=KINDS)
    parser.add_argument(
        "--tag",
        action="append",
        default=[],
        type=options.utf8,
        metavar="TAG",
        help="any of them",
    )


def wanted(args: argparse.Namespace) -> Filter:
    """Return the filter the options describe."""
    return Filter(args.agent, args.run, tuple(args.scope), tuple(args.kind), tuple(args.tag))


def refusable(name: str, work: Callable[[], int]) -> int:
    """Return what ``work`` returns; 1 with the message where an entry is refused or not found.

    Raises:
        UsageError: what was asked for is not valid.

    """
    try:
        return work()
    except EntryError as error:
        if error.reason not in ("denied", "not_found"):
            raise
        print(f"agent-memory {name}: {error}", file=sys.stderr)
        return 1
