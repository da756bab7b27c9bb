"""``agent-memory forget ID``: move an entry to the trash; exit 0, 1 (refused) or 2."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory import serialize
from agent_memory.cli import entry_options, options

if TYPE_CHECKING:
    import argparse


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("id", metavar="ID", help="the entry's ID (a ULID)")
    options.add_project(parser)
    entry_options.add_store(parser)
    options.add_format(parser)


def run(args: argparse.Namespace) -> int:
    """Move the entry to the trash and print it; return 0, or 1 if it is denied or not found."""

    def work() -> int:
        """Move the entry to the trash and print it; return the exit code, always 0."""
        _, store = entry_options.context_and_store(args)
        entry = store.forget(args.id, args.agent, args.run)
        if args.format == "json":
            options.print_json(serialize.entry_json(entry))
        else:
            print(f"forgot memory '{entry.id}'.")
        return 0

    return entry_options.exit_code_of("forget", work)
