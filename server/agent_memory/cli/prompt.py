"""``agent-memory prompt``: the block an agent receives, byte for byte."""

from __future__ import annotations

import sys
from functools import partial
from typing import TYPE_CHECKING

from agent_memory import wire
from agent_memory.cli import common
from agent_memory.prompt import compose
from agent_memory.secrets import mask_parts

if TYPE_CHECKING:
    import argparse


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    common.add_place(parser)
    common.add_format(parser)
    parser.add_argument(
        "--reveal", action="store_true", help="with --format json: show secrets as they are"
    )


def run(args: argparse.Namespace) -> int:
    """Compose and print; problems go to standard error."""
    ctx = common.context(args)
    prompt = compose(ctx, args.runtime)
    if args.format == "json":
        read = ctx.store.read
        mask = None if args.reveal else partial(mask_parts, allowed=ctx.settings.allowed_secrets)
        common.print_json(
            wire.prompt_json(
                prompt, lambda path: read(path).lines, ctx.settings.budget_tokens, mask
            )
        )
        return 0
    sys.stdout.buffer.write(prompt.text.encode("utf-8", "surrogatepass"))
    if sys.stdout.isatty():
        sys.stdout.buffer.write(b"\n")
    sys.stdout.flush()
    for problem in prompt.problems:
        print(f"agent-memory prompt: {problem.message}", file=sys.stderr)
    return 0
