"""Composing the prompt: from sources and template to segments, sizes and problems."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from agent_memory.base.model import Block, Role, Scope, Source, Status
from agent_memory.base.text import BOM, split_lines
from agent_memory.l10n import t
from agent_memory.language import token_estimate
from agent_memory.prompt.unread_files import unread_files
from agent_memory.runtimes.selection import Choice, choose

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from agent_memory.base.model import Exactness, Problem, Segment
    from agent_memory.config.context import Context
    from agent_memory.runtimes.base import Composition


@dataclass(frozen=True)
class Prompt:
    """A composed prompt. ``text`` is the concatenation of the segments' texts.

    ``version`` is that of the installed runtime, '' if it is not installed or its version is not
    known, ``origin`` where its template comes from. ``sources`` are those of the runtime, then
    nearby memory files that it does not find. ``roles[i]`` is the role of the message with block i,
    the segments of which have i as their ``block``.
    """

    choice: Choice
    version: str
    exactness: Exactness
    origin: str
    segments: tuple[Segment, ...]
    sources: tuple[Source, ...]
    problems: tuple[Problem, ...]
    roles: tuple[str, ...] = ("system",)

    def blocks(self, texts: Sequence[str] | None = None) -> list[Block]:
        """Return the blocks in request order, without empty ones.

        ``texts`` replace those of the segments, one for each, for example with masked ones. A
        segment without a block is the blank line between two of them.
        """
        shown = [segment.text for segment in self.segments] if texts is None else texts
        block_texts = ["" for _ in self.roles]
        for segment, text in zip(self.segments, shown, strict=True):
            if segment.block is not None:
                block_texts[segment.block] += text
        blocks = zip(self.roles, block_texts, strict=True)
        return [Block(role, text) for role, text in blocks if text]

    def lines_of(self, path: Path) -> frozenset[int]:
        """Return the lines of the file ``path`` (from 0) that the prompt contains."""
        lines: set[int] = set()
        for segment in self.segments:
            if segment.path == path:
                count = len(split_lines(segment.text))
                lines.update(range(segment.line, segment.line + count))
        return frozenset(lines)

    def has_mark_of(self, path: Path) -> bool:
        """Whether the prompt contains the byte order mark of the file ``path``."""
        parts = (segment for segment in self.segments if segment.path == path)
        return any(segment.text.startswith(BOM) for segment in parts)

    @cached_property
    def text(self) -> str:
        """The texts of the blocks as the agent receives them, with a blank line between two."""
        return "".join(segment.text for segment in self.segments)

    @cached_property
    def size(self) -> int:
        """The size of the text in UTF-8 bytes."""
        return len(self.text.encode("utf-8", "surrogatepass"))

    @cached_property
    def tokens(self) -> int:
        """Estimated tokens: the sum over the segments, so that the parts add up to the total."""
        return sum(self.counts)

    @cached_property
    def counts(self) -> tuple[int, ...]:
        """Estimated tokens of each segment."""
        return tuple(token_estimate.count(segment.text) for segment in self.segments)

    @cached_property
    def hash(self) -> str:
        """The SHA-256 of the text in hexadecimal."""
        return hashlib.sha256(self.text.encode("utf-8", "surrogatepass")).hexdigest()


def around_base(segments: Sequence[Segment]) -> tuple[str, str]:
    """Return the texts before and after the base prompt; without one, '' and all of the text.

    The base prompt is found by its segment, not by its text, which memory may contain too.
    """
    texts = [segment.text for segment in segments]
    for number, segment in enumerate(segments):
        if segment.kind == "base" and segment.path is None:
            return "".join(texts[:number]), "".join(texts[number + 1 :])
    return "", "".join(texts)


def compose(ctx: Context, runtime_id: str | None = None, base: str = "") -> Prompt:
    """Return the prompt block of ``runtime_id`` (None: the chosen runtime) for ``ctx``.

    ``base`` is a whole system prompt into which the block is composed, '' for none. The result
    depends only on the files and ``ctx``; nothing is written.

    Raises:
        UsageError: the runtime is unknown or the agent id is invalid.

    """
    return compose_chosen(*choose(ctx, runtime_id), base)


def compose_reading(ctx: Context, path: Path, runtime_id: str | None = None) -> Prompt:
    """Return what the runtime adds when the agent reads the file ``path``, as a prompt.

    The text is added to the result of the tool that reads the file. The sources of the prompt are
    the files with text in it, numbered from 1.

    Raises:
        UsageError: the runtime is unknown or the agent id is invalid.

    """
    ctx, choice = choose(ctx, runtime_id)
    composed = choice.runtime.reading(ctx, path)
    kinds = {segment.path: segment.kind for segment in composed.segments if segment.path}
    why = t("added when the agent reads {0}", path)
    sources = (
        Source(
            file,
            Scope(kind),  # the kind of a segment of a file is `user` or `project` here
            Role.MEMORY,
            Status.LOADED,
            reason=why,
            display=str(file),
            order=number,
        )
        for number, (file, kind) in enumerate(kinds.items(), 1)
    )
    return _prompt(choice, composed, tuple(sources))


def compose_chosen(
    ctx: Context, choice: Choice, base: str = "", *, sources: Sequence[Source] | None = None
) -> Prompt:
    """Return the prompt block of ``choice``; ``sources`` are its sources, None to find them.

    ``base`` is a whole system prompt into which the block is composed, '' for none.
    """
    runtime = choice.runtime
    sources = runtime.sources(ctx) if sources is None else sources
    composed = runtime.compose(ctx, sources, base)
    unread = (file.source for file in unread_files(ctx, sources))
    return _prompt(choice, composed, (*sources, *unread))


def _prompt(choice: Choice, composed: Composition, sources: tuple[Source, ...]) -> Prompt:
    """Return ``composed`` as the prompt of ``choice`` with ``sources``."""
    return Prompt(
        choice,
        version=composed.version,
        exactness=composed.exactness,
        origin=composed.origin,
        segments=composed.segments,
        sources=sources,
        problems=composed.problems,
        roles=composed.roles,
    )
