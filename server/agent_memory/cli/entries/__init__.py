"""``agent-memory entries``: list, show, change and remove learned entries; exit 0, 1 or 2."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.cli import entry_options, options
from agent_memory.cli.entries import change, show, transfer
from agent_memory.entries.entry_file import KINDS, SCOPES

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    Action = Callable[[argparse.Namespace], int]


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the actions and their options."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")

    def action(name: str, about: str) -> argparse.ArgumentParser:
        """Add the action ``name`` with the options of all actions."""
        sub = actions.add_parser(name, help=about, description=about)
        options.add_project(sub)
        entry_options.add_store(sub)
        options.add_format(sub)
        return sub

    _configure_list(action("list", "list entries, the last changed first"))
    show_parser = action("show", "print one entry")
    show_parser.add_argument("--reveal", action="store_true", help="show secrets unmasked")
    _configure_edit(action("edit", "change fields of one entry"))
    _configure_promote(action("promote", "move an entry to project or user memory"))
    _configure_demote(
        action("demote", "move an item of a memory file to an entry, or restore its entry")
    )
    move = action("move", "give an entry to another scope, agent or run")
    move.add_argument("--to", required=True, metavar="SCOPE", help="global, agent:NAME or run:ID")
    _configure_prune(action("prune", "move old or unused entries to the trash"))
    action("restore", "move an entry out of the trash")
    _configure_empty_trash(action("empty-trash", "remove the entries in the trash for good"))
    for name in ("show", "edit", "promote", "move", "restore"):
        actions.choices[name].add_argument("id", metavar="ID", help="the entry's ID (a ULID)")


def _configure_list(parser: argparse.ArgumentParser) -> None:
    """Declare the options of ``list``."""
    entry_options.add_filters(parser)
    entry_options.add_ages(parser)
    parser.add_argument("--trash", action="store_true", help="list the entries in the trash")
    parser.add_argument(
        "--limit", type=int, default=50, metavar="N", help="most lines (default: 50; 0: no limit)"
    )


def _configure_edit(parser: argparse.ArgumentParser) -> None:
    """Declare the options of ``edit``: the new fields."""
    parser.add_argument("--summary", type=options.utf8, metavar="S", help="one line")
    parser.add_argument("--body", type=options.utf8, metavar="TEXT", help="- reads standard input")
    parser.add_argument("--kind", choices=KINDS)
    parser.add_argument(
        "--tag", action="append", type=options.utf8, metavar="TAG", help="replaces all tags"
    )


def _configure_promote(parser: argparse.ArgumentParser) -> None:
    """Declare the options of ``promote``."""
    parser.add_argument("--to", default="project", metavar="TARGET", help=_TARGET)
    parser.add_argument("--section", type=options.utf8, metavar="NAME", help="the heading")
    parser.add_argument("--keep", action="store_true", help="keep the entry as well")
    _add_consent(parser, "create the project's memory folder")


def _configure_demote(parser: argparse.ArgumentParser) -> None:
    """Declare the options of ``demote``."""
    parser.add_argument("location", metavar="FILE:LINE", help="a line of the item, from 1")
    parser.add_argument("--scope", choices=SCOPES, default="global")
    parser.add_argument("--kind", choices=KINDS, default="project")
    parser.add_argument("--summary", type=options.utf8, metavar="S", help="one line")
    _add_consent(parser, "create the project's folder of entries")


def _configure_prune(parser: argparse.ArgumentParser) -> None:
    """Declare the options of ``prune``."""
    entry_options.add_filters(parser)
    entry_options.add_ages(parser)
    _add_consent(parser, "do it without a question")


def _configure_empty_trash(parser: argparse.ArgumentParser) -> None:
    """Declare the options of ``empty-trash``."""
    parser.add_argument(
        "--older", type=entry_options.days, metavar="DAYS", help="those there for so many days"
    )
    _add_consent(parser, "do it without a question")


def run(args: argparse.Namespace) -> int:
    """Run the action; return its exit code. Refusals are printed to standard error."""
    return entry_options.exit_code_of(f"entries {args.action}", lambda: _ACTIONS[args.action](args))


def _add_consent(parser: argparse.ArgumentParser, about: str) -> None:
    """Add ``--yes`` with the help ``about``, and ``--dry-run``."""
    parser.add_argument("--yes", action="store_true", help=about)
    parser.add_argument("--dry-run", action="store_true", help="show what would be done")


_TARGET = "project (default), user, or a memory file"
_ACTIONS: dict[str, Action] = {
    "list": show.list_entries,
    "show": show.show,
    "edit": change.edit,
    "promote": transfer.promote,
    "demote": transfer.demote,
    "move": change.move,
    "prune": change.prune,
    "restore": change.restore,
    "empty-trash": change.empty_trash,
}
