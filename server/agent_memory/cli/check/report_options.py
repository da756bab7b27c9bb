"""The options of ``check`` for the rules and for the report."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from agent_memory.base.errors import UsageError
from agent_memory.lint.rules import RULES, why_unknown
from agent_memory.report import FORMATS

if TYPE_CHECKING:
    import argparse
    from collections.abc import Collection, Mapping, Sequence

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
    rules = ctx.settings.rules  # by code or name: a severity or "off"
    if args.select:
        rules = _turned_on(rules, all_codes - off)
    # By code, because the setting of a code wins over one of the rule's name.
    rules = {**rules, **dict.fromkeys(sorted(off), "off")}
    return ctx.with_(settings=replace(ctx.settings, rules=rules))


def _turned_on(rules: Mapping[str, str], codes: Collection[str]) -> dict[str, str]:
    """Return the setting ``rules`` without "off", extended so that the rules ``codes`` are on.

    A rule that is off by default is turned on by a severity: that of the setting for its code or
    name, else its own.
    """
    severities = {key: value for key, value in rules.items() if value != "off"}
    for rule in RULES:
        if rule.code in codes and not rule.on:
            own_severity = str(rule.severity)
            severities.setdefault(rule.code, severities.get(rule.name, own_severity))
    return severities


def _codes(names: Sequence[str]) -> set[str]:
    """Return the codes of the rules that ``names`` stand for.

    Each of ``names`` is a comma-separated list of rule names (`hidden-unicode`), codes (`AM107`)
    and beginnings of codes (`AM1`).

    Raises:
        UsageError: one of them stands for no rule.

    """
    out: set[str] = set()
    for name in (part.strip() for listed in names for part in listed.split(",")):
        codes = {rule.code for rule in RULES if name == rule.name or _is_start_of(name, rule.code)}
        if not codes:
            raise UsageError(why_unknown(name))
        out |= codes
    return out


def _is_start_of(name: str, code: str) -> bool:
    """Whether ``code`` begins with ``name`` in any case, such as ``am1``; ``AM`` is too short."""
    return len(name) > len("AM") and code.startswith(name.upper())


class Display(NamedTuple):
    """How a report is displayed: whether in color, and on how many columns."""

    color: bool
    columns: int


def display(args: argparse.Namespace) -> Display:
    """Return how the report is displayed: on 120 columns if the width of a terminal is unknown.

    For colors, ``--color`` wins, then NO_COLOR, then FORCE_COLOR and CLICOLOR_FORCE (no-color.org,
    force-color.org, bixense.com/clicolors), then whether the report goes to a terminal.
    """
    isatty = sys.stdout.isatty() and not args.output
    try:
        columns = os.get_terminal_size(sys.stdout.fileno()).columns if isatty else 0
    except OSError:
        columns = 0
    return Display(_color(args.color, isatty=isatty), columns or 120)


def _color(choice: str, *, isatty: bool) -> bool:
    """Return whether to use colors; see :func:`display` for the order of precedence.

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
