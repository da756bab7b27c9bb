"""The command line: one file a command, imported only when it is called."""

from __future__ import annotations

import gc
import io
import os
import sys

from agent_memory.base.version import __version__

COMMANDS: dict[str, str] = {
    "serve": "start the language server (an editor does)",
    "check": "find what is wrong with memory files",
    "rules": "list the rules of check, or explain one",
    "prompt": "print the system-prompt block an agent receives",
    "sources": "list every file a runtime reads, could read or ignores",
    "skills": "list the skills a runtime finds, and why others are not loaded",
    "remember": "file a fact into memory, tidily and once",
    "recall": "search learned entries",
    "init": "make a memory file with headings to fill",
    "move": "move an item between user and project memory",
    "split": "move a section into a note that the file links to",
    "migrate": "rename agent.md to AGENTS.md, or back, everywhere",
    "learn": "keep what Claude MPM agents learn, within its limits",
    "mcp": "offer memory to agents as MCP tools",
    "forget": "remove a learned entry",
}


def main(argv: list[str] | None = None) -> int:
    """Run the command line; return the exit code: 0, 1 (findings, refused) or 2 (usage)."""
    args = sys.argv[1:] if argv is None else argv
    _speak_utf8()
    if not args or args[0] in ("-h", "--help", "help"):
        print(_overview())
        return 0 if args else 2
    if args[0] in ("-V", "--version"):
        print(f"agent-memory {__version__}")
        return 0
    if args[0] not in COMMANDS:
        print(f"agent-memory: unknown command '{args[0]}'\n\n{_overview()}", file=sys.stderr)
        return 2
    if args[0] == "serve" and args[1:] in ([], ["--stdio"]):  # an editor is waiting
        from agent_memory.cli import serve  # noqa: PLC0415

        return serve.start()
    return _run(args[0], args[1:])


def _speak_utf8() -> None:
    """Never fail on a character: files and pipes get UTF-8, a terminal what it can show.

    What is piped in is UTF-8 too, whatever the locale says.
    """
    if isinstance(sys.stdin, io.TextIOWrapper) and not sys.stdin.isatty():
        sys.stdin.reconfigure(encoding="utf-8", errors="strict")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            encoding = None if stream.isatty() else "utf-8"
            stream.reconfigure(encoding=encoding, errors="backslashreplace")


def _run(name: str, args: list[str]) -> int:
    gc.set_threshold(100_000)  # a short run: collecting is a fifth of its start-up
    import argparse  # noqa: PLC0415 -- 10 ms that an editor would wait for
    import importlib  # noqa: PLC0415

    from agent_memory.base.errors import UsageError  # noqa: PLC0415

    command = importlib.import_module(f"agent_memory.cli.{name}")
    parser = argparse.ArgumentParser(f"agent-memory {name}", description=COMMANDS[name])
    command.configure(parser)
    try:
        return int(command.run(parser.parse_args(args)))
    except UsageError as error:
        print(f"agent-memory {name}: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:  # the reader of our output has gone, as `head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return 130


def _overview() -> str:
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
            "agent-memory COMMAND --help tells more.",
        ]
    )
