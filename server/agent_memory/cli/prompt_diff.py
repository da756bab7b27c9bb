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
from agent_memory.secrets import mask_parts

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from agent_memory.cli.prompt_view import Mask
    from agent_memory.config.context import Context
    from agent_memory.prompt.changes import Change

_MOST = 20_000
"""Characters of a diff in Markdown; GitHub refuses a comment of more than 65,536."""


def run(args: argparse.Namespace, ctx: Context, saved_ctx: Context, base: str) -> int:
    """Print the changes; return the exit code, always 0.

    ``--diff`` is ``saved``, a revision, or a range ``A...B`` or ``A..B``, which compares several
    prompts. ``saved_ctx`` is ``ctx`` without unsaved text, ``base`` the system prompt around
    memory, '' for none.

    Raises:
        UsageError: a revision is unknown, or options exclude each other.

    """
    is_range = args.diff != "saved" and changes.is_range(args.diff)
    if is_range and args.stdin_filename:
        raise UsageError("--diff A...B compares revisions: omit --stdin-filename")
    if is_range:
        compared = changes.changes(ctx, args.diff, args.runtime, base)
        labels = changes.labels(args.diff)
    else:
        compared = [_change(args, ctx, saved_ctx, base)]
        labels = args.diff, "now"
    mask = None if args.reveal else partial(mask_parts, allowed=ctx.settings.allowed_secrets)
    if args.format == "json":
        rows = [_json(ctx, change, labels, mask) for change in compared]
        options.print_json({"since": args.diff, "changes": rows}, reveal=args.reveal)
        return 0
    if args.format == "markdown":
        pieces = _markdown(ctx, compared, labels, mask)
    else:
        pieces = _text(ctx, compared, labels, mask, with_headlines=is_range)
    options.print_text("".join(pieces), reveal=args.reveal)
    if not is_range:  # then there is one prompt, to which the problems belong
        for problem in compared[0].after.problems:
            print(f"agent-memory prompt: {problem.message}", file=sys.stderr)
    return 0


def _change(args: argparse.Namespace, ctx: Context, saved_ctx: Context, base: str) -> Change:
    """Return the change of the chosen agent's prompt in this folder, from ``--diff`` until now.

    The earlier prompt is that of the saved files (``--diff saved``) or of a git revision. The
    contexts and ``base`` are those of :func:`run`.
    """
    after = compose(ctx, args.runtime, base)
    if args.diff == "saved":
        before = compose(saved_ctx, args.runtime, base)
    else:
        before, _lines_before = compose_at(saved_ctx, args.diff, args.runtime, base)
    # The lines of each file now: of a truncated file, they show which items the prompt lacks.
    lines = {source.path: ctx.store.read(source.path).lines for source in after.sources}
    return changes.change(ctx.cwd, before, after, lines)


def _text(
    ctx: Context,
    compared: list[Change],
    labels: tuple[str, str],
    mask: Mask | None,
    *,
    with_headlines: bool,
) -> Iterator[str]:
    """Yield the diff of each prompt; ``labels`` name the earlier and the later one.

    ``with_headlines``: several prompts are compared, so prompts without changes are left out and
    each diff has a headline.
    """
    for change in compared:
        diff = prompt_view.difference(change.before, change.after, labels, mask)
        if not with_headlines:
            yield diff
        elif _differs(change):
            yield f"{_headline(ctx, change)}\n{diff}\n"
    if with_headlines and not any(map(_differs, compared)):
        yield "No prompt changes\n"


def _markdown(
    ctx: Context, compared: list[Change], labels: tuple[str, str], mask: Mask | None
) -> Iterator[str]:
    """Yield a heading, then each changed prompt as a headline that unfolds its diff.

    ``labels``: see :func:`_text`. ``mask`` None shows secrets.
    """
    yield "#### Prompts\n\n"
    for change in filter(_differs, compared):
        diff = prompt_view.difference(change.before, change.after, labels, mask)
        if len(diff) > _MOST:
            diff = f"{diff[:_MOST]}\n(cut)\n"
        # Longer than any run of backticks in the diff, so that none ends the block.
        fence = "`" * max([3, *(len(run) + 1 for run in re.findall("`+", diff))])
        escaped = re.sub(r"[<>&]", lambda match: f"&#{ord(match[0])};", _headline(ctx, change))
        block = f"{fence}diff\n{diff}{fence}"
        yield f"<details><summary>{escaped}</summary>\n\n{block}\n\n</details>\n"
    if not any(map(_differs, compared)):
        yield "No prompt changes.\n"


def _headline(ctx: Context, change: Change) -> str:
    """Return for example `+412 tokens for Codex in web; 3 items added, 1 item cut by Codex`.

    The folder is left out if it is the working folder.
    """
    tokens = change.after.tokens - change.before.tokens
    unit = "token" if abs(tokens) == 1 else "tokens"
    title = change.after.choice.runtime.title
    cwd = ctx.cwd.resolve()
    folder = "" if change.folder == cwd else f" in {shown_path(change.folder, cwd)}"
    counts = ((change.added, "added"), (change.removed, "removed"), (change.cut, f"cut by {title}"))
    parts = [f"{options.counted(count, 'item')} {verb}" for count, verb in counts if count]
    items = f"; {', '.join(parts)}" if parts else ""
    return f"{tokens:+,} {unit} for {title}{folder}{items}"


def _json(
    ctx: Context, change: Change, labels: tuple[str, str], mask: Mask | None
) -> dict[str, Any]:
    """Return the change of one prompt as JSON; ``mask`` None shows secrets.

    ``diff`` is '' if the prompt did not change; ``labels``: see :func:`_text`.
    """
    before, after = change.before, change.after
    return {
        "runtime": after.choice.runtime.id,
        "agent": after.choice.agent,
        "folder": str(change.folder),
        "tokens": {"before": before.tokens, "after": after.tokens},
        "bytes": {"before": before.size, "after": after.size},
        "items": {"added": change.added, "removed": change.removed, "cut": change.cut},
        "summary": _headline(ctx, change),
        "diff": prompt_view.difference(before, after, labels, mask) if _differs(change) else "",
    }


def _differs(change: Change) -> bool:
    """Whether the prompt changed; a change of a file need not change it."""
    return change.before.text != change.after.text
