"""``agent-memory sources``: every file the runtime reads, could read or ignores, and why."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from agent_memory import serialize
from agent_memory.cli import options
from agent_memory.prompt.compose import compose

if TYPE_CHECKING:
    import argparse

    from agent_memory.config.context import Context

_ENTRIES_MAX = 20
"""Maximum number of ignored entries that are printed."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    options.add_project(parser)
    options.add_format(parser)
    parser.add_argument(
        "--all",
        action="store_true",
        help="list every known memory file of the project, and what each agent does with it",
    )


def run(args: argparse.Namespace) -> int:
    """Print the sources in load order, those that are not loaded too; return the exit code, 0.

    With ``--all``, print the table of all memory files instead.

    Raises:
        UsageError: the runtime or agent is not valid.

    """
    ctx = options.context(args)
    if args.all:
        return _print_all(ctx, args)
    prompt = compose(ctx, args.runtime)
    rows = serialize.sources_json(prompt, lambda path: ctx.store.read(path).lines)
    choice = prompt.choice
    if args.format == "json":
        options.print_json(
            {
                "runtime": choice.runtime.id,
                "runtimeReason": choice.runtime_reason,
                "agent": choice.agent,
                "agentReason": choice.agent_reason,
                "sources": rows,
            }
        )
        return 0
    print(f"runtime {choice.runtime.id} ({choice.runtime_reason})")
    print(f"agent   {choice.agent} ({choice.agent_reason})\n")
    _print_rows(rows)
    return 0


def _print_rows(rows: list[dict[str, Any]]) -> None:
    """Print ``rows``, the JSON of sources; of ignored entries only the first ``_ENTRIES_MAX``.

    Skills follow a heading, because their numbers start again at 1.
    """
    ignored_entries = 0
    has_skills = False
    for row in rows:
        if row["role"] == "entry" and row["status"] == "ignored":
            ignored_entries += 1
            if ignored_entries > _ENTRIES_MAX:
                continue
        if row["role"] == "skill" and not has_skills:
            print("\nskills")
            has_skills = True
        _print_row(row)
    hidden = ignored_entries - _ENTRIES_MAX
    if hidden > 0:
        print(f"    {hidden:,} more entries are ignored; `agent-memory entries list` lists them")


def _print_row(row: dict[str, Any]) -> None:
    """Print a source, its size if the prompt has text of it, and the reason for its status.

    Loaded files and listed skills have a number in the order, all other sources have "-".
    """
    order = f"{row['order']}." if row["order"] else "-"
    has_text_in_prompt = row["status"] in ("loaded", "truncated")
    size = options.counted(row["tokens"], "token") if has_text_in_prompt else ""
    print(f"{order:>3} {row['status']:<10} {row['scope']:<8} {row['path']}  {size}".rstrip())
    if row["reason"]:
        print(f"    {row['reason']}")


def _print_all(ctx: Context, args: argparse.Namespace) -> int:
    """Print every known memory file of the project, and what each agent does with it.

    Return the exit code, always 0.
    """
    from agent_memory.prompt.overview import overview  # noqa: PLC0415 -- only for --all
    from agent_memory.report.all_sources import all_sources  # noqa: PLC0415
    from agent_memory.serialize_explained import overview_json  # noqa: PLC0415

    table = overview(ctx, args.runtime)
    if args.format == "json":
        agents = {"runtimes": table.listed.reasons, "runtimesNote": table.listed.note}
        options.print_json({**agents, **overview_json(table, ctx, Path.as_uri)})
        return 0
    for text in all_sources(table, ctx.home):
        print(text)
    return 0
