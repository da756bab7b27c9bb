"""``agent-memory remember TEXT``: file a fact into memory; exit 0, 1 (refused) or 2 (usage)."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from agent_memory import remember
from agent_memory.cli import common, entries
from agent_memory.context import UsageError
from agent_memory.entryfile import KINDS
from agent_memory.remember import Outcome, Plan
from agent_memory.snippets import Snippet

if TYPE_CHECKING:
    import argparse

    from agent_memory.context import Context


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("text", metavar="TEXT", help="what to remember; - reads standard input")
    parser.add_argument(
        "--scope",
        help="user or project (default: project); with --store global, agent or run",
    )
    parser.add_argument("--section", metavar="NAME", help="the heading to file it under")
    parser.add_argument("--language", metavar="ID", default="", help="python, ts …: TEXT is code")
    parser.add_argument("--yes", action="store_true", help="make the project's memory folder")
    parser.add_argument("--redact", action="store_true", help="file it with secrets replaced")
    parser.add_argument("--anyway", action="store_true", help="file it although it is there")
    parser.add_argument("--dry-run", action="store_true", help="say what would be done")
    entries.add_store(parser, required=False)
    parser.add_argument("--kind", choices=KINDS, default="project", help="with --store")
    parser.add_argument("--summary", metavar="S", help="with --store; default: the first line")
    parser.add_argument("--tag", action="append", default=[], metavar="TAG", help="with --store")
    parser.add_argument("--id", metavar="ULID", help="with --store: the entry to take the place of")
    common.add_place(parser)
    common.add_format(parser)


def run(args: argparse.Namespace) -> int:
    """Plan, ask where that is needed, write, and say what was done."""
    text = sys.stdin.read() if args.text == "-" else args.text
    if args.store is not None:
        args.scope = args.scope or "global"
        return entries.remember(args, text)
    args.scope = args.scope or "project"
    ctx = common.context(args)
    plan = _plan(ctx, args, text, create=args.yes)
    if plan.outcome is Outcome.CONSENT:
        if not _may_ask(args):
            raise UsageError(f"{plan.message} Nothing was written; --yes says so")
        if input(f"{plan.message} [y/N] ").strip().lower() not in ("y", "yes"):
            print("Nothing was written")
            return 1
        plan = _plan(ctx, args, text, create=True)
    if plan.outcome is Outcome.READY and not args.dry_run:
        plan = remember.apply(plan)
    _report(args, plan)
    return 0 if plan.outcome is Outcome.READY else 1


def _plan(ctx: Context, args: argparse.Namespace, text: str, *, create: bool) -> Plan:
    return remember.plan(
        ctx,
        Snippet(text, language=args.language),
        args.scope,
        section=args.section,
        redact=args.redact,
        anyway=args.anyway,
        create=create,
        runtime_id=args.runtime,
    )


def _may_ask(args: argparse.Namespace) -> bool:
    return args.text != "-" and sys.stdin.isatty() and sys.stdout.isatty()


def _report(args: argparse.Namespace, plan: Plan) -> None:
    written = plan.outcome is Outcome.READY and not args.dry_run
    if args.format == "json":
        common.print_json(
            {
                "outcome": str(plan.outcome),
                "message": plan.message,
                "path": str(plan.path),
                "line": plan.line,
                "section": plan.section,
                "sections": [{"title": title, "suggested": best} for title, best in plan.sections],
                "secrets": [
                    {"kind": secret.kind, "redacted": secret.redacted} for secret in plan.secrets
                ],
                "item": plan.item,
                "written": written,
            }
        )
    elif plan.outcome is Outcome.READY:
        print(f"{plan.path}:{plan.line + 1}: {plan.message}\n{plan.item}")
    else:
        print(f"agent-memory remember: {plan.message}", file=sys.stderr)
