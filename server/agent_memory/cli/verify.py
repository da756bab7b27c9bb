"""``agent-memory verify``: start the installed agent once, and compare what it sends."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from agent_memory.base.model import Exactness
from agent_memory.cli import options
from agent_memory.config.settings import Settings
from agent_memory.config.settings_files import load_user
from agent_memory.config.trust import without_trust
from agent_memory.lint.known_names import KNOWN_NAMES
from agent_memory.secrets import mask_parts
from agent_memory.verify.compare import SECONDS, Difference, verify

if TYPE_CHECKING:
    from collections.abc import Collection

    from agent_memory.verify.compare import Verified

_MAX_SECONDS = 600.0
_AROUND = 60
"""Characters that are shown on both sides of a difference."""


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
        number = 0
    if not 0 < number <= _MAX_SECONDS:
        raise argparse.ArgumentTypeError(f"give a number up to {_MAX_SECONDS:g}")
    return number


def run(args: argparse.Namespace) -> int:
    """Compare once; 0 if it is equal, 1 if it differs."""
    ctx = options.context(args)
    own, _ = load_user(ctx.home, Settings(), KNOWN_NAMES)
    ctx = ctx.with_(settings=without_trust(ctx.settings, own))  # a project names no program
    result = verify(ctx, args.runtime, args.seconds)
    shown = _shown(result, ctx.settings.allowed_secrets)
    if args.format == "json":
        options.print_json(_json(result, shown))
    else:
        for line in _lines(result, shown):
            print(line)
    if not result.same_copy:
        options.complain(
            "the preview of the copy that was compared differs from that of the project, for "
            "example in the order of rules"
        )
    for host in result.refused:
        options.complain(f"the agent tried to reach {host}, which was refused")
    return 1 if result.difference else 0


def _shown(result: Verified, allowed: Collection[str]) -> tuple[str, str]:
    """Return what is around the difference in the preview and in the request, without secrets."""
    if result.difference is None:
        return "", ""
    texts = (result.difference.ours, result.difference.sent)
    # before a part of a secret is cut out
    masked = Difference(0, *(mask_parts([text], allowed)[0] for text in texts))
    around = slice(max(0, masked.character - _AROUND), masked.character + _AROUND)
    return masked.ours[around], masked.sent[around]


def _json(result: Verified, shown: tuple[str, str]) -> dict[str, Any]:
    difference = result.difference
    return {
        "runtime": result.runtime.id,
        "version": result.program.version,
        "program": str(result.program.path),
        "equal": difference is None,
        "recorded": result.is_recorded,
        "sameCopy": result.same_copy,
        "blocks": [
            {"role": block.role, "bytes": len(block.text.encode("utf-8", "surrogatepass"))}
            for block in result.blocks
        ],
        "difference": difference
        and {
            "block": difference.block,
            "byte": difference.byte,
            "preview": shown[0],
            "sent": shown[1],
        },
        "refused": list(result.refused),
    }


def _lines(result: Verified, shown: tuple[str, str]) -> list[str]:
    name = f"{result.runtime.title} {result.program.version or '(unknown version)'}"
    difference = result.difference
    if difference:
        place = f"byte {difference.byte:,} of block {difference.block + 1}"
        return [
            f"{name} sends something else than the preview shows, from {place} on:",
            f"  preview: {shown[0]!r}",
            f"  sent:    {shown[1]!r}",
        ]
    if not result.blocks:
        return [f"{name} sends no memory here, as the preview shows. Nothing was compared."]
    size = sum(len(block.text.encode("utf-8", "surrogatepass")) for block in result.blocks)
    outcome = (
        "This version is now exact on this machine."
        if result.is_recorded
        else f"Its own texts were not found, so it stays {Exactness.OWN_WORDING}."
    )
    return [f"{name} sends exactly what the preview shows ({size:,} bytes). {outcome}"]
