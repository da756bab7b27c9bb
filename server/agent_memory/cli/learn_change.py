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

    from agent_memory.learnings.extract import Learning
    from agent_memory.learnings.memory_file import FileChange
    from agent_memory.learnings.store import Learnings


def add(args: argparse.Namespace, learnings: Learnings) -> int:
    """Add one learning and print where it is; return 0, or 1 if it is refused.

    Raises:
        UsageError: memory is switched off, or the file cannot be written.

    """
    try:
        change = learnings.add(args.agent, args.type, args.text)
    except NotAdded as why:
        print(f"❌ Failed to add learning: {why}", file=sys.stderr)
        return 1
    path = learnings.path_of(args.agent)
    if args.format == "json":
        added = [_added_json(args.agent, args.type, change)]
        options.print_json({"added": added, "path": str(path)})
    else:
        print(f"✅ Added {args.type} to {args.agent} memory")
        print(f"{path}:{change.line + 1}: {change.section}")
        _print_evicted(change)
    return 0


def extract(args: argparse.Namespace, learnings: Learnings) -> int:
    """Add the learnings in an agent's output; return 0, or 1 if none was added.

    With --dry-run, nothing is written, and all learnings in the output count as added.

    Raises:
        UsageError: the input cannot be read, a file cannot be written, or (without --dry-run)
            the configuration turns learning off.

    """
    learned = find_learnings(read_input(args.file), natural=args.natural)
    if not learned:
        print("agent-memory learn: no learnings found", file=sys.stderr)
        return 1
    if not args.dry_run:
        _ensure_may_learn(args, learnings)
    added: list[dict[str, Any]] = []
    refused: list[dict[str, Any]] = []
    try:
        for learning in learned:
            try:
                added.append(_add_extracted(args, learnings, learning))
            except NotAdded as why:
                refused.append({"type": learning.type, "line": learning.line, "reason": str(why)})
    finally:  # a write that fails does not undo those before it
        _print_extracted(args, added, refused)
    return 0 if added else 1


def _add_extracted(
    args: argparse.Namespace, learnings: Learnings, learning: Learning
) -> dict[str, Any]:
    """Add ``learning``, unless this is a dry run; return it as JSON.

    Raises:
        NotAdded: it is refused.
        UsageError: memory is switched off, or the file cannot be written.

    """
    if args.dry_run:
        content = mask(learning.content)  # maybe with a secret, because `add` has not checked it
        return {"agent": args.agent, "type": learning.type, "content": content}
    change = learnings.add(args.agent, learning.type, learning.content)
    return {**_added_json(args.agent, learning.type, change), "content": learning.content}


def _print_extracted(
    args: argparse.Namespace, added: list[dict[str, Any]], refused: list[dict[str, Any]]
) -> None:
    """Print the learnings that were ``added``, and why the others were ``refused``."""
    if args.format == "json":
        options.print_json({"added": added, "refused": refused, "written": not args.dry_run})
    else:
        verb = "Would add" if args.dry_run else "✅ Added"
        for row in added:
            print(f"{verb} {row['type']} to {args.agent} memory: {row['content']}")
        for row in refused:
            print(f"❌ line {row['line'] + 1}: {row['reason']}", file=sys.stderr)


def _ensure_may_learn(args: argparse.Namespace, learnings: Learnings) -> None:
    """Raise ``UsageError`` if the configuration turns learning from the agent's output off.

    A configuration without ``memory.auto_learning`` allows the extraction, because a person
    requests it.

    Raises:
        UsageError: memory is off, or learning is off and --enable-learning was not passed.

    """
    learnings.ensure_enabled()
    if not args.enable_learning and learnings.config.forbids(args.agent):
        raise UsageError(
            f"memory.auto_learning in {learnings.config.path} turns learning off for "
            f"{args.agent}: change it, or pass --enable-learning"
        )


def clean(args: argparse.Namespace, learnings: Learnings) -> int:
    """Repair the files and enforce their limits; print what was changed in each.

    A file that fails does not stop the others. Return 2 if a file cannot be read or written, else
    1 if a change was refused, else 0.
    """
    rows: list[dict[str, Any]] = []
    code = 0
    for agent in map(learnings.name_of, args.agents or learnings.agents()):
        try:
            change = learnings.clean(agent, dry=args.dry_run)
        except (NotAdded, UsageError) as why:
            print(f"❌ {agent}: {why}", file=sys.stderr)
            code = max(code, 1 if isinstance(why, NotAdded) else 2)
            continue
        rows.append({"agent": agent, "notes": list(change.notes), "archived": _archived(change)})
    if args.format == "json":
        options.print_json({"cleaned": rows, "dryRun": args.dry_run})
        return code
    for row in rows:
        archived = [f"moved to the archive: {item['text']}" for item in row["archived"]]
        print(f"{row['agent']}: {'; '.join([*row['notes'], *archived]) or 'no changes'}")
    return code


def _added_json(agent: str, learning_type: str, change: FileChange) -> dict[str, Any]:
    """Return the added learning as JSON; ``line`` counts from 0.

    ``archived`` are the items that made room for it.
    """
    return {
        "agent": agent,
        "type": learning_type,
        "section": change.section,
        "line": change.line,
        "archived": _archived(change),
    }


def _print_evicted(change: FileChange) -> None:
    """Print each item that ``change`` moved to the archive to make room."""
    for item in _archived(change):
        print(f"moved to the archive from '{item['section']}': {item['text']}")


def _archived(change: FileChange) -> list[dict[str, str]]:
    """Return the items that ``change`` moved to the archive, with secrets masked."""
    return [{"section": item.section, "text": mask(item.text)} for item in change.evicted]
