"""Everything one check looks at: the runtime's sources and their files."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from agent_memory.base.model import Source, Status
from agent_memory.base.text import Span
from agent_memory.fs.file_index import FileIndex
from agent_memory.l10n import t
from agent_memory.runtimes.classify import is_user_file

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from agent_memory.config.context import Context
    from agent_memory.lint.baseline import Baseline
    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.prompt.compose import Prompt
    from agent_memory.prompt.unread_files import UnreadFile
    from agent_memory.runtimes.selection import Choice


@dataclass(frozen=True)
class Project:
    """Everything one check looks at: the runtime's sources and their files."""

    ctx: Context
    choice: Choice
    root: Path | None
    sources: tuple[Source, ...]
    files: dict[Path, MemoryFile]
    compose: Callable[[], Prompt]
    baseline: Baseline | None = None
    strays: tuple[UnreadFile, ...] = ()
    files_there: FileIndex | None = None

    @cached_property
    def prompt(self) -> Prompt:
        """The composed prompt; composed when a rule first asks."""
        return self.compose()

    @cached_property
    def tree(self) -> FileIndex:
        """The files of the project, memory or not."""
        return self.files_there or FileIndex(self.root or self.ctx.cwd)

    def below_root(self, path: Path) -> str | None:
        """Return the folder of ``path`` from the project's root, None where it is in none.

        User memory is about every project, and a home folder is none: neither is searched.
        """
        folder = path.parent
        if folder not in self._below:
            self._below[folder] = self._from_root(folder)
        return self._below[folder]

    @cached_property
    def _below(self) -> dict[Path, str | None]:
        return {}

    def _from_root(self, folder: Path) -> str | None:
        root = self.tree.root
        if root == self.ctx.home or is_user_file(folder, self.ctx.home):
            return None
        return folder.relative_to(root).as_posix() if folder.is_relative_to(root) else None

    def head(self, path: Path) -> Span:
        """Return where a finding about the whole of ``path`` stands."""
        file = self.files.get(path)
        return file.head if file else Span(0, 0, 0, 0)

    def shown(self, path: Path) -> str:
        """Return ``path`` as people write it: from the project's root, or from ``~``."""
        for base, prefix in ((self.root, ""), (self.ctx.home, "~/")):
            if base and path.is_relative_to(base):
                return prefix + path.relative_to(base).as_posix()
        return str(path)

    def fate(self, file: MemoryFile) -> str:
        """Return in a sentence what the runtime makes of a file it cannot read."""
        source, runtime = file.source, self.choice.runtime
        if source.status in (Status.UNREADABLE, Status.LOADED) and source.effect:
            return f"{runtime.id}: {source.effect}."
        return t("{0} does not read it, but other runtimes may fail on it.", runtime.id)
