"""Options and helpers that commands share."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from agent_memory.base.errors import UsageError
from agent_memory.config.context import Context
from agent_memory.config.settings import Settings
from agent_memory.config.settings_files import load_project, load_user
from agent_memory.lint.known_names import KNOWN_NAMES
from agent_memory.secrets import Exact, shown_json

if TYPE_CHECKING:
    import argparse

    from agent_memory.remember.plan import Plan


def add_project(parser: argparse.ArgumentParser) -> None:
    """Add the options for the runtime, the agent and the folders."""
    parser.add_argument(
        "--runtime",
        type=_runtime,
        metavar="ID",
        help="the agent runtime to use (default: detected); '?' lists them",
    )
    parser.add_argument("--agent", metavar="NAME", help="the agent's ID (default: detected)")
    parser.add_argument(
        "--cwd",
        type=Path,
        default=None,
        metavar="DIR",
        help="the folder the agent starts in (default: the current one)",
    )
    parser.add_argument(
        "--home",
        type=Path,
        default=None,
        metavar="DIR",
        help="the folder that contains .deepagents (default: yours)",
    )


def _runtime(text: str) -> str:
    """Return ``text``, the value of ``--runtime``. For '?', print the runtimes and exit with 0."""
    if text == "?":
        from agent_memory.runtimes import RUNTIMES  # noqa: PLC0415 -- the command imports it if needed

        for runtime in RUNTIMES:
            print(f"{runtime.id:<16} {runtime.summary}")
        raise SystemExit(0)
    return text


def add_format(parser: argparse.ArgumentParser, *more: str) -> None:
    """Add ``--format`` with text, json and ``more``."""
    parser.add_argument("--format", choices=("text", "json", *more), default="text")


def context(args: argparse.Namespace) -> Context:
    """Return the context of the options; problems of settings go to standard error.

    Raises:
        UsageError: ``--cwd`` is not a folder.

    """
    ctx, problems = context_and_problems(args)
    for problem in problems:
        complain(problem)
    return ctx


def context_and_problems(args: argparse.Namespace) -> tuple[Context, list[str]]:
    """Return (context of the options, sentences about the problems of the settings, each once).

    Raises:
        UsageError: ``--cwd`` is not a folder.

    """
    cwd = _absolute(args.cwd or Path.cwd())
    if not cwd.is_dir():
        raise UsageError(f"--cwd {cwd}: not an existing folder")
    home = _absolute(args.home or Path.home())
    user_settings, user_problems = load_user(home, Settings(), KNOWN_NAMES)
    settings, project_problems = load_project(cwd, user_settings, KNOWN_NAMES)
    ctx = Context(home, cwd, settings=settings, agent=getattr(args, "agent", None))
    problems = dict.fromkeys((*user_problems, *project_problems))
    return ctx, [str(problem) for problem in problems]


def _absolute(path: Path) -> Path:
    """Return ``path`` as an absolute one without ``..``.

    Symlinks are followed only if it contains ``..``: after a symlink, ``..`` is the folder above
    the target.
    """
    path = path.expanduser().absolute()
    return path.resolve() if ".." in path.parts else path


def utf8(text: str) -> str:
    """Return the argument ``text``; for the parameter ``type`` of argparse.

    Raises:
        argparse.ArgumentTypeError: it is not UTF-8.

    """
    import argparse  # noqa: PLC0415 -- the parser has loaded it

    for number, char in enumerate(text, 1):
        if "\ud800" <= char <= "\udfff":  # a surrogate
            # Python decodes a byte that is not UTF-8 to U+DC00 plus the byte (surrogateescape).
            shown = f"byte 0x{ord(char) - 0xDC00:02X}" if char >= "\udc80" else "a lone surrogate"
            raise argparse.ArgumentTypeError(
                f"character {number} is not UTF-8 ({shown}). Pass the text as UTF-8"
            )
    return text


def read_stdin() -> str:
    """Return the text of standard input.

    Raises:
        UsageError: it is not UTF-8.

    """
    try:
        return sys.stdin.read()
    except UnicodeDecodeError as error:
        lines_before = error.object[: error.start].decode("utf-8", "replace").split("\n")
        raise UsageError(
            f"standard input, line {len(lines_before)}, character {len(lines_before[-1]) + 1}: "
            f"byte 0x{error.object[error.start]:02X} is not UTF-8. Convert it, for example with "
            "iconv -f LATIN1 -t UTF-8"
        ) from error


class ItemLocation(NamedTuple):
    """A line of an item, from 0, in the file that the user named as ``name``."""

    name: str
    line: int


def item_location(text: str) -> ItemLocation:
    """Return the location in ``text``, such as ``agent.md:12`` with the line counted from 1.

    Raises:
        UsageError: it is not FILE:LINE.

    """
    name, _, number = text.rpartition(":")
    if not name or not number.isdecimal() or int(number) < 1:
        raise UsageError(f"{text}: expected FILE:LINE, such as agent.md:12")
    return ItemLocation(name, int(number) - 1)


def consent_question(plan: Plan) -> str:
    """Return the notes of ``plan``, then the question whether to create the folder it needs."""
    return ". ".join((*plan.notes, f"Create {plan.folder}?"))


def counted(number: int, noun: str) -> str:
    """Return ``number`` with ``noun`` in the singular or plural."""
    return f"{number:,} {noun}{'s' * (number != 1)}"


def complain(message: str) -> None:
    """Print ``message`` to standard error with the program's name."""
    print(f"agent-memory: {message}", file=sys.stderr)


def print_text(text: str, *, reveal: bool) -> None:
    """Write ``text`` to standard output, which masks its secrets unless ``reveal`` is true."""
    sys.stdout.write(Exact(text) if reveal else text)  # `Exact` is never masked


def print_json(value: Any, *, reveal: bool = False) -> None:
    """Print ``value`` as indented JSON without ASCII escapes; ``reveal`` shows its secrets."""
    text = json.dumps(value if reveal else shown_json(value), ensure_ascii=False, indent=2)
    # `Exact`, because the text is masked already, or its secrets are to be shown.
    sys.stdout.write(Exact(f"{text}\n"))
