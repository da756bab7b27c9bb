"""The command line: one module per command, imported when the command runs."""

from __future__ import annotations

import contextlib
import io
import os
import sys

from agent_memory.base.version import __version__

# Not from typing, whose import would delay the answer to an editor (lsp/boot.py).
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import TextIO

COMMANDS: dict[str, str] = {
    "serve": "start the language server (editors start this for you)",
    "check": "check memory files for problems",
    "rules": "list the rules, or explain one",
    "prompt": "print the part of the system prompt that contains memory",
    "sources": "list every file a runtime reads, could read or ignores",
    "explain": "show what each agent does with a file or line, and why",
    "verify": "start the installed agent once, and compare what it sends with the preview",
    "loaded": "show what the last run of Claude Code really loaded",
    "skills": "list the skills a runtime loads, and why others are not loaded",
    "remember": "save a fact to memory, without duplicates",
    "recall": "search learned entries",
    "init": "create a memory file with headings to fill in",
    "move": "move an item between user and project memory",
    "split": "move a section into a note and link to it",
    "migrate": "rename all agent.md files to AGENTS.md, or back",
    "learn": "manage the memory files of Claude MPM agents",
    "mcp": "serve memory to agents as MCP tools",
    "entries": "list, show, change, promote and remove learned entries",
    "forget": "move a learned entry to the trash",
    "completion": "print a script that completes commands in bash, zsh or fish",
}


def main(argv: list[str] | None = None) -> int:
    """Run the command line; return the exit code: 0, 1 (findings, refused) or 2 (usage, error).

    130 if the user interrupts a command. ``serve`` ends the process itself, except in a terminal.
    ``argv`` are the arguments without the program's name, None for those of the process.

    Raises:
        SystemExit: by argparse: 0 after ``--help`` of a command, 2 for invalid arguments.

    """
    args = sys.argv[1:] if argv is None else argv
    _use_utf8()
    if not args or args[0] in ("-h", "--help", "help"):
        print(_overview())
        return 0 if args else 2  # no command is a mistake, not a request for help
    if args[0] in ("-V", "--version"):
        print(f"agent-memory {__version__}")
        return 0
    if args[0] not in COMMANDS:
        with _masked_output(args):
            print(f"agent-memory: {_unknown_command(args[0])}", file=sys.stderr)
        return 2
    if args[0] == "serve" and args[1:] in ([], ["--stdio"]):
        # The fast path for editors: no argparse, and the server masks its own output.
        from agent_memory.cli import serve  # noqa: PLC0415

        return serve.start()
    with _masked_output(args):
        return _run(args[0], args[1:])


@contextlib.contextmanager
def _masked_output(args: Sequence[str]) -> Iterator[None]:
    """Mask secrets in all output inside ``with``, and each repetition of a secret in ``args``.

    A terminal gets control characters as escapes.
    """
    from typing import cast  # noqa: PLC0415 -- not before the fast path

    from agent_memory import secrets  # noqa: PLC0415

    for text in args:
        secrets.shown(text)  # remembers its secrets: pieces of them are masked in later output
    streams = sys.stdout, sys.stderr
    safe = [_for_terminal(stream) if stream.isatty() else stream for stream in streams]
    sys.stdout, sys.stderr = (cast("TextIO", secrets.MaskedStream(stream)) for stream in safe)
    try:
        yield
    except Exception:
        # The traceback is printed after the streams are restored, so the hook must mask it.
        sys.excepthook = secrets.print_exception
        raise
    finally:
        sys.stdout, sys.stderr = streams


def _for_terminal(stream: TextIO) -> TextIO:
    """Return a stream that writes control characters to the terminal ``stream`` as escapes."""
    from typing import cast  # noqa: PLC0415 -- only in a terminal

    from agent_memory.report.terminal import TerminalStream  # noqa: PLC0415 -- as above

    return cast("TextIO", TerminalStream(stream))


def _use_utf8() -> None:
    """Use UTF-8 for files and pipes, independent of the locale; a terminal keeps its encoding.

    Characters that the output cannot encode are written as escapes.
    """
    if isinstance(sys.stdin, io.TextIOWrapper) and not sys.stdin.isatty():
        sys.stdin.reconfigure(encoding="utf-8", errors="strict")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            encoding = None if stream.isatty() else "utf-8"  # None: unchanged
            stream.reconfigure(encoding=encoding, errors="backslashreplace")


def _run(name: str, args: list[str]) -> int:
    """Run the command ``name``; return the exit code: its own, or 2 for an error.

    Errors become messages on standard error. The exit code is 130 if the user interrupts, as in a
    shell, and 0 if the reader of the output closes the pipe.

    Raises:
        SystemExit: by argparse: 0 after ``--help``, 2 for invalid arguments.

    """
    import argparse  # noqa: PLC0415 -- 10 ms that an editor would wait for
    import importlib  # noqa: PLC0415

    from agent_memory.base.errors import UsageError  # noqa: PLC0415

    command = importlib.import_module(f"agent_memory.cli.{name}")
    parser = argparse.ArgumentParser(f"agent-memory {name}", description=COMMANDS[name])
    command.configure(parser)
    try:
        options = parser.parse_args(args)
        code = int(command.run(options))
        is_text = getattr(options, "format", "text") == "text"  # not every command has --format
        if is_text and getattr(options, "dry_run", False):
            print("Dry run: nothing was written")
    except UsageError as error:
        print(f"agent-memory {name}: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:  # the reader closed the pipe, for example `head`
        # The rest of the buffer is discarded, because the flush at the exit would fail.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return 130
    except Exception as error:  # noqa: BLE001 -- a traceback may quote memory
        from agent_memory.base.failures import log_failure  # noqa: PLC0415

        if isinstance(error, OSError) and error.filename:  # the machine failed, not the program
            message = f"cannot use {os.fsdecode(error.filename)}: {error.strerror}"
        else:
            kind = log_failure(error, name)
            message = f"internal error ({kind}). Please report it with the lines above"
        print(f"agent-memory {name}: {message}", file=sys.stderr)
        return 2
    return code


def _unknown_command(name: str) -> str:
    """Return the message about the unknown command ``name``, with a similar one or all commands."""
    import difflib  # noqa: PLC0415 -- only for a mistake

    similar = difflib.get_close_matches(name, COMMANDS, n=1)
    advice = f". Did you mean '{similar[0]}'?" if similar else f"\n\n{_overview()}"
    return f"unknown command '{name}'{advice}"


def _overview() -> str:
    """Return what `--help` prints: the usage and the list of commands."""
    width = max(map(len, COMMANDS))
    lines = [f"  {name:<{width}}  {about}" for name, about in COMMANDS.items()]
    return "\n".join(
        [
            "usage: agent-memory COMMAND [options]",
            "",
            "See, check and safely write what an AI agent remembers.",
            "",
            *lines,
            "",
            "Run `agent-memory COMMAND --help` for details.",
        ]
    )
