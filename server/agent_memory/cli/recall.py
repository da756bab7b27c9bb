"""``agent-memory recall QUERY``: search learned entries; exit 0, 1 (none) or 2."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from agent_memory import serialize
from agent_memory.base.errors import UsageError
from agent_memory.cli import entry_options, options
from agent_memory.recall import usage
from agent_memory.recall.engine import LIMIT, LIMIT_MAX, RANKINGS, Recall, SearchHit
from agent_memory.recall.hits import BY_SCORE, recall_advice

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from agent_memory.recall.semantic import Model


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "query",
        type=options.utf8,
        metavar="QUERY",
        help="words or a question to search for; '' lists the latest entries",
    )
    options.add_project(parser)
    entry_options.add_store(parser)
    entry_options.add_filters(parser)
    parser.add_argument(
        "--limit",
        type=int,
        default=LIMIT,
        metavar="N",
        help=f"1 to {LIMIT_MAX} (default: {LIMIT})",
    )
    parser.add_argument(
        "--ranking",
        choices=RANKINGS,
        default=RANKINGS[0],
        help="by relevance (default), or only whole words, by drover's formula",
    )
    parser.add_argument(
        "--semantic",
        action="store_true",
        help="also by meaning; needs the extra: pip install 'agent-memory-ls[semantic]'",
    )
    parser.add_argument("--reveal", action="store_true", help="show secrets unmasked")
    options.add_format(parser)


def run(args: argparse.Namespace) -> int:
    """Search and print the entries, and record their use; return 0, or 1 if no entry matches.

    Raises:
        UsageError: an option is not valid, what ``--semantic`` needs is not installed, or another
            process is writing the index.

    """
    ctx, store = entry_options.context_and_store(args)
    wanted = entry_options.search_filter(args).checked()
    model = _model() if args.semantic else None
    with contextlib.closing(Recall.open(store.root, ctx.env)) as recall:
        hits = recall.search(
            args.query, wanted, args.limit, store.mirrors, by=args.ranking, model=model
        )
    usage.record(store.root, ctx.env, hits)
    if args.format == "json":
        answer = serialize.recall_json(hits, reveal=args.reveal)
        options.print_json(answer, reveal=args.reveal)
    else:
        text = as_text(hits, wanted.scopes, args.ranking) + "\n"
        options.print_text(text, reveal=args.reveal)
    return 0 if hits else 1


def _model() -> Model:
    """Return the model that compares meaning; raise ``UsageError`` if it is not available."""
    from agent_memory.recall import semantic  # noqa: PLC0415 -- loading it takes a second

    model = semantic.model(wait=True)
    if model is None:
        raise UsageError(
            f"--semantic: {semantic.failure()}. Run: pip install 'agent-memory-ls[semantic]'"
        )
    return model


def as_text(hits: Sequence[SearchHit], scopes: Sequence[str], by: str = RANKINGS[0]) -> str:
    """Return ``hits`` in the form of drover's recall tool, by default with their relevance.

    ``scopes`` are those that were searched, ``by`` is the ranking.
    """
    searched = ", ".join(scopes)
    if not hits:
        return f"(no memories matched in scopes: {searched})"
    count = "1 entry" if len(hits) == 1 else f"{len(hits)} entries"
    blocks = [f"## Recalled ({count}, scopes: {searched})"]
    # drover's formula has no relevance that the advice could be about.
    advice = "" if by == BY_SCORE else recall_advice(hits)
    if advice:
        blocks.append(advice)
    for hit in hits:
        entry = hit.entry
        facts = [_figure(hit, by), f"id: {entry.id}"]
        if entry.tags:
            facts.append(f"tags: {', '.join(entry.tags)}")
        head = f"### [{entry.scope} · {entry.kind}] {entry.summary}"
        blocks.append(f"{head}\n{' · '.join(facts)}\n\n{entry.body}")
    return "\n\n".join(blocks)


def _figure(hit: SearchHit, by: str) -> str:
    """Return how well ``hit`` matches: drover's score if ``by`` is its ranking, else relevance."""
    if by == BY_SCORE:
        return f"score: {hit.score:.2f}"
    return f"relevance: {hit.relevance:.2f}{'' if hit.relevant else ' (weak)'}"
