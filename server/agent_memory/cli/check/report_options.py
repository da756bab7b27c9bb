"""The options of ``check`` for the rules and for the report."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from agent_memory.base.errors import UsageError
from agent_memory.lint.rules import RULES, why_unknown
from agent_memory.report import FORMATS

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from agent_memory.config.context import Context


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    rules = parser.add_argument_group("which rules")
    rules.add_argument(
        "--select", action="append", metavar="CODE", help="only these rules (AM501, AM5, a name)"
    )
    rules.add_argument("--ignore", action="append", metavar="CODE", help="all rules but these")
    report = parser.add_argument_group("report")
    report.add_argument("--format", choices=FORMATS, default="text")
    report.add_argument("--output", type=Path, metavar="FILE", help="write the report to FILE")
    report.add_argument("-q", "--quiet", action="store_true", help="only findings, no summary")
    report.add_argument(
        "--statistics", action="store_true", help="only the number of findings of each rule"
    )
    report.add_argument(
        "--color", choices=("auto", "always", "never"), default="auto", help="default: auto"
    )


def with_rules(ctx: Context, args: argparse.Namespace) -> Context:
    """Return ``ctx`` with the rules of ``--select`` and ``--ignore``.

    A selected rule is on even if the settings or its default turn it off.

    Raises:
        UsageError: a name is not that of a rule.

    """
    if not args.select and not args.ignore:
        return ctx
    all_codes = {rule.code for rule in RULES}
    selected = _codes(args.select) if args.select else all_codes
    off = (all_codes - selected) | _codes(args.ignore or ())
    rules = dict(ctx.settings.rules)  # by code or name: a severity or "off"
    if args.select:
        rules = {key: value for key, value in rules.items() if value != "off"}
        for rule in RULES:
            # A rule that is off by default is turned on by a severity: that of the settings for its
            # code or name, else its own.
            if rule.code not in off and not rule.on:
                rules.setdefault(rule.code, rules.get(rule.name, str(rule.severity)))
    # By code, because the setting of a code wins over one of the rule's name.
    rules.update(dict.fromkeys(sorted(off), "off"))
    return ctx.with_(settings=replace(ctx.settings, rules=rules))


def _codes(names: Sequence[str]) -> set[str]:
    """Return the codes of the rules that ``names`` stand for.

    Each of ``names`` is a comma-separated list of rule names (`hidden-unicode`), codes (`AM107`)
    and beginnings of codes (`AM1`).

    Raises:
        UsageError: one of them stands for no rule.

    """
    out: set[str] = set()
    for name in (part.strip() for listed in names for part in listed.split(",")):
        codes = {rule.code for rule in RULES if name == rule.name or _begins(name, rule.code)}
        if not codes:
            raise UsageError(why_unknown(name))
        out |= codes
    return out


def _begins(name: str, code: str) -> bool:
    """Whether ``code`` begins with ``name``; ``AM`` alone names no rules."""
    return len(name) > len("AM") and code.startswith(name.upper())


def terminal(args: argparse.Namespace) -> tuple[bool, int]:
    """Return (whether to use colors, the number of columns); 120 columns if it is unknown.

    ``--color`` wins, then NO_COLOR, then FORCE_COLOR and CLICOLOR_FORCE (no-color.org,
    force-color.org, bixense.com/clicolors), then whether the report goes to a terminal.
    """
    isatty = sys.stdout.isatty() and not args.output
    try:
        columns = os.get_terminal_size(sys.stdout.fileno()).columns if isatty else 0
    except OSError:
        columns = 0
    return _color(args.color, isatty=isatty), columns or 120


def _color(choice: str, *, isatty: bool) -> bool:
    """Return whether to use colors; see :func:`terminal` for the order of precedence.

    ``choice`` is the value of ``--color``; ``isatty``: the report goes to a terminal.
    """
    if choice != "auto":
        return choice == "always"
    if os.environ.get("NO_COLOR"):
        return False
    forced = (os.environ.get("FORCE_COLOR", ""), os.environ.get("CLICOLOR_FORCE", ""))
    if any(value not in ("", "0", "false") for value in forced):
        return True
    return isatty and os.environ.get("TERM") != "dumb"
