"""``agent-memory entries list`` and ``show``."""

from __future__ import annotations

import time
from collections import Counter
from typing import TYPE_CHECKING

from agent_memory import serialize
from agent_memory.base.errors import UsageError
from agent_memory.cli import entry_options, options
from agent_memory.entries.entry_file import SCOPES
from agent_memory.entries.validation import EntryError
from agent_memory.recall.listing import ListedEntry, listed

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from agent_memory.entries.entry_file import Entry
    from agent_memory.entries.markdown_store import MarkdownEntries
    from agent_memory.recall.listing import EntryFilter


def list_entries(args: argparse.Namespace) -> int:
    """Print the entries that the options select, and how many there are of each scope.

    Return the exit code, always 0. At most ``--limit`` entries are printed (0: all); the selected
    entries beyond it are counted too.

    Raises:
        UsageError: an option is not valid, or ``--unused`` is combined with ``--trash``.

    """
    if args.limit < 0:
        raise UsageError(f"--limit {args.limit}: must not be negative")
    ctx, store = entry_options.context_and_store(args)
    wanted = entry_options.list_filter(args)
    if args.trash and args.unused is not None:
        raise UsageError("--unused: the last use of entries in the trash is unknown; use --older")
    selected = _in_trash(store, wanted) if args.trash else listed(store, ctx.env, wanted)
    shown = selected[: args.limit] if args.limit else selected
    if args.format == "json":
        rows = [serialize.listed_json(item) for item in shown]
        options.print_json({"entries": rows, "count": len(selected)})
        return 0
    for item in shown:
        print(_line(item.entry))
    print(_summary([item.entry for item in selected], len(shown)))
    return 0


def _in_trash(store: MarkdownEntries, wanted: EntryFilter) -> list[ListedEntry]:
    """Return the entries in the trash of ``store`` that ``wanted`` takes, without a last recall."""
    now = time.time()
    entries = [item.entry for item in store.trash().entries()]
    return [
        ListedEntry(entry, None)
        for entry in entries
        if wanted.takes(entry) and wanted.takes_age(entry, now)
    ]


def show(args: argparse.Namespace) -> int:
    """Print one entry, also one in the trash; return the exit code, always 0.

    Raises:
        EntryError: there is no such entry.

    """
    _, store = entry_options.context_and_store(args)
    entry = found_entry(store, args.id)
    if args.format == "json":
        # None: the time of the last recall is not looked up for a single entry.
        options.print_json(
            serialize.listed_json(ListedEntry(entry, None), reveal=args.reveal), reveal=args.reveal
        )
        return 0
    tags = f"\ntags: {', '.join(entry.tags)}" if entry.tags else ""
    text = f"{_line(entry)}\n{entry.path}{tags}\n\n{entry.body}\n"
    options.print_text(text, reveal=args.reveal)
    return 0


def found_entry(store: MarkdownEntries, entry_id: str, *, trash: bool = True) -> Entry:
    """Return the entry ``entry_id`` of ``store``, with ``trash`` also one in the trash.

    Of several files with this ID, the current one counts; in the trash the one put there last,
    which ``restore`` would move back.

    Raises:
        EntryError: it does not exist.

    """
    entries = store.with_id(entry_id)  # the current one is the last
    if entries:
        return entries[-1]
    in_trash = store.trash().entries() if trash else []  # the one put there last is the first
    for trashed in in_trash:
        if trashed.entry.id == entry_id:
            return trashed.entry
    raise EntryError("not_found", f"no memory '{entry_id}'.")


def _line(entry: Entry) -> str:
    """Return for example ``01J…  2026-05-01  [agent:reviewer · feedback] summary``."""
    owner = {"agent": f":{entry.agent}", "run": f":{entry.run}"}.get(entry.scope, "")
    return f"{entry.id}  {_day(entry)}  [{entry.scope}{owner} · {entry.kind}] {entry.summary}"


def _summary(entries: Sequence[Entry], shown: int) -> str:
    """Return how many ``entries`` there are of each scope, and how many of them are not shown.

    ``shown`` is the number of those that are shown.
    """
    if not entries:
        return "no entries"
    scopes = Counter(entry.scope for entry in entries)
    parts = ", ".join(f"{scopes[scope]:,} {scope}" for scope in SCOPES if scopes[scope])
    entries_text = "1 entry" if len(entries) == 1 else f"{len(entries):,} entries"
    hidden = len(entries) - shown
    not_shown = f"; {hidden:,} not shown (--limit 0 shows all)" if hidden else ""
    return f"{entries_text}: {parts}{not_shown}"


def _day(entry: Entry) -> str:
    """Return the date of the last change, YYYY-MM-DD; spaces for a time that is out of range."""
    return serialize.iso_time(entry.changed)[:10].ljust(10)
