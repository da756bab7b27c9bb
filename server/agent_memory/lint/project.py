"""The input of a check: the runtime's sources and their files."""

from __future__ import annotations

import os
from copy import copy
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from agent_memory.base.model import Source, Status
from agent_memory.base.text import Span
from agent_memory.base.unlocked_property import unlocked_property
from agent_memory.fs.file_index import FileIndex
from agent_memory.l10n import t
from agent_memory.markdown.links import target_of
from agent_memory.runtimes.classify import is_user_file

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from agent_memory.config.context import Context
    from agent_memory.lint.baseline import Baseline
    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.markdown.links import Link
    from agent_memory.prompt.compose import Prompt
    from agent_memory.prompt.unread_files import UnreadFile
    from agent_memory.runtimes.selection import Choice


@dataclass(frozen=True)
class Project:
    """The input of a check: the runtime's sources and their files.

    ``choice`` is the chosen runtime and agent. ``root`` is the project's root by the rule of that
    runtime, None if it finds no project. ``files`` are those to check, also ones that are not
    ``sources``. ``compose`` composes the runtime's prompt. ``baseline`` None: no finding is left
    out. ``unread_files`` look like memory, but the runtime does not find them.
    """

    ctx: Context
    choice: Choice
    root: Path | None
    sources: tuple[Source, ...]
    files: dict[Path, MemoryFile]
    compose: Callable[[], Prompt]
    found: frozenset[Path] = frozenset()
    """The sources of all listed runtimes and the unread files near them; other files were given."""
    of_check: dict[Path, MemoryFile] | None = None
    """All files of the check if the runtime is another listed one; None: :attr:`files` are all."""
    baseline: Baseline | None = None
    unread_files: tuple[UnreadFile, ...] = ()
    files_there: FileIndex | None = None
    """The index that :attr:`tree` returns; None: a new one."""
    others: tuple[str, ...] = ()
    """The ids of the other listed runtimes, for which rules with ``per_runtime`` are run too."""
    failures: Mapping[str, str] = field(default_factory=dict)
    """The type of the error that ended the listing of the sources, by the id of the runtime."""
    opened_others: dict[str, Project | None] = field(default_factory=dict, compare=False)
    """The projects of ``others`` that are open, None for one that cannot be opened."""
    is_runtime_sure: bool = False
    """Whether the user named the runtime, it is installed, or a file is of no other runtime."""

    def edited(self, path: Path, file: MemoryFile) -> Project:
        """Replace the file at ``path`` in ``files``; return a copy, which shares ``files``.

        The copy composes the prompt again if :meth:`reads` is true of ``path``. It keeps all other
        cached properties, such as ``tree``: they depend on the names of files only. Projects of
        other runtimes that have ``path`` are opened again when they are needed.
        """
        self.files[path] = file
        for runtime_id, other in list(self.opened_others.items()):
            if other and path in other.files:
                del self.opened_others[runtime_id]
        new = copy(self)  # a check that still uses `self` keeps the prompt of the old text
        if self.reads(path):
            new.__dict__.pop("prompt", None)  # the cached property
        return new

    def reads(self, path: Path) -> bool:
        """Return whether ``path`` is one of ``sources`` or of ``unread_files``.

        The prompt is composed from both.
        """
        unread = (item.source for item in self.unread_files)
        return any(source.path == path for source in (*self.sources, *unread))

    @unlocked_property
    def prompt(self) -> Prompt:
        """The prompt of the runtime, composed at first use."""
        return self.compose()

    @cached_property
    def tree(self) -> FileIndex:
        """The index of all files below :attr:`root`, or without one below the current folder."""
        root = self.root or self.ctx.cwd
        return self.files_there or FileIndex(root, history=self.ctx.history)

    def folder_from_root(self, path: Path) -> str | None:
        """Return the folder of ``path`` relative to the root of :attr:`tree`; '.' is the root.

        None if it is outside of the root. Also None for user memory, which applies to every
        project, and for all files if the root is the home folder, which is not a project.
        """
        folder = path.parent
        if folder not in self._below:
            self._below[folder] = self._from_root(folder)
        return self._below[folder]

    @cached_property
    def _below(self) -> dict[Path, str | None]:
        """The cache of :meth:`folder_from_root`, by folder."""
        return {}

    def _from_root(self, folder: Path) -> str | None:
        """Return :meth:`folder_from_root` of a file in ``folder``, without its cache."""
        root = self.tree.root
        if root == self.ctx.home or is_user_file(folder, self.ctx.home):
            return None
        return folder.relative_to(root).as_posix() if folder.is_relative_to(root) else None

    def target_of(self, link: Link, path: Path) -> Path | None:
        """Return the path that ``link`` in the file ``path`` points to; it may not exist.

        A leading slash stands for the root of :attr:`tree`, except in files outside of it. None for
        a URL and an invalid name.
        """
        root = self.tree.root if self.folder_from_root(path) is not None else None
        return target_of(link, path, self.ctx.home, root)

    def head(self, path: Path) -> Span:
        """Return the position of a finding about the whole of ``path``: its first line.

        The start of the file if it is not one of :attr:`files`.
        """
        file = self.files.get(path)
        return file.head if file else Span(0, 0, 0, 0)

    def shown(self, path: Path) -> str:
        """Return ``path`` for display: relative to the project's root or to ``~``, else whole."""
        for base, prefix in ((self.root, ""), (self.ctx.home, "~/")):
            if base and path.is_relative_to(base):
                return prefix + path.relative_to(base).as_posix()
        return str(path)

    def shown_in(self, text: str) -> str:
        """Return ``text`` with each path in it as :meth:`shown` returns it."""
        inside = text.replace(f"{self.root}{os.sep}", "") if self.root else text
        return inside.replace(f"{self.ctx.home}{os.sep}", "~/")

    def effect(self, file: MemoryFile) -> str:
        """Return a sentence about what the runtime does with ``file``, which is not readable text.

        If the runtime does not read the file, the sentence is about other runtimes too.
        """
        source, runtime = file.source, self.choice.runtime
        said = source.effect
        if source.status in (Status.LOADED, Status.TRUNCATED):
            said = said or source.reason  # such as U+FFFD for each byte that is not UTF-8
        elif source.status is not Status.UNREADABLE:
            said = ""
        if said:
            return f"{runtime.id}: {said}."
        return t("{0} does not read it, but other runtimes may fail on it.", runtime.id)
