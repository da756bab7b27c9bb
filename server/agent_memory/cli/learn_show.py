"""``agent-memory learn status`` and ``view``: the memory files of Claude MPM agents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agent_memory.cli import options
from agent_memory.learnings.sections import items_of
from agent_memory.secrets import mask

if TYPE_CHECKING:
    import argparse

    from agent_memory.learnings.store import Learnings


def status(args: argparse.Namespace, learnings: Learnings) -> int:
    """Print the size, items and exceeded limits of each agent's file; return 0.

    Of a file that cannot be read, the path and the reason are printed.
    """
    config = learnings.config
    if args.format == "json":
        options.print_json(_status_json(learnings))
        return 0
    state = "on" if config.enabled else "off"
    print(f"{learnings.folder} (memory is {state})")
    for file in learnings.status():
        limit = learnings.limits(file.agent).size
        learns = "auto-learning on" if config.learns(file.agent) else "auto-learning off"
        print(
            f"{file.agent:<16} {file.size:>6,} of {limit:,} bytes, "
            f"{options.counted(file.sections, 'section')}, {options.counted(file.items, 'item')}, "
            f"{learns}, updated {file.updated or 'never'}"
        )
        if file.failure:
            print(f"{'':<16} cannot read {file.path}: {file.failure}")
        for problem in file.over:
            print(f"{'':<16} over: {problem}")
    return 0


def _status_json(learnings: Learnings) -> dict[str, Any]:
    """Return the state of all files as JSON.

    ``bytes`` and ``limit`` are in bytes, ``updated`` is the time in the file ('': it has none),
    ``over`` has a phrase for each exceeded limit, and ``failure`` says why the file cannot be read.
    """
    config = learnings.config
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
            "failure": file.failure,
        }
        for file in learnings.status()
    ]
    return {"enabled": config.enabled, "folder": str(learnings.folder), "agents": rows}


def view(args: argparse.Namespace, learnings: Learnings) -> int:
    """Print an agent's memory, secrets masked except with ``--reveal``; return 0.

    Raises:
        UsageError: the agent has no memory file, or it cannot be read.

    """
    text = learnings.read(args.agent)
    text = text if args.reveal else mask(text)
    if args.format == "json":
        path = str(learnings.path_of(args.agent))
        value = {"agent": args.agent, "path": path, "sections": items_of(text)}
        options.print_json(value, reveal=args.reveal)
    else:
        options.print_text(text, reveal=args.reveal)
    return 0
