"""``agent-memory remember TEXT``: file a fact into memory; exit 0, 1 (refused) or 2 (usage)."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from agent_memory.base.errors import UsageError
from agent_memory.cli import entry_options, options
from agent_memory.entries.entry_file import KINDS, SCOPES
from agent_memory.remember import planner
from agent_memory.remember.entry_planner import EntryTarget
from agent_memory.remember.plan import Outcome, Plan
from agent_memory.remember.snippet import Snippet
from agent_memory.remember.targets import nameable
from agent_memory.serialize import entry_json, plan_json, target_json

if TYPE_CHECKING:
    import argparse

    from agent_memory.config.context import Context


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "text",
        metavar="TEXT",
        nargs="?",
        type=options.utf8,
        help="what to remember; - reads standard input",
    )
    parser.add_argument(
        "--scope",
        help="user or project (default: project); global, agent or run: a learned entry",
    )
    parser.add_argument(
        "--file", metavar="PATH", help="a memory file to file it into in place of a scope; ? lists"
    )
    parser.add_argument(
        "--section",
        type=options.utf8,
        metavar="NAME",
        help="the heading, or for Claude MPM a type of learning",
    )
    parser.add_argument("--language", metavar="ID", default="", help="python, ts …: TEXT is code")
    parser.add_argument(
        "--yes", action="store_true", help="make the project's folder, let old items make place"
    )
    parser.add_argument("--redact", action="store_true", help="file it with secrets replaced")
    parser.add_argument("--anyway", action="store_true", help="file it although it is there")
    parser.add_argument("--dry-run", action="store_true", help="say what would be done")
    entry_options.add_store(parser, required=False)
    parser.add_argument("--kind", choices=KINDS, default="project", help="of an entry")
    parser.add_argument(
        "--summary", type=options.utf8, metavar="S", help="of an entry; default: its first line"
    )
    parser.add_argument(
        "--tag",
        action="append",
        default=[],
        type=options.utf8,
        metavar="TAG",
        help="of an entry",
    )
    parser.add_argument("--id", metavar="ULID", help="the entry to take the place of")
    options.add_place(parser)
    options.add_format(parser)


def run(args: argparse.Namespace) -> int:
    """Plan, ask where that is needed, write, and say what was done."""
    ctx = options.context(args)
    if args.file == "?":
        return _list(ctx, args)
    if args.text is None:
        raise UsageError("TEXT is missing: what is to be remembered? - reads standard input")
    text = options.read_stdin() if args.text == "-" else args.text
    target = _target(args)
    if args.store is not None:
        ctx = ctx.with_(entries=entry_options.folder(args.store, must_exist=False))
    return entry_options.refusable("remember", lambda: _remember(ctx, args, text, target))


def _target(args: argparse.Namespace) -> str | Path | EntryTarget:
    """Return what the options name.

    Raises:
        UsageError: they name two things.

    """
    given = [name for name in ("scope", "file", "store") if getattr(args, name) is not None]
    if "file" in given and len(given) > 1:
        raise UsageError(f"give one of --file and --{given[0] if given[0] != 'file' else given[1]}")
    if args.file is not None:
        return Path(args.file)
    if args.store is None and args.scope not in SCOPES:
        return _memory_scope(args.scope)
    scope = args.scope or "global"
    return EntryTarget(
        scope, args.kind, args.summary, tuple(args.tag), args.agent, args.run, args.id
    )


def _memory_scope(scope: str | None) -> str:
    if scope in (None, *planner.SCOPES):
        return scope or "project"
    raise UsageError(
        f"'{scope}' is no scope: user and project are memory files, {', '.join(SCOPES)} are "
        "learned entries"
    )


def _remember(
    ctx: Context, args: argparse.Namespace, text: str, target: str | Path | EntryTarget
) -> int:
    def planned(*, create: bool) -> Plan:
        return planner.plan(
            ctx,
            Snippet(text, language=args.language),
            target,
            section=args.section,
            redact=args.redact,
            anyway=args.anyway,
            create=create,
            runtime_id=args.runtime,
        )

    plan = planned(create=args.yes)
    if plan.outcome is Outcome.CONSENT and not args.dry_run:
        if not _agreed(args, plan.message):
            return 1
        plan = planned(create=True)
    if plan.outcome is Outcome.READY and not args.dry_run:
        if plan.evicts and not args.yes and not _agreed(args, f"{plan.message}. Go on?"):
            return 1
        plan = planner.apply(plan)
    _report(args, plan)
    return 0 if plan.outcome is Outcome.READY else 1


def _agreed(args: argparse.Namespace, question: str) -> bool:
    """Return whether the user agrees.

    Raises:
        UsageError: nobody can be asked.

    """
    if not _may_ask(args):
        raise UsageError(f"{question} Nothing was written; --yes says so")
    if input(f"{question} [y/N] ").strip().lower() in ("y", "yes"):
        return True
    print("Nothing was written")
    return False


def _list(ctx: Context, args: argparse.Namespace) -> int:
    """Print the files that can be named."""
    found = nameable(ctx, args.runtime)
    if args.format == "json":
        options.print_json({"targets": [target_json(target) for target in found]})
        return 0
    for target in found:
        source = target.source
        print(f"{source.path}\t{source.role}, {source.scope}, {target.choice.runtime.id}")
    return 0


def _may_ask(args: argparse.Namespace) -> bool:
    return args.text != "-" and sys.stdin.isatty() and sys.stdout.isatty()


def _report(args: argparse.Namespace, plan: Plan) -> None:
    written = plan.outcome is Outcome.READY and not args.dry_run
    if args.format == "json":
        if plan.entry and written:
            options.print_json(entry_json(plan.entry))
            return
        options.print_json({**plan_json(plan), "path": str(plan.path), "written": written})
    elif plan.outcome is not Outcome.READY:
        print(f"agent-memory remember: {plan.message}", file=sys.stderr)
    elif plan.entry and written:
        entry = plan.entry
        print(f"saved {entry.scope}/{entry.kind} memory '{entry.id}'.\n{plan.path}")
    else:
        print(f"{plan.path}:{plan.line + 1}: {plan.message}\n{plan.item}")
