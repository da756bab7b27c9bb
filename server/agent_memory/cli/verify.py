"""``agent-memory verify``: start the installed agent once, and compare what it sends."""

from __future__ import annotations

import argparse

from agent_memory.cli import options
from agent_memory.config.settings import Settings
from agent_memory.config.settings_files import load_user
from agent_memory.config.trust import without_trust
from agent_memory.lint.known_names import KNOWN_NAMES
from agent_memory.verify.answer import around, outcome, remarks, verified_json
from agent_memory.verify.compare import SECONDS, verify
from agent_memory.verify.process import Limit

_MAX_SECONDS = 600.0


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    options.add_project(parser)
    options.add_format(parser)
    parser.add_argument(
        "--seconds",
        type=_seconds,
        default=SECONDS,
        metavar="N",
        help=f"end the agent after N seconds (default: {SECONDS:g})",
    )


def _seconds(text: str) -> float:
    """Return ``text`` as a number of seconds.

    Raises:
        argparse.ArgumentTypeError: it is not a number, or out of range.

    """
    try:
        number = float(text)
    except ValueError:
        number = 0  # not a number; as 0 is out of range, the message is the same
    if not 0 < number <= _MAX_SECONDS:
        raise argparse.ArgumentTypeError(f"give a number up to {_MAX_SECONDS:g}")
    return number


def run(args: argparse.Namespace) -> int:
    """Start the agent once, compare its request with the preview, and print the result.

    Return 0 if they are equal, 1 if they differ.

    Raises:
        UsageError: the agent cannot be started or sends no request in time, or the cache folder
            cannot be written.

    """
    ctx = options.context(args)
    # Without its problems: `options.context` has printed them.
    user_settings, _ = load_user(ctx.home, Settings(), KNOWN_NAMES)
    # Settings of the project must not choose the program that is started.
    ctx = ctx.with_(settings=without_trust(ctx.settings, user_settings))
    result = verify(ctx, args.runtime, Limit(args.seconds))
    allowed = ctx.settings.allowed_secrets
    if args.format == "json":
        options.print_json(verified_json(result, allowed))
    else:
        preview, sent = around(result, allowed)
        print(outcome(result))
        if result.difference:
            print(f"  preview: {preview!r}")
            print(f"  sent:    {sent!r}")
    for remark in remarks(result):
        options.complain(remark)
    return 1 if result.difference else 0
