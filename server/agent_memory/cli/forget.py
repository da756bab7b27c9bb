"""``agent-memory forget ID --store DIR``: remove an entry; exit 0, 1 (refused) or 2."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory import wire
from agent_memory.cli import common, entries
from agent_memory.markdownentries import MarkdownEntries

if TYPE_CHECKING:
    import argparse


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("id", metavar="ID", help="the entry's ULID")
    entries.add_store(parser)
    common.add_format(parser)


def run(args: argparse.Namespace) -> int:
    """Remove the entry and say so."""

    def work() -> int:
        store = MarkdownEntries(entries.folder(args.store))
        entry = store.forget(args.id, args.agent, args.run)
        if args.format == "json":
            common.print_json(wire.entry_json(entry))
        else:
            print(f"forgot memory '{entry.id}'.")
        return 0

    return entries.refusable("forget", work)
