"""``agent-memory mcp``: memory as tools of the Model Context Protocol, on standard streams."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from agent_memory.base.errors import UsageError
from agent_memory.cli import entry_options, options
from agent_memory.config.settings_merge import merge
from agent_memory.formats.json_parser import parse_json
from agent_memory.formats.limits import FormatError
from agent_memory.integrations import mcp_clients
from agent_memory.integrations.encodable import encodable
from agent_memory.integrations.tools.powers import POWERS
from agent_memory.lint.known_names import KNOWN_NAMES


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    options.add_project(parser)
    parser.add_argument("--store", type=Path, metavar="DIR", help="the folder of learned entries")
    parser.add_argument("--run", metavar="ID", help="the run's id, for entries of a run")
    parser.add_argument(
        "--allow",
        type=_powers,
        metavar="LIST",
        default=frozenset(),
        help=f"what agents may do beyond adding to memory of the project: {', '.join(POWERS)}",
    )
    parser.add_argument("--allow-forget", action="store_true", help="the same as --allow forget")
    parser.add_argument(
        "--config",
        choices=mcp_clients.CLIENTS,
        metavar="CLIENT",
        help="print the configuration for a client with the other options, and start nothing: "
        + ", ".join(mcp_clients.CLIENTS),
    )
    parser.add_argument(
        "--settings",
        type=_settings,
        metavar="JSON",
        default={},
        help="settings that override those of the project's files",
    )


def _powers(text: str) -> frozenset[str]:
    """Return the names in the comma-separated ``text``; for the parameter ``type`` of argparse.

    Raises:
        argparse.ArgumentTypeError: a name is unknown.

    """
    names = frozenset(name.strip() for name in text.split(",") if name.strip())
    unknown = ", ".join(sorted(names.difference(POWERS)))
    if unknown:
        raise argparse.ArgumentTypeError(f"unknown: {unknown}. Known: {', '.join(POWERS)}")
    return names


def _settings(text: str) -> dict[str, Any]:
    """Return the settings in ``text``, a JSON object; for the parameter ``type`` of argparse.

    Raises:
        argparse.ArgumentTypeError: it is not valid JSON, or another JSON value.

    """
    try:
        values = parse_json(text)
    except FormatError as error:
        raise argparse.ArgumentTypeError(f"not valid JSON: {error}") from error
    if not isinstance(values, dict):
        raise argparse.ArgumentTypeError("expected a JSON object")
    return values


def run(args: argparse.Namespace) -> int:
    """Serve until standard input ends, or print a configuration with ``--config``; return 0.

    Raises:
        UsageError: the package mcp is missing, or an option is invalid.

    """
    if args.config:
        return _print_configuration(args)
    try:
        from agent_memory.integrations import mcp_server  # noqa: PLC0415 -- an optional dependency
    except ImportError as error:
        raise UsageError(
            f"the package mcp is missing ({error}). Run: pip install 'agent-memory-ls[mcp]'"
        ) from error
    ctx = options.context(args)
    store = entry_options.store_folder(args.store, must_exist=False) if args.store else None
    settings, problems = merge(ctx.settings, args.settings, "--settings", KNOWN_NAMES)
    for problem in problems:
        options.complain(str(problem))
    ctx = ctx.with_(run=args.run, entries=store, settings=settings)
    mcp_server.server(ctx, args.runtime, _allowed(args)).run("stdio")
    return 0


def _print_configuration(args: argparse.Namespace) -> int:
    """Print the configuration with which the client ``--config`` starts this server.

    The configuration passes the other options to the server, with absolute paths, because a client
    can start the server in any folder. Advice for the user goes to standard error. Return 0.

    Raises:
        UsageError: a path is not UTF-8.

    """
    cwd = (args.cwd or Path.cwd()).expanduser().absolute()
    passed = {  # an option without a value is left out
        "--cwd": args.cwd and cwd,  # None: `mcp_clients` chooses the folder
        "--home": args.home and args.home.expanduser().absolute(),
        "--store": args.store and entry_options.store_folder(args.store, must_exist=False),
        "--runtime": args.runtime,
        "--agent": args.agent,
        "--run": args.run,
        "--allow": ",".join(name for name in POWERS if name in _allowed(args)),
        "--settings": json.dumps(args.settings) if args.settings else "",
    }
    server_args: list[str] = []
    for name, value in passed.items():
        if value:
            server_args += (name, str(value))
    text = mcp_clients.configuration(args.config, cwd, server_args)
    if encodable(text) != text:  # configuration files are UTF-8
        raise UsageError(
            "the configuration would contain a path that is not UTF-8. Rename the folder, or pass "
            "another --cwd, --home or --store"
        )
    sys.stdout.write(text)
    print(mcp_clients.advice(args.config, cwd, server_args), file=sys.stderr)
    return 0


def _allowed(args: argparse.Namespace) -> frozenset[str]:
    """Return the names of ``--allow`` and ``--allow-forget``."""
    return frozenset(args.allow | ({"forget"} if args.allow_forget else set()))
