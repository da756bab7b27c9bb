"""``agent-memory prompt --diff``: how prompts change, for people, programs and pull requests."""

from __future__ import annotations

import re
import sys
from functools import partial
from typing import TYPE_CHECKING, Any

from agent_memory.base.errors import UsageError
from agent_memory.cli import options, prompt_view
from agent_memory.cli.plan_text import shown_path
from agent_memory.prompt import changes
from agent_memory.prompt.at_revision import compose_at
from agent_memory.prompt.compose import compose
from agent_memory.secrets import Exact, mask_parts

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from agent_memory.cli.prompt_view import Mask
    from agent_memory.config.context import Context
    from agent_memory.prompt.changes import Change

_MOST = 20_000
"""Characters of a diff in Markdown; GitHub refuses a comment of more than 65,536."""


def run(args: argparse.Namespace, ctx: Context, saved: Context, base: str) -> int:
    """Print the changes; ``saved`` is the context without unsaved text, ``base`` the system prompt.

    ``--diff`` is ``saved``, a revision, or a range ``A...B``, which compares several prompts.
    """
    mask = None if args.reveal else partial(mask_parts, allowed=ctx.settings.allowed_secrets)
    several = args.diff != "saved" and changes.is_range(args.diff)
    if several and args.stdin_filename:
        raise UsageError("--diff A...B compares revisions: omit --stdin-filename")
    if several:
        found = changes.changes(ctx, args.diff, args.runtime, base)
    else:
        found = [_change(args, ctx, saved, base)]
    if args.format == "json":
        rows = [_json(ctx, item, args.diff, mask) for item in found]
        options.print_json({"since": args.diff, "changes": rows}, reveal=args.reveal)
        return 0
    pieces = (
        _markdown(ctx, found, args.diff, mask)
        if args.format == "markdown"
        else _text(ctx, found, args.diff, mask, several=several)
    )
    text = "".join(pieces)
    sys.stdout.write(Exact(text) if args.reveal else text)
    if not several:
        for problem in found[0].after.problems:
            print(f"agent-memory prompt: {problem.message}", file=sys.stderr)
    return 0


def _change(args: argparse.Namespace, ctx: Context, saved: Context, base: str) -> Change:
    """Return the change of the chosen agent's prompt in this folder, up to now."""
    after = compose(ctx, args.runtime, base)
    if args.diff == "saved":
        before = compose(saved, args.runtime, base)
    else:
        before, _ = compose_at(saved, args.diff, args.runtime, base)
    lines = {source.path: ctx.store.read(source.path).lines for source in after.sources}
    return changes.change(ctx.cwd, before, after, lines)


def _text(
    ctx: Context, found: list[Change], since: str, mask: Mask | None, *, several: bool
) -> Iterator[str]:
    """Yield the diff of each changed prompt; for ``several``, a headline before each."""
    for item in found:
        diff = prompt_view.difference(item.before, item.after, since, mask)
        if not several:
            yield diff
        elif _differs(item):
            yield f"{_headline(ctx, item)}\n{diff}\n"
    if several and not any(map(_differs, found)):
        yield "No prompt changes\n"


def _markdown(ctx: Context, found: list[Change], since: str, mask: Mask | None) -> Iterator[str]:
    """Yield a list of the changed prompts, each with its diff folded up."""
    yield "#### Prompts\n\n"
    for item in filter(_differs, found):
        diff = prompt_view.difference(item.before, item.after, since, mask)
        shown = diff[:_MOST] + "\n(cut)\n" * (len(diff) > _MOST)
        # Longer than any run of backticks in the diff, so that none ends the block.
        fence = "`" * max([3, *(len(run) + 1 for run in re.findall("`+", shown))])
        head = re.sub(r"[<>&]", lambda match: f"&#{ord(match[0])};", _headline(ctx, item))
        yield f"<details><summary>{head}</summary>\n\n{fence}diff\n{shown}{fence}\n\n</details>\n"
    if not any(map(_differs, found)):
        yield "No prompt changes.\n"


def _headline(ctx: Context, item: Change) -> str:
    """Return for example `+412 tokens for Claude Code in web; 3 items added, 1 item cut`."""
    tokens = item.after.tokens - item.before.tokens
    unit = "token" if abs(tokens) == 1 else "tokens"
    title = item.after.choice.runtime.title
    cwd = ctx.cwd.resolve()
    place = "" if item.folder == cwd else f" in {shown_path(item.folder, cwd)}"
    counts = ((item.added, "added"), (item.removed, "removed"), (item.cut, f"cut by {title}"))
    parts = [f"{options.counted(count, 'item')} {what}" for count, what in counts if count]
    items = f"; {', '.join(parts)}" if parts else ""
    return f"{tokens:+,} {unit} for {title}{place}{items}"


def _json(ctx: Context, item: Change, since: str, mask: Mask | None) -> dict[str, Any]:
    """Return the change of one prompt as JSON; ``mask`` None shows secrets."""
    before, after = item.before, item.after
    return {
        "runtime": after.choice.runtime.id,
        "agent": after.choice.agent,
        "folder": str(item.folder),
        "tokens": {"before": before.tokens, "after": after.tokens},
        "bytes": {"before": before.size, "after": after.size},
        "items": {"added": item.added, "removed": item.removed, "cut": item.cut},
        "summary": _headline(ctx, item),
        "diff": prompt_view.difference(before, after, since, mask) if _differs(item) else "",
    }


def _differs(item: Change) -> bool:
    return item.before.text != item.after.text
