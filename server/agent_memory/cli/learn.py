"""``agent-memory learn``: the memory files of Claude MPM agents; exit 0, 1 (refused) or 2."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from agent_memory.cli import learn_change, learn_show, learn_transfer, options
from agent_memory.learnings.extract import SECTION_OF
from agent_memory.learnings.store import Learnings

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    Action = Callable[[argparse.Namespace, Learnings], int]


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the actions and their options."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")

    def action(name: str, about: str) -> argparse.ArgumentParser:
        """Add the action ``name`` with the options of all actions."""
        sub = actions.add_parser(name, help=about, description=about)
        cwd_help = "a folder of the project (default: the current one)"
        sub.add_argument("--cwd", type=Path, default=None, metavar="DIR", help=cwd_help)
        options.add_format(sub)
        return sub

    add = action("add", "add one learning to an agent's memory")
    add.add_argument("agent", metavar="AGENT")
    add.add_argument("type", metavar="TYPE", choices=SECTION_OF, help=", ".join(SECTION_OF))
    add.add_argument("text", metavar="TEXT", type=options.utf8)
    _add_limit(add)
    _configure_extract(action("extract", "add the learnings in an agent's output"))
    action("status", "show each agent's file and the limits it exceeds")
    view = action("view", "print an agent's memory")
    view.add_argument("agent", metavar="AGENT")
    view.add_argument("--reveal", action="store_true", help="show secrets unmasked")
    clean = action("clean", "repair the file, remove duplicates, enforce the limits")
    clean.add_argument("agents", nargs="*", metavar="AGENT", help="default: all")
    clean.add_argument("--dry-run", action="store_true", help="show what would be done")
    action("export", "print all items as JSON")
    action("import", "add the missing items of an export").add_argument(
        "file", metavar="FILE", help="- reads standard input"
    )
    diff = action("diff", "show the changes since the last commit or an export")
    diff.add_argument("file", nargs="?", metavar="FILE", help="an export (default: git's HEAD)")


def _configure_extract(parser: argparse.ArgumentParser) -> None:
    """Declare the options of ``extract``."""
    parser.add_argument(
        "file", nargs="?", default="-", metavar="FILE", help="- reads standard input"
    )
    parser.add_argument("--agent", required=True, metavar="NAME", help="whose memory")
    parser.add_argument("--natural", action="store_true", help="also sentences (Best practice: …)")
    parser.add_argument("--enable-learning", action="store_true", help="override config.yml")
    parser.add_argument("--dry-run", action="store_true", help="show what would be added")
    _add_limit(parser)


def run(args: argparse.Namespace) -> int:
    """Run the action; return its exit code. Refusals are printed to standard error."""
    # `options.context` needs `home`, which these actions lack, and takes `agent` for the agent of
    # the runtime. So the Claude MPM agent of the action is set only after that call.
    args.home = None
    agent, args.agent = getattr(args, "agent", None), None
    ctx = options.context(args)
    learnings = Learnings(ctx, size_kb=getattr(args, "memory_limit", None), unsafe=_why_unsafe)
    args.agent = learnings.name_of(agent) if agent else None
    for problem in learnings.config.problems:
        print(f"agent-memory learn: {problem}", file=sys.stderr)
    return _ACTIONS[args.action](args, learnings)


def _why_unsafe(text: str) -> str:
    """Return why ``text`` must not be saved, '' if it may."""
    from agent_memory.remember.unsafe_text import why_unsafe  # noqa: PLC0415 -- loads all rules

    return why_unsafe(text)


def _add_limit(parser: argparse.ArgumentParser) -> None:
    """Add ``--memory-limit``, which overrides the limit of config.yml."""
    parser.add_argument("--memory-limit", type=int, metavar="KB", help="maximum file size")


_ACTIONS: dict[str, Action] = {
    "add": learn_change.add,
    "extract": learn_change.extract,
    "status": learn_show.status,
    "view": learn_show.view,
    "clean": learn_change.clean,
    "export": learn_transfer.export,
    "import": learn_transfer.take_in,
    "diff": learn_transfer.diff,
}
