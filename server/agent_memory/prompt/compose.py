"""Composing the prompt: sources and template to segments, sizes and problems."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from agent_memory.language import token_estimate
from agent_memory.prompt.unread_files import unread_files
from agent_memory.runtimes.selection import Choice, choose

if TYPE_CHECKING:
    from agent_memory.base.model import (
        Exactness,
        Problem,
        Segment,
        Source,
    )
    from agent_memory.config.context import Context


@dataclass(frozen=True)
class Prompt:
    """A composed block. ``text`` is the concatenation of the segments' texts.

    ``sources`` are those of the runtime, then the files beside them that it does not find.
    """

    choice: Choice
    version: str
    exactness: Exactness
    origin: str
    segments: tuple[Segment, ...]
    sources: tuple[Source, ...]
    problems: tuple[Problem, ...]

    @cached_property
    def text(self) -> str:
        """The block as the agent receives it."""
        return "".join(segment.text for segment in self.segments)

    @cached_property
    def size(self) -> int:
        """UTF-8 bytes of the text."""
        return len(self.text.encode("utf-8", "surrogatepass"))

    @cached_property
    def tokens(self) -> int:
        """Estimated tokens: the sum over the segments, so that parts and total agree."""
        return sum(self.counts)

    @cached_property
    def counts(self) -> tuple[int, ...]:
        """Estimated tokens of each segment."""
        return tuple(token_estimate.count(segment.text) for segment in self.segments)

    @cached_property
    def hash(self) -> str:
        """SHA-256 of the text in hexadecimal."""
        return hashlib.sha256(self.text.encode("utf-8", "surrogatepass")).hexdigest()


def compose(ctx: Context, runtime_id: str | None = None, base: str = "") -> Prompt:
    """Compose the prompt block of ``runtime_id`` (None: chosen) for ``ctx``.

    Reads files but writes none, and gives the same text each time.

    Raises:
        UsageError: the runtime is not known or the agent's id is not valid.

    """
    ctx, choice = choose(ctx, runtime_id)
    sources = choice.runtime.sources(ctx)
    made = choice.runtime.compose(ctx, sources, base)
    return Prompt(
        choice,
        made.version,
        made.exactness,
        made.origin,
        made.segments,
        (*sources, *(stray.source for stray in unread_files(ctx, sources))),
        made.problems,
    )
