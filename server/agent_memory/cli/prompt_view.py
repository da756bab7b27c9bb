"""A prompt for people: the source of each piece, and the changes between two prompts."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

from agent_memory.base.text import split_lines, without_newline
from agent_memory.cli.options import counted
from agent_memory.language import token_estimate

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from agent_memory.base.model import Segment
    from agent_memory.prompt.compose import Prompt

    Mask = Callable[[Sequence[str]], list[str]]
    """Returns the texts of consecutive segments with secrets masked."""


def origins(prompt: Prompt, mask: Mask | None) -> str:
    """Return the prompt piece by piece, each below a line with its origin and size.

    The lines of a piece begin with ``|``. ``mask`` None shows secrets.
    """
    choice = prompt.choice
    out = [
        f"runtime  {choice.runtime.id} {prompt.version} ({choice.runtime_reason})",
        f"agent    {choice.agent} ({choice.agent_reason})",
        f"template {prompt.exactness}: {prompt.origin}",
        f"size     {counted(prompt.tokens, 'token')}, {counted(prompt.size, 'byte')}",
    ]
    shown_texts = _texts(prompt, mask)
    for segment, text in zip(prompt.segments, shown_texts, strict=True):
        size = counted(token_estimate.count(segment.text), "token")
        out += ["", f"-- {_origin(segment)}  ({size})"]
        lines = map(without_newline, split_lines(text))
        out += [f"| {line}" if line else "|" for line in lines]  # no space at the end of a line
    return "\n".join(out) + "\n"


def _origin(segment: Segment) -> str:
    """Return for example `project AGENTS.md /p/AGENTS.md:1-12`: kind, label, path and lines.

    Lines count from 1. A segment that is not of a file has no path.
    """
    label = f" {segment.label}" if segment.label else ""
    if segment.path is None:
        return f"{segment.kind}{label}"
    first = segment.line + 1
    last = segment.line + max(1, len(split_lines(segment.text)))
    lines = f"{first}" if first == last else f"{first}-{last}"
    return f"{segment.kind}{label} {segment.path}:{lines}"


def difference(before: Prompt, after: Prompt, labels: tuple[str, str], mask: Mask | None) -> str:
    """Return a unified diff of the two prompts and a line with their tokens and bytes.

    ``labels`` name the earlier and the later prompt, for example ``main`` and ``now``. ``mask``
    None shows secrets.
    """
    old, new = ("".join(_texts(prompt, mask)) for prompt in (before, after))
    name = f"prompt of {after.choice.runtime.id}"
    earlier, later = labels
    lines = difflib.unified_diff(
        [without_newline(line) for line in split_lines(old)],
        [without_newline(line) for line in split_lines(new)],
        f"{name}, {earlier}",
        f"{name}, {later}",
        lineterm="",
    )
    more_tokens = after.tokens - before.tokens
    more_bytes = after.size - before.size
    sums = (
        f"{before.tokens:,} -> {counted(after.tokens, 'token')} ({more_tokens:+,}), "
        f"{before.size:,} -> {counted(after.size, 'byte')} ({more_bytes:+,})"
    )
    return "\n".join([*lines, sums, ""])


def _texts(prompt: Prompt, mask: Mask | None) -> list[str]:
    """Return the texts of the segments of ``prompt``; ``mask`` None shows secrets.

    They are masked together, because a secret can span several.
    """
    texts = [segment.text for segment in prompt.segments]
    return mask(texts) if mask else texts
