"""A finding as text: its head line, then the line it stands on with the place marked."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from agent_memory.secrets import find, mask_parts
from agent_memory.text import body, slice_span, split_lines

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agent_memory.context import Context
    from agent_memory.model import Finding

# The findings of one file come one after another: its secrets are looked for once.
_secrets_of = lru_cache(maxsize=8)(find)


def frame(ctx: Context, finding: Finding) -> list[str]:
    """Return the lines that show ``finding``, with every secret in them masked."""
    line = finding.span.line
    head = f"{finding.path}:{line + 1}:{finding.span.start + 1}: "
    out = [f"{head}{finding.severity} {finding.code} [{finding.name}] {finding.message}"]
    lines = ctx.store.read(finding.path).lines
    if line >= len(lines):
        return out
    before, marked, after = _shown(ctx, finding, lines)
    return [
        *out,
        f"{line + 1:>5} | {before}{marked}{after}",
        f"{'':>5} | {' ' * len(before)}{'^' * max(1, len(marked))}",
    ]


def _shown(ctx: Context, finding: Finding, lines: Sequence[str]) -> tuple[str, str, str]:
    """Return the finding's first line in three parts; the middle one is what is marked."""
    span, text = finding.span, "".join(lines)
    start = sum(map(len, lines[: span.line])) + span.start
    end = start + len(slice_span(lines, span))
    parts = [text[:start], text[start:end], text[end:]]
    secrets = _secrets_of(text)
    if secrets:
        parts = mask_parts(parts, ctx.settings.allowed_secrets, secrets)
    before = "" if not span.start else split_lines(parts[0])[-1]
    marked = (split_lines(parts[1]) or [""])[0]
    after = "" if marked != body(marked) else (split_lines(parts[2]) or [""])[0]
    return before, body(marked), body(after)
