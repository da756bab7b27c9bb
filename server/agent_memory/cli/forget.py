"""``agent-memory forget ID``: remove an entry; exit 0, 1 (refused) or 2."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory import serialize
from agent_memory.cli import entry_options, options

if TYPE_CHECKING:
    import argparse


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("id", metavar="ID", help="the entry's ID (a ULID)")
    entry_options.add_run(parser)
    options.add_format(parser)


def run(args: argparse.Namespace) -> int:
    """Remove the entry and print its ID."""

    def work() -> int:
        entry = entry_options.store(args).forget(args.id, args.agent, args.run)
        if args.format == "json":
            options.print_json(serialize.entry_json(entry))
        else:
            print(f"forgot memory '{entry.id}'.")
        return 0

    return entry_options.refusable("forget", work)
