"""``agent-memory explain PATH[:LINE]``: what each agent does with a file or line, and why."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

from agent_memory import serialize_explained as serialize
from agent_memory.cli import options
from agent_memory.prompt.explain import explain

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from agent_memory.prompt.answer import Answer

_LINE = re.compile(r"(.+?):(\d{1,9})", re.DOTALL)
"""``PATH:LINE``, for ``fullmatch``; a number of more than nine digits is part of the path."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("path", metavar="PATH[:LINE]", help="the file, or a line of it (from 1)")
    options.add_project(parser)
    options.add_format(parser)


def run(args: argparse.Namespace) -> int:
    """Print what each agent does with the file or line; return the exit code, always 0.

    Raises:
        UsageError: the file has no such line, or the runtime or agent is not valid.

    """
    ctx = options.context(args)
    path, line = _parsed(ctx.cwd, args.path)
    explained = explain(ctx, path, line, args.runtime)
    root = explained.answers[0].runtime.root(ctx)  # only shortens the printed path
    if args.format == "json":
        options.print_json(serialize.explained_json(explained, ctx, root, Path.as_uri))
        return 0
    line_suffix = "" if line is None else f":{line + 1}"
    print(f"{serialize.shown(path, root, ctx.home)}{line_suffix} (agents start in {ctx.cwd})")
    if explained.listed.note:
        print(explained.listed.note)
    width = max(len(answer.runtime.title) for answer in explained.answers)
    for answer in explained.answers:
        for text in _lines(answer, width):
            print(text)
    return 0


def _parsed(cwd: Path, name: str) -> tuple[Path, int | None]:
    """Return (absolute path, line counted from 0) of ``name``, a PATH or PATH:LINE.

    The line is None for a PATH, also if ``name`` is an existing file such as ``notes:12``. It is -1
    for ``PATH:0``, a line that no file has.
    """
    match = _LINE.fullmatch(name)
    line = None
    if match and not os.path.lexists(cwd / name):
        name, line = match[1], int(match[2]) - 1
    return Path(os.path.abspath(cwd / Path(name).expanduser())), line  # noqa: PTH100 -- keeps symlinks


def _lines(answer: Answer, width: int) -> Iterator[str]:
    """Yield the printed lines about one agent: what it does, where in the prompt, what to change.

    ``width`` is that of the column of titles, in characters.
    """
    yield f"\n{answer.runtime.title:<{width}}  {answer.outcome}: {answer.reason}"
    indent = " " * (width + 2)
    if answer.bytes:
        # (start, end) of each piece of the file in the prompt: from the first to the last one.
        start, end = answer.bytes[0][0], answer.bytes[-1][1]
        version = f" {answer.prompt.version}" if answer.prompt.version else ""
        yield (
            f"{indent}bytes {start:,} to {end:,} of the prompt, {answer.role} message "
            f"({answer.prompt.exactness}{version})"
        )
    if answer.action:
        yield f"{indent}-> {answer.action.message}"
