"""``agent-memory rules [CODE]``: all rules, or the page of one."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from agent_memory.base.errors import UsageError
from agent_memory.cli import options
from agent_memory.lint.pages import href, page
from agent_memory.lint.rules import BY_KEY, RULES, why_unknown

if TYPE_CHECKING:
    import argparse

    from agent_memory.lint.rule import Rule


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("rule", nargs="?", metavar="CODE", help="a code or name: print its page")
    options.add_format(parser)


def run(args: argparse.Namespace) -> int:
    """List the rules, or print the page of one; return 0.

    JSON has the same fields for all rules and for one, and no page.

    Raises:
        UsageError: the rule is unknown.

    """
    chosen = [_rule(args.rule)] if args.rule else list(RULES)
    if args.format == "json":
        options.print_json([as_json(rule) for rule in chosen])
        return 0
    if args.rule:
        return explain(args.rule)
    width = max(len(rule.name) for rule in chosen)
    for rule in chosen:
        severity = str(rule.severity) if rule.on else "off"
        print(f"{rule.code}  {rule.name:<{width}}  {severity:<7}  {rule.summary}")
    return 0


def explain(key: str) -> int:
    """Print the page of the rule ``key``, a code or name; return 0.

    Raises:
        UsageError: the rule is unknown; the message suggests a similar one or the list.

    """
    rule = _rule(key)
    # For an installation without the pages.
    summary = f"# {rule.code} {rule.name}\n\n{rule.summary}.\n\n{href(rule.code)}\n"
    sys.stdout.write(page(rule.code) or summary)
    return 0


def as_json(rule: Rule) -> dict[str, Any]:
    """Return ``rule`` as JSON; ``default``: the rule is on unless the settings turn it off."""
    return {
        "code": rule.code,
        "name": rule.name,
        "severity": str(rule.severity),
        "summary": rule.summary,
        "default": rule.on,
        "roles": sorted(str(role) for role in rule.roles),
        "since": rule.since,
        "href": href(rule.code),
    }


def _rule(key: str) -> Rule:
    """Return the rule with the code or name ``key``, in upper or lower case.

    Raises:
        UsageError: the rule is unknown; the message suggests a similar one or the list.

    """
    rule = BY_KEY.get(key) or BY_KEY.get(key.upper()) or BY_KEY.get(key.lower())
    if rule is None:
        raise UsageError(why_unknown(key))
    return rule
