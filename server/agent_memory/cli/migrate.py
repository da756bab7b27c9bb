"""``agent-memory migrate --to AGENTS.md|agent.md``: rename memory files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.cli import options
from agent_memory.remember import migrate

if TYPE_CHECKING:
    import argparse


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("--to", choices=migrate.NAMES, required=True)
    parser.add_argument("--dry-run", action="store_true", help="show what would be done")
    options.add_project(parser)


def run(args: argparse.Namespace) -> int:
    """Migrate and print each rename; return 1 if there is nothing to do."""
    found = migrate.plan(options.context(args), args.to)
    for migration in found:
        if not args.dry_run:
            migrate.apply(migration)
        print(migration.message)
    if not found:
        print("nothing to migrate")
    return 0 if found else 1
