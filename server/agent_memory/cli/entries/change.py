"""``agent-memory entries edit``, ``move``, ``prune``, ``restore`` and ``empty-trash``."""

from __future__ import annotations

import sys
import time
from dataclasses import replace
from typing import TYPE_CHECKING

from agent_memory import serialize
from agent_memory.base.errors import UsageError
from agent_memory.cli import entry_options, options
from agent_memory.cli.entries.show import found_entry
from agent_memory.entries.validation import Draft, check_owner
from agent_memory.recall.listing import listed

if TYPE_CHECKING:
    import argparse

    from agent_memory.entries.entry_file import Entry

_DAY_MS = 24 * 60 * 60 * 1000


def edit(args: argparse.Namespace) -> int:
    """Change the fields that are given; return the exit code, always 0.

    Raises:
        EntryError: the entry does not exist, mirrors an instruction file, or belongs to another
            agent or run.
        UsageError: no field is given, the new entry is not valid, or its file cannot be written.

    """
    if all(value is None for value in (args.summary, args.body, args.kind, args.tag)):
        raise UsageError("nothing to change: pass --summary, --body, --kind or --tag")
    ctx, store = entry_options.context_and_store(args)
    entry = found_entry(store, args.id, trash=False)
    # Here, because `put` would compare the owner with the agent and run of the draft, not with
    # those of the options. So `by_person` turns that check off.
    check_owner("overwrite", entry, ctx.agent, args.run)
    body = options.read_stdin() if args.body == "-" else args.body
    draft = _draft(entry)
    draft = replace(
        draft,
        summary=draft.summary if args.summary is None else args.summary,
        body=draft.body if body is None else body,
        kind=args.kind or draft.kind,
        # `--tag ''` removes all tags.
        tags=draft.tags if args.tag is None else tuple(filter(None, args.tag)),
    )
    return _print(args, store.put(draft, by_person=True), "changed")


def move(args: argparse.Namespace) -> int:
    """Give the entry to another scope, agent or run; return the exit code, always 0.

    Raises:
        EntryError: the entry does not exist, mirrors an instruction file, or belongs to another
            agent or run.
        UsageError: ``--to`` is not valid, or a file cannot be written.

    """
    ctx, store = entry_options.context_and_store(args)
    entry = found_entry(store, args.id, trash=False)
    check_owner("move", entry, ctx.agent, args.run)
    scope, _, name = args.to.partition(":")
    needs_name = scope != "global"
    has_name = name != ""
    if has_name != needs_name:
        raise UsageError(f"--to {args.to}: expected global, agent:NAME or run:ID")
    agent = run = None  # also for an unknown scope, which `put` refuses
    if scope == "agent":
        agent = name
    elif scope == "run":
        agent, run = entry.agent, name  # an entry of a run keeps its agent
    draft = replace(_draft(entry), scope=scope, agent=agent, run=run)
    # The owner was checked above; `put` would compare the old owner with the new one.
    return _print(args, store.put(draft, by_person=True), "moved")


def prune(args: argparse.Namespace) -> int:
    """Move the entries that the options select to the trash; return 1 if the user declines, else 0.

    With ``--dry-run`` they are only printed.

    Raises:
        UsageError: no age is given, consent is needed and nobody can be asked, or a file cannot be
            moved.

    """
    wanted = entry_options.list_filter(args)
    if wanted.older is None and wanted.unused is None:
        raise UsageError("pass --older DAYS or --unused DAYS: prune does not remove all entries")
    ctx, store = entry_options.context_and_store(args)
    selected = [item.entry for item in listed(store, ctx.env, wanted)]
    count = "1 entry" if len(selected) == 1 else f"{len(selected):,} entries"
    removes = bool(selected) and not args.dry_run
    if removes and not _confirmed(args, f"Move {count} to the trash?"):
        return 1
    if removes:
        store.discard(selected)
    if args.format == "json":
        rows = [serialize.entry_json(entry) for entry in selected]
        options.print_json({"entries": rows, "written": removes})
        return 0
    for entry in selected:
        print(f"{entry.id}  {entry.summary}")
    # "0 entries moved" is also true of a dry run.
    is_only_shown = bool(selected) and args.dry_run
    print(f"{count} {'would be moved' if is_only_shown else 'moved'} to the trash")
    return 0


def restore(args: argparse.Namespace) -> int:
    """Move the entry out of the trash and print it; return the exit code, always 0.

    Raises:
        EntryError: it is not in the trash, or contains a secret.
        UsageError: an entry with this ID exists, or the file cannot be written.

    """
    _, store = entry_options.context_and_store(args)
    return _print(args, store.trash().restore(args.id), "restored")


def empty_trash(args: argparse.Namespace) -> int:
    """Remove the entries in the trash for good; return 1 if the user declines, else 0.

    With ``--older DAYS``, those that were moved there later stay. With ``--dry-run``, all stay.

    Raises:
        UsageError: consent is needed and nobody can be asked, or a file cannot be removed.

    """
    _, store = entry_options.context_and_store(args)
    before = None  # milliseconds since the epoch; None selects all
    if args.older is not None:
        before = int(time.time() * 1000 - args.older * _DAY_MS)
    selected = [item for item in store.trash().entries() if before is None or item.at < before]
    count = "1 entry" if len(selected) == 1 else f"{len(selected):,} entries"
    removes = bool(selected) and not args.dry_run
    if removes and not _confirmed(args, f"Remove {count} for good?"):
        return 1
    if removes:
        store.trash().empty(before)
    if args.format == "json":
        options.print_json({"count": len(selected), "written": removes})
    else:
        # "0 entries removed" is also true of a dry run.
        is_only_shown = bool(selected) and args.dry_run
        print(f"{count} {'would be removed' if is_only_shown else 'removed'}")
    return 0


def _draft(entry: Entry) -> Draft:
    """Return a draft with the fields and the ID of ``entry``: saving it only sets the time.

    A global entry belongs to no agent, and only the scope ``run`` has a run. If a file that was
    written by hand names them, they are left out, because the store refuses an invalid name.
    """
    return Draft(
        entry.scope,
        entry.kind,
        entry.summary,
        entry.body,
        agent=entry.agent if entry.scope != "global" else None,
        run=entry.run if entry.scope == "run" else None,
        tags=entry.tags,
        id=entry.id,
    )


def _print(args: argparse.Namespace, entry: Entry, done: str) -> int:
    """Print ``entry``, after the word ``done`` ("moved"); return the exit code, always 0."""
    if args.format == "json":
        options.print_json(serialize.entry_json(entry))
    else:
        print(f"{done} {entry.scope}/{entry.kind} memory '{entry.id}'.\n{entry.path}")
    return 0


def _confirmed(args: argparse.Namespace, question: str) -> bool:
    """Return whether the user agrees: by ``--yes``, or by an answer to ``question``.

    Raises:
        UsageError: the question cannot be asked, because this is not an interactive terminal.

    """
    if args.yes:
        return True
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise UsageError(f"{question} Nothing was changed; pass --yes to do it")
    if input(f"{question} [y/N] ").strip().lower() in ("y", "yes"):
        return True
    print("Nothing was changed")
    return False
