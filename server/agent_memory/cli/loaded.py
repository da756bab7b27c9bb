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

# Why Claude Code loaded a file: its name for the reason, and the words for a person.
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
    """Print what the last run loaded; return 0, or 1 if the preview differs from it.

    ``--hook`` records a run and ``--setup`` prints a configuration instead; both return 0.

    Raises:
        UsageError: no run in this folder was recorded.

    """
    if args.hook:
        _record_input()
        return 0
    if args.setup:
        hook = {"type": "command", "command": shlex.join([*own_command(), "loaded", "--hook"])}
        options.print_json({"hooks": {"InstructionsLoaded": [{"hooks": [hook]}]}})
        return 0
    ctx = options.context(args)
    last = last_run(ctx)
    if last is None:
        raise UsageError(
            f"no run of Claude Code in {ctx.cwd} was recorded. Add the hook that "
            "`agent-memory loaded --setup` prints to ~/.claude/settings.json, and start Claude Code"
        )
    if args.format == "json":
        options.print_json(_json(last))
    else:
        _print(ctx, last)
    preview_differs = bool(last.not_loaded or last.not_shown)
    return int(preview_differs)


def _record_input() -> None:
    """Record standard input, which Claude Code passes to its hook.

    Input that is too large or not that of the hook is ignored, and so is a failed write: a hook
    must not disturb the agent.
    """
    raw = sys.stdin.buffer.read(MAX_BYTES + 1)  # one byte more shows that it is too large
    if len(raw) > MAX_BYTES:
        return
    with suppress(UsageError):
        record(os.environ, raw.decode("utf-8", "replace"))


def _json(last: LastRun) -> dict[str, Any]:
    """Return the last run as JSON.

    ``at`` is in seconds since the epoch, ``by`` the file that imports a file, '' without an import.
    """
    return {
        "cwd": str(last.cwd),
        "at": last.at,
        "files": [
            {"path": str(file.path), "type": file.kind, "reason": file.reason, "by": file.parent}
            for file in last.files
        ],
        "notLoaded": [str(path) for path in last.not_loaded],
        "notShown": [str(path) for path in last.not_shown],
    }


def _print(ctx: Context, last: LastRun) -> None:
    """Print the last run as text: its files, and how the preview differs."""

    def name(path: Path) -> str:
        """Return ``path`` as it is printed: below the folder of the run, or as ``~/…``."""
        return shown(path, last.cwd, ctx.home)

    at = time.strftime("%Y-%m-%d %H:%M", time.localtime(last.at))
    count = options.counted(len(last.files), "file")
    print(f"Claude Code started in {last.cwd} at {at} and loaded {count}:")
    width = max(len(name(file.path)) for file in last.files)
    for file in last.files:
        print(f"  {name(file.path):<{width}}  {file.kind.lower()}, {_reason(file)}")
    for path in last.not_loaded:
        print(f"{name(path)} was not loaded, but the preview shows it.")
    for path in last.not_shown:
        print(f"{name(path)} was loaded, but the preview does not show it.")
    if not last.not_loaded and not last.not_shown:
        print("The preview shows the same files.")


def _reason(file: LoadedFile) -> str:
    """Return why Claude Code loaded the file, in words, with the file that imports it."""
    # A reason of a newer version is shown as it is: "session_end" as "session end".
    reason = _REASONS.get(file.reason, file.reason.replace("_", " "))
    return f"{reason} by {os.path.basename(file.parent)}" if file.parent else reason  # noqa: PTH119
