"""``agent-memory learn``: the memory files of Claude MPM agents; exit 0, 1 (refused) or 2."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agent_memory.base.errors import UsageError
from agent_memory.cli import learn_transfer, options
from agent_memory.cli.learn_transfer import read_input
from agent_memory.learnings.eviction import NotAdded
from agent_memory.learnings.extract import SECTION_OF, extract
from agent_memory.learnings.sections import items_of
from agent_memory.learnings.store import Learnings
from agent_memory.runtimes.claude_mpm import agent_id
from agent_memory.secrets import mask

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    from agent_memory.learnings.memory_file import FileChange

    Action = Callable[[argparse.Namespace, Learnings], int]


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the actions and their options."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")

    def action(name: str, about: str) -> argparse.ArgumentParser:
        sub = actions.add_parser(name, help=about, description=about)
        sub.add_argument("--cwd", type=Path, default=None, metavar="DIR")
        options.add_format(sub)
        return sub

    add = action("add", "add one learning to an agent's memory")
    add.add_argument("agent", metavar="AGENT")
    add.add_argument("type", metavar="TYPE", choices=SECTION_OF, help=", ".join(SECTION_OF))
    add.add_argument("text", metavar="TEXT", type=options.utf8)
    _add_limit(add)
    out = action("extract", "add the learnings in an agent's output")
    out.add_argument("file", nargs="?", default="-", metavar="FILE", help="- reads standard input")
    out.add_argument("--agent", required=True, metavar="NAME")
    out.add_argument("--natural", action="store_true", help="also sentences (Best practice: …)")
    out.add_argument("--enable-learning", action="store_true", help="override config.yml")
    out.add_argument("--dry-run", action="store_true", help="show what would be added")
    _add_limit(out)
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


def run(args: argparse.Namespace) -> int:
    """Run the action; refusals are printed to standard error."""
    args.home = args.agent_option = None
    wanted, args.agent = getattr(args, "agent", None), None
    ctx = options.context(args)
    args.agent = agent_id(wanted) if wanted else None
    learnings = Learnings(ctx, size_kb=getattr(args, "memory_limit", None))
    for problem in learnings.config.problems:
        print(f"agent-memory learn: {problem}", file=sys.stderr)
    return _ACTIONS[args.action](args, learnings)


def _add_limit(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--memory-limit", type=int, metavar="KB", help="maximum file size")


def _add(args: argparse.Namespace, learnings: Learnings) -> int:
    try:
        done = learnings.add(args.agent, args.type, args.text)
    except NotAdded as why:
        print(f"❌ Failed to add learning: {why}", file=sys.stderr)
        return 1
    path = learnings.path_of(args.agent)
    if args.format == "json":
        options.print_json({"added": [_added_json(args.agent, args.type, done)], "path": str(path)})
    else:
        print(f"✅ Added {args.type} to {args.agent} memory")
        print(f"{path}:{done.line + 1}: {done.section}")
        _print_evicted(done)
    return 0


def _extract(args: argparse.Namespace, learnings: Learnings) -> int:
    found = extract(read_input(args.file), natural=args.natural)
    if not found:
        print("agent-memory learn: no learnings found", file=sys.stderr)
        return 1
    if not args.dry_run and not args.enable_learning and learnings.config.forbids(args.agent):
        raise UsageError(
            f"memory.auto_learning in {learnings.config.path} turns learning off for "
            f"{args.agent}: change it, or pass --enable-learning"
        )
    added: list[dict[str, Any]] = []
    refused: list[dict[str, Any]] = []
    for item in found:
        if args.dry_run:
            content = mask(item.content)
            added.append({"agent": args.agent, "type": item.type, "content": content})
            continue
        try:
            done = learnings.add(args.agent, item.type, item.content)
            added.append(_added_json(args.agent, item.type, done) | {"content": item.content})
        except NotAdded as why:
            refused.append({"type": item.type, "line": item.line, "reason": str(why)})
    if args.format == "json":
        options.print_json({"added": added, "refused": refused})
    else:
        for row in added:
            print(f"✅ Added {row['type']} to {args.agent} memory: {row['content']}")
        for row in refused:
            print(f"❌ line {row['line'] + 1}: {row['reason']}", file=sys.stderr)
    return 0 if added else 1


def _status(args: argparse.Namespace, learnings: Learnings) -> int:
    files = learnings.status()
    config = learnings.config
    if args.format == "json":
        rows = [
            {
                "agent": file.agent,
                "path": str(file.path),
                "bytes": file.size,
                "limit": learnings.limits(file.agent).size,
                "sections": file.sections,
                "items": file.items,
                "updated": file.updated,
                "autoLearning": config.learns(file.agent),
                "over": list(file.over),
            }
            for file in files
        ]
        options.print_json(
            {"enabled": config.enabled, "folder": str(learnings.folder), "agents": rows}
        )
        return 0
    state = "on" if config.enabled else "off"
    print(f"{learnings.folder} (memory is {state})")
    for file in files:
        limit = learnings.limits(file.agent).size
        learns = "auto-learning on" if config.learns(file.agent) else "auto-learning off"
        print(
            f"{file.agent:<16} {file.size:>6,} of {limit:,} bytes, "
            f"{options.counted(file.sections, 'section')}, {options.counted(file.items, 'item')}, "
            f"{learns}, updated {file.updated or 'never'}"
        )
        for over in file.over:
            print(f"{'':<16} over: {over}")
    return 0


def _view(args: argparse.Namespace, learnings: Learnings) -> int:
    text = learnings.read(args.agent)
    text = text if args.reveal else mask(text)
    if args.format == "json":
        path = str(learnings.path_of(args.agent))
        options.print_json({"agent": args.agent, "path": path, "sections": items_of(text)})
    else:
        sys.stdout.write(text)
    return 0


def _clean(args: argparse.Namespace, learnings: Learnings) -> int:
    rows: list[dict[str, Any]] = []
    for name in args.agents or learnings.agents():
        agent = agent_id(name)
        try:
            done = learnings.clean(agent, dry=args.dry_run)
        except NotAdded as why:
            print(f"❌ {agent}: {why}", file=sys.stderr)
            return 1
        rows.append({"agent": agent, "notes": list(done.notes), "archived": _archived(done)})
    if args.format == "json":
        options.print_json({"cleaned": rows, "dryRun": args.dry_run})
        return 0
    for row in rows:
        changes = [
            *row["notes"],
            *(f"moved to the archive: {one['text']}" for one in row["archived"]),
        ]
        print(f"{row['agent']}: {'; '.join(changes) or 'no changes'}")
    return 0


_ACTIONS: dict[str, Action] = {
    "add": _add,
    "extract": _extract,
    "status": _status,
    "view": _view,
    "clean": _clean,
    "export": learn_transfer.export,
    "import": learn_transfer.take_in,
    "diff": learn_transfer.diff,
}


def _added_json(agent: str, kind: str, done: FileChange) -> dict[str, Any]:
    return {
        "agent": agent,
        "type": kind,
        "section": done.section,
        "line": done.line,
        "archived": _archived(done),
    }


def _print_evicted(done: FileChange) -> None:
    for one in _archived(done):
        print(f"moved to the archive from '{one['section']}': {one['text']}")


def _archived(done: FileChange) -> list[dict[str, str]]:
    return [{"section": one.section, "text": mask(one.text)} for one in done.evicted]
