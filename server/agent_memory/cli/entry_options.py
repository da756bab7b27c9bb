"""Options of the commands for learned entries."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from agent_memory.base.errors import UsageError
from agent_memory.cli import options
from agent_memory.entries.entry_file import KINDS, SCOPES
from agent_memory.entries.markdown_store import MarkdownEntries
from agent_memory.entries.store import Filter
from agent_memory.entries.validation import EntryError
from agent_memory.recall.listing import EntryFilter
from agent_memory.remember.entry_planner import entries_of
from agent_memory.runtimes.drover import Drover
from agent_memory.runtimes.write_scope import write_scope

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    from agent_memory.config.context import Context

_DAYS_MAX = 1_000_000
"""The most days, over 2,700 years; infinity is not an age."""


def add_store(parser: argparse.ArgumentParser) -> None:
    """Add ``--store`` and ``--run``; :func:`options.add_project` adds ``--agent``."""
    parser.add_argument(
        "--store",
        type=Path,
        metavar="DIR",
        help="the folder of entries (default: the project's own)",
    )
    parser.add_argument("--run", metavar="ID", help="the ID of the run")


def context_and_store(args: argparse.Namespace) -> tuple[Context, MarkdownEntries]:
    """Return (context, store) that the options name: ``--store``, else the project's.

    The folder of ``--store`` must exist; a missing store of the project counts as empty. The
    project's instruction files are entries too, but not if ``--store`` is outside of the project
    and ``--cwd`` is not passed.

    Raises:
        UsageError: the folder of ``--store`` or ``--cwd`` does not exist, or the project's store
            may not be read.

    """
    store = store_folder(args.store) if args.store is not None else None
    ctx = options.context(args).with_(entries=store)
    root = Drover().root(ctx) or ctx.cwd
    is_outside = store is not None and not store.is_relative_to(root)
    if store and is_outside and not args.cwd:
        return ctx, MarkdownEntries(store, roots=write_scope(ctx, Drover()))
    return ctx, entries_of(ctx)


def days(text: str) -> float:
    """Return the number of days ``text``; for the parameter ``type`` of argparse.

    Raises:
        argparse.ArgumentTypeError: it is not a number from 0 on, or over 2,700 years.

    """
    import argparse  # noqa: PLC0415 -- the parser has loaded it

    try:
        number = float(text)
    except ValueError:
        number = -1  # out of range, so the message is the same
    if not 0 <= number <= _DAYS_MAX:  # `nan` is in no range, so it is refused too
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of days, such as 30 or 0.5")
    return number


def store_folder(store: Path, *, must_exist: bool = True) -> Path:
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


def add_ages(parser: argparse.ArgumentParser) -> None:
    """Add ``--older`` and ``--unused``."""
    parser.add_argument(
        "--older", type=days, metavar="DAYS", help="entries not changed for so many days"
    )
    parser.add_argument(
        "--unused",
        type=days,
        metavar="DAYS",
        help="entries neither changed nor recalled for so many days",
    )


def list_filter(args: argparse.Namespace) -> EntryFilter:
    """Return the filter of ``entries list`` and ``prune``, by age too.

    Without ``--agent`` and ``--run``, it matches entries of every agent and run, while
    :func:`search_filter` then matches only global ones.
    """
    return EntryFilter(
        args.agent,
        args.run,
        tuple(args.scope),
        tuple(args.kind),
        tuple(args.tag),
        args.older,
        args.unused,
    )


def search_filter(args: argparse.Namespace) -> Filter:
    """Return the filter of ``recall``: entries that the agent of the options finds."""
    return Filter(args.agent, args.run, tuple(args.scope), tuple(args.kind), tuple(args.tag))


def exit_code_of(name: str, work: Callable[[], int]) -> int:
    """Run ``work`` and return its exit code; 1, with a message, if an entry is denied or not found.

    ``name`` is that of the command, for the message. Other errors of entries are usage errors.

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
