"""``agent-memory recall QUERY``: search learned entries; exit 0, 1 (none) or 2."""

from __future__ import annotations

import contextlib
import sys
from typing import TYPE_CHECKING

from agent_memory import serialize
from agent_memory.cli import entry_options, options
from agent_memory.recall.engine import LIMIT, LIMIT_MAX, Recall, SearchHit
from agent_memory.secrets import Exact

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "query",
        type=options.utf8,
        metavar="QUERY",
        help="words to search for; '' lists the latest entries",
    )
    entry_options.add_run(parser)
    entry_options.add_filters(parser)
    parser.add_argument(
        "--limit",
        type=int,
        default=LIMIT,
        metavar="N",
        help=f"1 to {LIMIT_MAX} (default: {LIMIT})",
    )
    parser.add_argument("--reveal", action="store_true", help="show secrets unmasked")
    options.add_format(parser)


def run(args: argparse.Namespace) -> int:
    """Search and print the entries; return 1 if there are none."""
    store = entry_options.store(args)
    with contextlib.closing(Recall.open(store.root)) as recall:
        wanted = entry_options.wanted(args).check()
        hits = recall.search(args.query, wanted, args.limit, store.mirrors)
    if args.format == "json":
        rows = [serialize.entry_json(hit.entry, hit.score, reveal=args.reveal) for hit in hits]
        options.print_json({"entries": rows}, reveal=args.reveal)
    else:
        text = as_text(hits, wanted.scopes) + "\n"
        sys.stdout.write(Exact(text) if args.reveal else text)
    return 0 if hits else 1


def as_text(hits: Sequence[SearchHit], scopes: Sequence[str]) -> str:
    """Return ``hits`` in the form of drover's recall tool."""
    shown = ", ".join(scopes)
    if not hits:
        return f"(no memories matched in scopes: {shown})"
    count = "1 entry" if len(hits) == 1 else f"{len(hits)} entries"
    blocks = [f"## Recalled ({count}, scopes: {shown})"]
    for hit in hits:
        entry = hit.entry
        facts = [f"score: {hit.score:.2f}", f"id: {entry.id}"]
        if entry.tags:
            facts.append(f"tags: {', '.join(entry.tags)}")
        head = f"### [{entry.scope} · {entry.kind}] {entry.summary}"
        blocks.append(f"{head}\n{' · '.join(facts)}\n\n{entry.body}")
    return "\n\n".join(blocks)
