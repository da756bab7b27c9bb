"""``agent-memory serve``: the language server on standard input and output."""

from __future__ import annotations

import os
import sys

# Not from typing, whose import would delay the answer to an editor (lsp/boot.py).
TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "--stdio",
        action="store_true",
        help="the default and only transport",
    )
    parser.add_argument("--home", default=None, metavar="DIR", help="the folder with .deepagents")


def run(args: argparse.Namespace) -> int:
    """Serve until the client exits, as :func:`start` does."""
    return start(args.home)


def start(home: str | None = None) -> int:
    """Serve with the user memory below ``home`` (None: the user's home).

    The process ends when the client exits: with 0, or 1 if it exits without ``shutdown``. In a
    terminal nothing is served, because a person has started the command: return 2.
    """
    if sys.stdin.isatty():
        print(
            "agent-memory serve speaks the Language Server Protocol: editors start it for you",
            file=sys.stderr,
        )
        return 2
    from agent_memory.lsp.boot import serve  # noqa: PLC0415 -- only when it runs

    code = serve(home)
    sys.stderr.flush()
    # Freeing the modules of the interpreter takes up to a second on a busy machine, and an editor
    # that restarts the server kills it after two.
    os._exit(code)
