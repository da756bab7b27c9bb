"""``agent-memory remember TEXT``: save a fact; exit 0, 1 (refused) or 2 (usage)."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from agent_memory.base.errors import UsageError
from agent_memory.cli import entry_options, options, remember_options
from agent_memory.cli.plan_text import result_text
from agent_memory.entries.validation import SecretError
from agent_memory.remember import planner
from agent_memory.remember.plan import Outcome, Plan
from agent_memory.remember.snippet import Snippet
from agent_memory.remember.targets import available_targets
from agent_memory.secrets import shown
from agent_memory.serialize import entry_json, plan_json, target_json

if TYPE_CHECKING:
    import argparse
    from pathlib import Path

    from agent_memory.config.context import Context
    from agent_memory.remember.entry_planner import EntryTarget


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    remember_options.configure(parser)


def run(args: argparse.Namespace) -> int:
    """Plan, ask if necessary, write, and print the result; return 0, or 1 if nothing is saved.

    ``--file ?`` only lists the files that can be named.

    Raises:
        UsageError: the text is missing or cannot be saved, an option is invalid, or consent is
            needed and nobody can be asked.

    """
    ctx = options.context(args)
    if args.file == "?":
        return _list(ctx, args)
    if args.text is None:
        raise UsageError("TEXT is missing; use - to read it from standard input")
    text = options.read_stdin() if args.text == "-" else args.text
    target = remember_options.target_of(args)
    if args.store is not None:
        ctx = ctx.with_(entries=entry_options.store_folder(args.store, must_exist=False))
    return entry_options.exit_code_of("remember", lambda: _remember(ctx, args, text, target))


_REDACT = "Use --redact to save it without the value"


def _remember(
    ctx: Context, args: argparse.Namespace, text: str, target: str | Path | EntryTarget
) -> int:
    """Plan, ask for consent in a terminal, write and print.

    Return 0 if the text is saved, or would be without ``--dry-run``; 1 if it is not: refused, a
    duplicate, declined by the user, or a dry run that would need consent.

    Raises:
        UsageError: consent is needed and nobody can be asked, or the text cannot be saved.

    """

    def planned(*, create: bool) -> Plan:
        """Return the plan; ``create`` is the consent to create a folder."""
        return planner.plan(
            ctx,
            Snippet(text, language=args.language),
            target,
            section=args.section,
            redact=args.redact,
            allow_duplicate=args.allow_duplicate,
            create=create,
            runtime_id=args.runtime,
        )

    try:
        plan = planned(create=args.yes)
    except SecretError as error:  # in the summary or a tag; one in the text is an outcome instead
        print(f"agent-memory remember: {error}. {_REDACT}", file=sys.stderr)
        return 1
    if plan.outcome is Outcome.CONSENT and not args.dry_run:
        if not _confirmed(args, options.consent_question(plan), "create it"):
            return 1
        plan = planned(create=True)
    if plan.outcome is Outcome.READY and not args.dry_run:
        must_ask = plan.evicts and not args.yes  # older items would be removed to make room
        if must_ask and not _confirmed(args, f"{plan.message}. Continue?", "agree"):
            return 1
        plan = planner.apply(plan)
    _print_result(ctx, args, plan)
    return 0 if plan.outcome is Outcome.READY else 1


def _confirmed(args: argparse.Namespace, question: str, action: str) -> bool:
    """Return whether the user agrees; ``action`` is the end of the advice "pass --yes to …".

    Raises:
        UsageError: the question cannot be asked, because this is not an interactive terminal.

    """
    if not _is_interactive(args):
        raise UsageError(f"{question} Nothing was written; pass --yes to {action}")
    # `input` writes past the stream that masks secrets, so `shown` masks them.
    if input(f"{shown(question)} [y/N] ").strip().lower() in ("y", "yes"):
        return True
    print("Nothing was written")
    return False


def _is_interactive(args: argparse.Namespace) -> bool:
    """Whether a person can answer a question, and standard input is not the text to save."""
    return args.text != "-" and sys.stdin.isatty() and sys.stdout.isatty()


def _list(ctx: Context, args: argparse.Namespace) -> int:
    """Print the files that can be named as ``--file``; return 0."""
    targets = available_targets(ctx, args.runtime)
    if args.format == "json":
        options.print_json({"targets": [target_json(target) for target in targets]})
        return 0
    for target in targets:
        source = target.source
        print(f"{source.path}\t{source.role}, {source.scope}, {target.choice.runtime.id}")
    return 0


def _print_result(ctx: Context, args: argparse.Namespace, plan: Plan) -> None:
    """Print what ``plan`` did or would do, or why the text is not saved.

    For an entry that was saved, the text is in drover's words, and the JSON is that of `entries`.
    """
    written = plan.outcome is Outcome.READY and not args.dry_run
    if args.format == "json":
        if plan.entry and written:
            options.print_json(entry_json(plan.entry))
            return
        answer = {**plan_json(plan), "path": str(plan.path), "written": written}
        if plan.outcome is Outcome.READY:
            answer["message"] = result_text(plan, ctx.cwd, written=written)
        options.print_json(answer)
    elif plan.outcome is Outcome.SECRET:
        print(f"agent-memory remember: {plan.message}. {_REDACT}", file=sys.stderr)
    elif plan.outcome is not Outcome.READY:
        print(f"agent-memory remember: {plan.message}", file=sys.stderr)
    elif plan.entry and written:
        entry = plan.entry
        print(f"saved {entry.scope}/{entry.kind} memory '{entry.id}'.\n{plan.path}")
    else:
        print(f"{result_text(plan, ctx.cwd, written=written)}\n{plan.item}")
