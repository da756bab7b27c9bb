"""``agent-memory serve``: the language server on standard input and output."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("--stdio", action="store_true", help="the default, and the only way")
    parser.add_argument("--home", default=None, metavar="DIR", help="the folder with .deepagents")


def run(args: argparse.Namespace) -> int:
    """Serve until the client says exit; return 0, or 1 if it went without ``shutdown``."""
    return start(args.home)


def start(home: str | None = None) -> int:
    """Serve with the user memory of ``home``, None for the user's own."""
    if sys.stdin.isatty():
        print(
            "agent-memory serve speaks the Language Server Protocol and is started by an editor",
            file=sys.stderr,
        )
        return 2
    from agent_memory.lsp.boot import serve  # noqa: PLC0415 -- only once it is needed

    return serve(home)
