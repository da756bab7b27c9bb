"""The options of ``agent-memory check``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from agent_memory.base.errors import UsageError
from agent_memory.cli import options
from agent_memory.cli.check import report_options
from agent_memory.lint import baseline

if TYPE_CHECKING:
    import argparse

EPILOG = """exit codes: 0 no findings at or above --fail-on, 1 findings (with --diff: something
would change), 2 invalid options or project settings"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare all options of ``check``."""
    parser.epilog = EPILOG
    parser.add_argument(
        "paths",
        nargs="*",
        type=Path,
        metavar="PATH",
        help="files or folders (default: every file the runtime reads or ignores here); "
        "- is standard input as AGENTS.md",
    )
    options.add_project(parser)
    levels = ("error", "warning", "info", "never")
    parser.add_argument("--fail-on", choices=levels, default="warning", help="default: warning")
    parser.add_argument(
        "--fail-on-empty", action="store_true", help="exit with 1 if there is no file to check"
    )
    report_options.configure(parser)
    _add_file_selection(parser)
    _add_actions(parser)
    _add_baseline(parser)


def _add_file_selection(parser: argparse.ArgumentParser) -> None:
    """Declare the options that select or list the files."""
    which = parser.add_argument_group("which files")
    which.add_argument(
        "--changed-since", metavar="REV", help="only files that differ from this git revision"
    )
    which.add_argument(
        "--stdin-filename",
        type=Path,
        metavar="PATH",
        help="check standard input as PATH",
    )
    which.add_argument(
        "--list-files", action="store_true", help="print the files to check, check nothing"
    )


def _add_actions(parser: argparse.ArgumentParser) -> None:
    """Declare the options for fixes and explanations."""
    actions = parser.add_argument_group("actions")
    actions.add_argument("--fix", action="store_true", help="apply the safe fixes, then check")
    actions.add_argument("--unsafe", action="store_true", help="with --fix, --diff: all fixes")
    actions.add_argument("--diff", action="store_true", help="show what --fix would change")
    actions.add_argument("--explain", metavar="CODE", help="print the page of a rule")


def _add_baseline(parser: argparse.ArgumentParser) -> None:
    """Declare the options of the baseline, the file of accepted findings."""
    accepted = parser.add_argument_group("accepted findings")
    accepted.add_argument(
        "--write-baseline", action="store_true", help="accept all findings, drop stale entries"
    )
    accepted.add_argument(
        "--baseline", type=Path, metavar="FILE", help=f"default: {baseline.FILE} of the project"
    )
    accepted.add_argument(
        "--no-baseline", action="store_true", help="also report accepted findings"
    )


def check_combination(args: argparse.Namespace) -> None:
    """Raise ``UsageError`` for options that exclude or require each other."""
    if args.stdin_filename and (args.paths or args.fix or args.diff or args.write_baseline):
        raise UsageError(
            "--stdin-filename checks only standard input: omit PATH, --fix, --diff and "
            "--write-baseline"
        )
    if args.unsafe and not (args.fix or args.diff):
        raise UsageError("--unsafe requires --fix or --diff")
    if args.baseline and args.no_baseline:
        raise UsageError("--baseline and --no-baseline exclude each other")
    if args.write_baseline and (args.no_baseline or args.select or args.ignore):
        raise UsageError("--write-baseline accepts all findings: omit --no-baseline and CODE")
    if args.statistics and args.format != "text":
        raise UsageError("--statistics requires --format text")
