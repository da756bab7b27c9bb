"""The options of ``agent-memory remember``, and the target that they name."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from agent_memory.base.errors import UsageError
from agent_memory.cli import entry_options, options
from agent_memory.entries.entry_file import KINDS
from agent_memory.entries.entry_file import SCOPES as ENTRY_SCOPES
from agent_memory.remember import scopes
from agent_memory.remember.entry_planner import EntryTarget

if TYPE_CHECKING:
    import argparse


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "text",
        metavar="TEXT",
        nargs="?",
        type=options.utf8,
        help="what to remember; - reads standard input",
    )
    _add_target(parser)
    parser.add_argument(
        "--yes",
        action="store_true",
        help="create the project folder; allow old items to be evicted",
    )
    parser.add_argument("--redact", action="store_true", help="redact secrets and save")
    parser.add_argument(
        "--allow-duplicate",
        "--anyway",
        action="store_true",
        help="save it even if it already exists",
    )
    parser.add_argument("--dry-run", action="store_true", help="show what would be done")
    _add_entry_fields(parser)
    options.add_project(parser)
    options.add_format(parser)


def _add_target(parser: argparse.ArgumentParser) -> None:
    """Declare the options that say where to save, and the language of the text."""
    parser.add_argument(
        "--scope",
        help="memory file: user or project (default); learned entry: global, agent or run",
    )
    parser.add_argument(
        "--file", metavar="PATH", help="save to this memory file; '?' lists the available files"
    )
    parser.add_argument(
        "--section",
        type=options.utf8,
        metavar="NAME",
        help="the heading to add it under; for Claude MPM also a learning type",
    )
    parser.add_argument(
        "--language",
        type=options.utf8,
        metavar="ID",
        default="",
        help="TEXT is code in this language (python, ts)",
    )


def _add_entry_fields(parser: argparse.ArgumentParser) -> None:
    """Declare the options for learned entries: the store and the fields."""
    entry_options.add_store(parser)
    parser.add_argument("--kind", choices=KINDS, default="project", help="kind of the entry")
    parser.add_argument(
        "--summary",
        type=options.utf8,
        metavar="S",
        help="summary of the entry (default: its first line)",
    )
    parser.add_argument(
        "--tag",
        action="append",
        default=[],
        type=options.utf8,
        metavar="TAG",
        help="tag of the entry; can be repeated",
    )
    parser.add_argument("--id", metavar="ULID", help="ID of the entry to replace")


def target_of(args: argparse.Namespace) -> str | Path | EntryTarget:
    """Return the target that the options name: 'user' or 'project' memory, a file, or an entry.

    ``--store`` and the scopes of entries name an entry. Without options, the target is project
    memory.

    Raises:
        UsageError: they name two targets, or without ``--store`` an unknown scope. The scope of an
            entry is checked when it is saved.

    """
    if args.file is not None:
        for other in ("scope", "store"):
            if getattr(args, other) is not None:
                raise UsageError(f"--file cannot be combined with --{other}")
        return Path(args.file)
    if args.store is None and args.scope not in ENTRY_SCOPES:
        return _memory_scope(args.scope)
    scope = args.scope or "global"
    return EntryTarget(
        scope, args.kind, args.summary, tuple(args.tag), args.agent, args.run, args.id
    )


def _memory_scope(scope: str | None) -> str:
    """Return ``scope``, which must be one of memory files; 'project' for None.

    Raises:
        UsageError: the scope is unknown.

    """
    if scope is None:
        return "project"
    if scope in scopes.SCOPES:
        return scope
    raise UsageError(
        f"unknown scope '{scope}'. Memory files: user, project; learned entries: "
        f"{', '.join(ENTRY_SCOPES)}"
    )
