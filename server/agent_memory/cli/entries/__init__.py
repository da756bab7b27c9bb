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

    found = action("list", "list entries, the last changed first")
    entry_options.add_filters(found)
    entry_options.add_ages(found)
    found.add_argument("--trash", action="store_true", help="list the entries in the trash")
    found.add_argument(
        "--limit", type=int, default=50, metavar="N", help="most lines (default: 50; 0: no limit)"
    )
    shown = action("show", "print one entry")
    shown.add_argument("--reveal", action="store_true", help="show secrets unmasked")
    edit = action("edit", "change fields of one entry")
    edit.add_argument("--summary", type=options.utf8, metavar="S", help="one line")
    edit.add_argument("--body", type=options.utf8, metavar="TEXT", help="- reads standard input")
    edit.add_argument("--kind", choices=KINDS)
    edit.add_argument(
        "--tag", action="append", type=options.utf8, metavar="TAG", help="replaces all tags"
    )
    promote = action("promote", "move an entry to project or user memory")
    promote.add_argument("--to", default="project", metavar="TARGET", help=_TARGET)
    promote.add_argument("--section", type=options.utf8, metavar="NAME", help="the heading")
    promote.add_argument("--keep", action="store_true", help="keep the entry as well")
    _add_consent(promote, "create the project's memory folder")
    demote = action("demote", "move an item of a memory file to an entry, or restore its entry")
    demote.add_argument("location", metavar="FILE:LINE", help="a line of the item, from 1")
    demote.add_argument("--scope", choices=SCOPES, default="global")
    demote.add_argument("--kind", choices=KINDS, default="project")
    demote.add_argument("--summary", type=options.utf8, metavar="S", help="one line")
    _add_consent(demote, "create the project's folder of entries")
    move = action("move", "give an entry to another scope, agent or run")
    move.add_argument("--to", required=True, metavar="SCOPE", help="global, agent:NAME or run:ID")
    prune = action("prune", "move old or unused entries to the trash")
    entry_options.add_filters(prune)
    entry_options.add_ages(prune)
    _add_consent(prune, "do it without a question")
    action("restore", "move an entry out of the trash")
    empty = action("empty-trash", "remove the entries in the trash for good")
    empty.add_argument("--older", type=float, metavar="DAYS", help="those there for so many days")
    _add_consent(empty, "do it without a question")
    for sub in (shown, edit, promote, move, actions.choices["restore"]):
        sub.add_argument("id", metavar="ID", help="the entry's ID (a ULID)")


def run(args: argparse.Namespace) -> int:
    """Run the action; refusals are printed to standard error."""
    return entry_options.exit_code_of(f"entries {args.action}", lambda: _ACTIONS[args.action](args))


def _add_consent(parser: argparse.ArgumentParser, about: str) -> None:
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
