"""``agent-memory loaded``: what the last run of Claude Code really loaded."""

from __future__ import annotations

import os
import shlex
import sys
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from agent_memory.base.errors import UsageError
from agent_memory.cli import options
from agent_memory.integrations.mcp_clients import own_command
from agent_memory.serialize_explained import shown
from agent_memory.verify.last_run import MAX_BYTES, last_run, record

if TYPE_CHECKING:
    import argparse
    from pathlib import Path

    from agent_memory.config.context import Context
    from agent_memory.verify.last_run import LastRun, LoadedFile

_REASONS = {"session_start": "at the start", "include": "imported"}


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    options.add_project(parser)
    options.add_format(parser)
    which = parser.add_mutually_exclusive_group()
    which.add_argument(
        "--setup", action="store_true", help="print the hook for ~/.claude/settings.json"
    )
    which.add_argument(
        "--hook", action="store_true", help="record standard input; Claude Code runs this"
    )


def run(args: argparse.Namespace) -> int:
    """Print what the last run loaded; return 1 if the preview differs from it.

    ``--hook`` records a run and ``--setup`` prints a configuration instead; both return 0.
    """
    if args.hook:
        with suppress(UsageError):  # a hook must not disturb the agent
            raw = sys.stdin.buffer.read(MAX_BYTES + 1)  # one more shows that it is too large
            record(os.environ, raw.decode("utf-8", "replace") if len(raw) <= MAX_BYTES else "")
        return 0
    if args.setup:
        hook = {"type": "command", "command": shlex.join([*own_command(), "loaded", "--hook"])}
        options.print_json({"hooks": {"InstructionsLoaded": [{"hooks": [hook]}]}})
        return 0
    ctx = options.context(args)
    found = last_run(ctx)
    if found is None:
        raise UsageError(
            f"no run of Claude Code in {ctx.cwd} was recorded. Add the hook that "
            "`agent-memory loaded --setup` prints to ~/.claude/settings.json, and start Claude Code"
        )
    if args.format == "json":
        options.print_json(_json(found))
    else:
        _print(ctx, found)
    return 1 if found.not_loaded or found.not_shown else 0


def _json(found: LastRun) -> dict[str, Any]:
    """Return the run as JSON; ``at`` is in seconds since the epoch."""
    return {
        "cwd": str(found.cwd),
        "at": found.at,
        "files": [
            {"path": str(item.path), "type": item.kind, "reason": item.reason, "by": item.parent}
            for item in found.files
        ],
        "notLoaded": [str(path) for path in found.not_loaded],
        "notShown": [str(path) for path in found.not_shown],
    }


def _print(ctx: Context, found: LastRun) -> None:
    """Print the run as text: its files, and how the preview differs."""

    def name(path: Path) -> str:
        return shown(path, found.cwd, ctx.home)

    at = time.strftime("%Y-%m-%d %H:%M", time.localtime(found.at))
    count = options.counted(len(found.files), "file")
    print(f"Claude Code started in {found.cwd} at {at} and loaded {count}:")
    width = max(len(name(item.path)) for item in found.files)
    for item in found.files:
        print(f"  {name(item.path):<{width}}  {item.kind.lower()}, {_reason(item)}")
    for path in found.not_loaded:
        print(f"{name(path)} was not loaded, but the preview shows it.")
    for path in found.not_shown:
        print(f"{name(path)} was loaded, but the preview does not show it.")
    if not found.not_loaded and not found.not_shown:
        print("The preview shows the same files.")


def _reason(item: LoadedFile) -> str:
    """Return why Claude Code loaded the file, in words, with the file that imports it."""
    reason = _REASONS.get(item.reason, item.reason.replace("_", " "))
    return f"{reason} by {os.path.basename(item.parent)}" if item.parent else reason  # noqa: PTH119
