"""``agent-memory check [PATH...]``: exit 0, 1 (findings at or above --fail-on) or 2."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from agent_memory import wire
from agent_memory.check import Report, check
from agent_memory.cli import common
from agent_memory.cli.frame import frame
from agent_memory.model import Severity

if TYPE_CHECKING:
    import argparse

    from agent_memory.context import Context


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("paths", nargs="*", type=Path, metavar="PATH")
    common.add_place(parser)
    common.add_format(parser)
    parser.add_argument(
        "--fail-on", choices=("error", "warning", "info", "never"), default="warning"
    )


def run(args: argparse.Namespace) -> int:
    """Check and print; return the exit code."""
    ctx = common.context(args)
    paths = [(ctx.cwd / path).absolute() for path in args.paths] or None
    report = check(ctx, paths, args.runtime)
    if args.format == "json":
        common.print_json(as_json(ctx, report))
    else:
        print_text(ctx, report)
    if args.fail_on == "never":
        return 0
    limit = Severity(args.fail_on).rank
    return int(any(finding.severity.rank >= limit for finding in report.findings))


def as_json(ctx: Context, report: Report) -> dict[str, object]:
    """Return the report in the shape of the documentation (docs/protocol.md)."""
    return {
        "version": 1,
        "files": len(report.files),
        "findings": [
            wire.finding_json(finding, lambda path: ctx.store.read(path).lines)
            for finding in report.findings
        ],
    }


def print_text(ctx: Context, report: Report) -> None:
    """Print each finding with the line it stands on, then a summary."""
    for finding in report.findings:
        print("\n".join(frame(ctx, finding)) + "\n")
    counts = [
        f"{sum(item.severity is severity for item in report.findings)} {severity}"
        for severity in Severity
    ]
    print(f"{len(report.files)} files checked: {', '.join(counts)}")
