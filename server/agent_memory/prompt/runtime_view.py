"""What one runtime makes of all files: its prompt, its sources by path, and the bytes of each."""

from __future__ import annotations

import os
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from agent_memory.base.model import Status
from agent_memory.base.text import split_lines
from agent_memory.prompt.compose import compose_chosen
from agent_memory.runtimes.selection import choose

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from agent_memory.base.model import Source
    from agent_memory.config.context import Context
    from agent_memory.prompt.compose import Prompt
    from agent_memory.runtimes.base import Runtime

    Ranges = tuple[tuple[int, int], ...]


class Piece(NamedTuple):
    """A text of a file in the prompt.

    ``start`` is its first byte in the prompt, ``line`` its first line in the file, from 0;
    ``block`` the number of its block, None for the blank line between two blocks.
    """

    start: int
    text: str
    line: int
    block: int | None


class RuntimeView:
    """The answers of one runtime about many files; everything is computed once.

    Raises:
        UsageError: the runtime is unknown or the agent id is invalid.

    """

    def __init__(self, ctx: Context, runtime_id: str) -> None:
        self.ctx, self.choice = choose(ctx, runtime_id)
        self.runtime: Runtime = self.choice.runtime
        self.sources: Sequence[Source] = self.runtime.sources(self.ctx)

    @cached_property
    def cwd(self) -> Path:
        """The folder the agent starts in, without symlinks."""
        return self.ctx.cwd.resolve()

    @cached_property
    def root(self) -> Path:
        """The project's root, else the working folder."""
        return self.runtime.root(self.ctx) or self.cwd

    @cached_property
    def prompt(self) -> Prompt:
        """The composed prompt."""
        return compose_chosen(self.ctx, self.choice, sources=self.sources)

    @cached_property
    def loaded_count(self) -> int:
        """The number of loaded files, truncated ones included."""
        return sum(self.order(source) is not None for source in self.sources)

    @staticmethod
    def order(source: Source) -> int | None:
        """Return the number of ``source`` among the loaded files, from 1; None if not loaded.

        Listed skills and entries are not loaded: their ``order`` is that of a list of their own.
        """
        return source.order if source.status in (Status.LOADED, Status.TRUNCATED) else None

    def source(self, path: Path) -> Source | None:
        """Return the source at ``path``, or at the target of the symlink ``path``, else None."""
        return self._by_path.get(path) or self._by_path.get(_real(path))

    @cached_property
    def _by_path(self) -> Mapping[Path, Source]:
        """The first source of each path."""
        by_path: dict[Path, Source] = {}
        for source in self.sources:
            by_path.setdefault(source.path, source)
        return by_path

    def pieces(self, path: Path) -> Sequence[Piece]:
        """Return the texts of ``path`` in the prompt."""
        return self._pieces.get(path, ())

    @cached_property
    def _pieces(self) -> Mapping[Path, list[Piece]]:
        """The pieces of the prompt by the file that they come from."""
        by_path: dict[Path, list[Piece]] = {}
        start = 0  # in bytes
        for segment in self.prompt.segments:
            if segment.path:
                piece = Piece(start, segment.text, segment.line, segment.block)
                by_path.setdefault(segment.path, []).append(piece)
            start += _size(segment.text)
        return by_path

    def role(self, path: Path) -> str | None:
        """Return the role of the first message with text of ``path``, such as 'user', else None."""
        blocks = [piece.block for piece in self.pieces(path) if piece.block is not None]
        return self.prompt.roles[blocks[0]] if blocks else None

    def ranges(self, path: Path, line: int | None = None) -> Ranges:
        """Return (start, end) of the bytes of the prompt that stem from ``path``.

        With ``line``, from 0, only those that stem from this line. Empty ranges are left out.
        """
        ranges = []
        for piece in self.pieces(path):
            start, text = piece.start, piece.text
            if line is not None:
                lines = split_lines(text)
                index = line - piece.line
                if not 0 <= index < len(lines):  # the line is not in this piece
                    continue
                start += _size("".join(lines[:index]))
                text = lines[index]
            ranges.append((start, start + _size(text)))
        return tuple((start, end) for start, end in ranges if start < end)


def _real(path: Path) -> Path:
    """Return ``path`` without symlinks."""
    return Path(os.path.realpath(path))


def _size(text: str) -> int:
    """Return the size of ``text`` in UTF-8 bytes."""
    return len(text.encode("utf-8", "surrogatepass"))
