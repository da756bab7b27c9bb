"""What the runtimes of installed agents share: program, root, composition in blocks."""

from __future__ import annotations

import os
from abc import abstractmethod
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from agent_memory.base.model import Exactness, Role, Scope, Segment, Severity, Source, Status
from agent_memory.config import project_root
from agent_memory.fs.reader import Failure
from agent_memory.l10n import t
from agent_memory.runtimes import wording
from agent_memory.runtimes.agents import program_pieces
from agent_memory.runtimes.base import Composition, Runtime
from agent_memory.runtimes.reading import failures, numbered, status_of
from agent_memory.runtimes.segments import MessageBlock, in_blocks

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from agent_memory.base.model import Problem
    from agent_memory.config.context import Context
    from agent_memory.fs.reader import FileText

MAX_ENTRIES = 10_000
"""Entries of a folder of rules that are examined, subfolders included."""
_SHARED = ("AGENTS.md", "CLAUDE.md", "GEMINI.md", "QWEN.md")
"""Names of memory files that those of another agent often import, such as ``@AGENTS.md``."""


class Agent(Runtime):
    """An agent that people install for themselves.

    A subclass declares its ``pieces``, finds its files and puts them into blocks.
    """

    pieces: ClassVar[program_pieces.PieceSpec]
    compared_reading: ClassVar[bool] = False
    """Whether ``reading_blocks`` were compared with the program."""

    def __init_subclass__(cls) -> None:
        """Set ``program`` from the pieces, and add the key of its path to ``settings``."""
        super().__init_subclass__()
        cls.program = cls.pieces.program
        cls.settings = (cls.program.key, *cls.settings)

    def root(self, ctx: Context) -> Path | None:
        """Return the root in the settings, else the nearest folder with a ``.git``, or None.

        A folder ``.git`` counts, and so does the file of a worktree or submodule.
        """
        return project_root.root_of(ctx, project_root.has_git)

    @abstractmethod
    def find(self, ctx: Context) -> Sequence[Source]:
        """Return the files in load order, those that are not loaded included."""

    def sources(self, ctx: Context) -> list[Source]:
        """Return the files in load order, the loaded ones numbered."""
        return numbered(self.find(ctx))

    @abstractmethod
    def blocks(
        self, ctx: Context, sources: Sequence[Source], texts: Mapping[str, str]
    ) -> Sequence[MessageBlock]:
        """Return the blocks that the agent composes from its loaded ``sources``.

        ``texts`` are the texts around memory by the names in ``pieces``: those of the agent, or our
        own wording. A block without text is left out of the prompt.
        """

    def notices(self, ctx: Context, sources: Sequence[Source]) -> list[Problem]:  # noqa: ARG002
        """Return problems besides files that cannot be read, such as a file that the agent cuts.

        Unlike those of :meth:`not_shown`, they do not lower the exactness of the preview. By
        default there is no problem.
        """
        return []

    def not_shown(self, ctx: Context, sources: Sequence[Source]) -> list[Problem]:  # noqa: ARG002
        """Return a problem for each part of the prompt that the preview lacks.

        With such a problem the preview is at most unverified. By default the preview lacks nothing.
        """
        return []

    def compose(self, ctx: Context, sources: Sequence[Source], base: str = "") -> Composition:
        """Return ``base`` in a system block and the memory in the blocks of the agent."""
        wrapper = program_pieces.load(ctx, self.root(ctx), self.pieces)
        blocks = self.blocks(ctx, sources, wrapper.texts)
        segments, roles = in_blocks([MessageBlock("system", [Segment(base, "base")]), *blocks])
        missing_parts = self.not_shown(ctx, sources)
        exactness = wrapper.exactness
        if missing_parts:
            exactness = min(exactness, Exactness.UNVERIFIED, key=wording.rank)
        return Composition(
            segments,
            exactness,
            wrapper.version,
            wrapper.origin,
            (*failures(sources, Severity.WARNING), *self.notices(ctx, sources), *missing_parts),
            roles,
        )

    def condition_below(self, ctx: Context, path: Path) -> str:
        """Return the sentence that ``path`` is added when the agent reads a file next to it.

        '' unless the folder of ``path`` is below the working folder: files elsewhere are sent at
        the start, or never.
        """
        if ctx.cwd.resolve() not in path.parent.parents:
            return ""
        return t("added when {0} reads a file in {1}", self.title, path.parent)

    def reading_blocks(
        self,
        ctx: Context,  # noqa: ARG002
        path: Path,  # noqa: ARG002
        texts: Mapping[str, str],  # noqa: ARG002
    ) -> Sequence[MessageBlock]:
        """Return the blocks that are added when the agent reads ``path``.

        The kind of the segments of a file is its scope. By default nothing is added.
        """
        return []

    def reading(self, ctx: Context, path: Path) -> Composition:
        """Return what is added to the tool's result when the agent reads ``path``.

        It is at most unverified unless ``compared_reading`` is set.
        """
        wrapper = program_pieces.load(ctx, self.root(ctx), self.pieces)
        blocks = self.reading_blocks(ctx, path, wrapper.texts)
        segments, roles = in_blocks(blocks)
        exactness = wrapper.exactness
        if not self.compared_reading:
            exactness = min(exactness, Exactness.UNVERIFIED, key=wording.rank)
        return Composition(segments, exactness, wrapper.version, wrapper.origin, roles=roles)


def loaded_files(sources: Sequence[Source]) -> list[Source]:
    """Return those of an agent's ``sources`` that are in the prompt, whole or truncated."""
    return [source for source in sources if source.order is not None]


def import_role(path: Path) -> Role:
    """Return the role of an imported file: MEMORY if its name is in ``_SHARED``, else NOTE."""
    return Role.MEMORY if path.name in _SHARED else Role.NOTE


def memory_source(path: Path, scope: Scope, status: Status, reason: str = "") -> Source:
    """Return the memory file ``path`` as a source, displayed by its whole path."""
    return Source(path, scope, Role.MEMORY, status, reason, str(path))


def missing(path: Path, scope: Scope = Scope.PROJECT) -> Source:
    """Return ``path`` as a memory file that does not exist."""
    return memory_source(path, scope, Status.MISSING, t("the file does not exist"))


def absent(found: Sequence[Source], usual: Mapping[Scope, Path]) -> list[Source]:
    """Return the file in ``usual`` as missing for each scope without a file in ``found``."""
    scopes = {source.scope for source in found}
    return [missing(path, scope) for scope, path in usual.items() if scope not in scopes]


def read_status(content: FileText) -> tuple[Status, str]:
    """Return (status, reason) of a file for an agent that loads it even if it is not UTF-8."""
    if content.failure is Failure.UNDECODABLE:
        return Status.LOADED, t("each invalid byte is read as U+FFFD")
    return status_of(content)


def sent_source(content: FileText, scope: Scope, sent: str, empty: str = "") -> Source:
    """Return the file ``content`` as a source; ``sent`` is what the agent sends of its text.

    If ``sent`` is '', a readable file with text is EMPTY. Its reason is then ``empty``, by default
    that the file is blank.
    """
    status, reason = read_status(content)
    if status is Status.LOADED and not sent:
        status, reason = Status.EMPTY, empty or t("the file is blank")
    return memory_source(content.path, scope, status, reason)


def files_below(folder: Path, suffixes: tuple[str, ...]) -> list[Path]:
    """Return the files with one of ``suffixes`` in ``folder`` and its subfolders, sorted.

    Links are left out. At most ``MAX_ENTRIES`` entries are examined: the folder that exceeds this
    number and the folders after it are left out.
    """
    paths: list[str] = []
    examined = 0  # entries, each folder included
    for parent, _, names in os.walk(folder):
        examined += len(names) + 1
        if examined > MAX_ENTRIES:
            break
        matching = [os.path.join(parent, name) for name in names if name.endswith(suffixes)]  # noqa: PTH118
        paths += [path for path in matching if not os.path.islink(path)]  # noqa: PTH114
    return [Path(path) for path in sorted(paths)]
