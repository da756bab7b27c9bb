"""``agent-memory learn add``, ``extract`` and ``clean``: change the memory of Claude MPM agents."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from agent_memory.base.errors import UsageError
from agent_memory.cli import options
from agent_memory.cli.learn_transfer import read_input
from agent_memory.learnings.eviction import NotAdded
from agent_memory.learnings.extract import extract as find_learnings
from agent_memory.secrets import mask

if TYPE_CHECKING:
    import argparse

    from agent_memory.learnings.memory_file import FileChange
    from agent_memory.learnings.store import Learnings


def add(args: argparse.Namespace, learnings: Learnings) -> int:
    """Add one learning; return 1 if it is refused."""
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


def extract(args: argparse.Namespace, learnings: Learnings) -> int:
    """Add the learnings in an agent's output; return 1 if none was added.

    With --dry-run, all that were found count as added.
    """
    found = find_learnings(read_input(args.file), natural=args.natural)
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
        options.print_json({"added": added, "refused": refused, "written": not args.dry_run})
    else:
        verb = "Would add" if args.dry_run else "✅ Added"
        for row in added:
            print(f"{verb} {row['type']} to {args.agent} memory: {row['content']}")
        for row in refused:
            print(f"❌ line {row['line'] + 1}: {row['reason']}", file=sys.stderr)
    return 0 if added else 1


def clean(args: argparse.Namespace, learnings: Learnings) -> int:
    """Repair the files and enforce their limits.

    A file that fails does not stop the others. Return 1 if one was refused, 2 if one cannot be read
    or written.
    """
    rows: list[dict[str, Any]] = []
    code = 0
    for agent in map(learnings.name_of, args.agents or learnings.agents()):
        try:
            done = learnings.clean(agent, dry=args.dry_run)
        except (NotAdded, UsageError) as why:
            print(f"❌ {agent}: {why}", file=sys.stderr)
            code = max(code, 1 if isinstance(why, NotAdded) else 2)
            continue
        rows.append({"agent": agent, "notes": list(done.notes), "archived": _archived(done)})
    if args.format == "json":
        options.print_json({"cleaned": rows, "dryRun": args.dry_run})
        return code
    for row in rows:
        changes = [
            *row["notes"],
            *(f"moved to the archive: {one['text']}" for one in row["archived"]),
        ]
        print(f"{row['agent']}: {'; '.join(changes) or 'no changes'}")
    return code


def _added_json(agent: str, kind: str, done: FileChange) -> dict[str, Any]:
    """Return the added learning as JSON; ``line`` counts from 0."""
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
