"""One project as the editor sees it, with what the rules found, kept until something changes.

A keystroke replaces one file of the project; findings of the others are kept while their text
and what the project rules say about them stay the same.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from agent_memory.base.model import Role
from agent_memory.lint.engine import (
    file_findings,
    new_line_cache,
    open_project,
    project_findings,
)
from agent_memory.lint.memory_file import MemoryFile
from agent_memory.lsp.workspace.deferred_rules import DeferredRules

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from agent_memory.base.model import Finding
    from agent_memory.config.context import Context
    from agent_memory.fs.reader import FileText
    from agent_memory.lint.project import Project

_NAMED = frozenset({Role.SKILL, Role.ENTRY})
"""Roles whose front matter decides what the runtime makes of the file."""


class ProjectView:
    """A checked project. ``ctx`` and ``runtime_id`` are those it was asked for with."""

    def __init__(self, ctx: Context, runtime_id: str | None) -> None:
        self.ctx = ctx
        self.runtime_id = runtime_id
        self.project: Project = open_project(ctx, runtime_id)
        self._patience = DeferredRules()
        self._line_cache = new_line_cache()
        self._owes: set[Path] = set()
        self._owes_across = False
        self._across: dict[Path, list[Finding]] | None = None
        self._found: dict[Path, tuple[FileText, Sequence[Finding], Sequence[Finding]]] = {}

    def renewed(self, ctx: Context) -> ProjectView:
        """Return the view after a change on disk; scans of files that stayed are kept."""
        fresh = ProjectView(ctx, self.runtime_id)
        fresh._line_cache = self._line_cache
        for path, file in fresh.project.files.items():
            old = self.project.files.get(path)
            if old and old.content is file.content and old.source == file.source:
                fresh.project.files[path] = old
        return fresh

    def reads(self, path: Path) -> bool:
        """Whether ``path`` is one of the runtime's sources, or was meant to be one."""
        meant = (item.source for item in self.project.strays)
        return any(source.path == path for source in (*self.project.sources, *meant))

    def paths(self) -> list[Path]:
        """Return the files of the project that are there, in load order."""
        return list(self.project.files)

    def findings(self, path: Path, *, hurried: bool = False) -> Sequence[Finding]:
        """Return what the rules find in ``path`` as its buffer, or else the disk, is now.

        ``hurried``: what slow rules found before will do (see :mod:`patience`).
        """
        self.sync(path)
        if not hurried:
            self._pay()
        patience = self._patience
        patience.hurried, patience.owed = hurried, False
        across = self._project_findings().get(path, [])
        self._owes_across = self._owes_across or patience.owed
        file = self.project.files.get(path)
        if file is None:
            return across
        known = self._found.get(path)
        if known and known[0] is file.content and known[1] == across:
            return known[2]
        patience.owed = False
        found = file_findings(
            self.project, path, across, patience.file, line_cache=self._line_cache
        )
        self._found[path] = (file.content, across, found)
        if patience.owed:
            self._owes.add(path)
        return found

    @property
    def owing(self) -> bool:
        """Whether something that was returned may be from before the last change."""
        return self._owes_across or bool(self._owes)

    def _pay(self) -> None:
        """Forget what was found in a hurry."""
        if self._owes_across:
            self._across, self._owes_across = None, False
        for path in self._owes:
            self._found.pop(path, None)
        self._owes.clear()

    def sync(self, *more: Path) -> None:
        """Take over what open buffers, and the files ``more``, hold now."""
        store, files = self.ctx.store, self.project.files
        paths = [path for path in files if store.is_open(path)]
        for path in dict.fromkeys([*paths, *more]):
            content = store.read(path)
            file = files.get(path)
            if file and file.content is content:
                continue
            if self._reshapes(file, content):
                self._reopen(path)
            elif file:
                files[path] = MemoryFile(path, content, file.source)
                self._changed()

    def _reopen(self, path: Path) -> None:
        """Gather the project anew: what ``path`` is to the runtime may be another thing now."""
        extra = [other for other in self.project.files if not self.reads(other)]
        project = open_project(self.ctx, self.runtime_id, [*extra, path])
        for other, file in self.project.files.items():
            new = project.files.get(other)
            if new and new.content is file.content and new.source == file.source:
                project.files[other] = file
        self.project = project
        self._changed()

    def _changed(self) -> None:
        self.project = replace(self.project)  # drops the prompt that was composed
        self._across = None

    def _project_findings(self) -> dict[Path, list[Finding]]:
        if self._across is None:
            self._across = project_findings(self.project, self._patience.project)
        return self._across

    def _reshapes(self, file: MemoryFile | None, content: FileText) -> bool:
        """Whether the new content may change which sources there are and their status."""
        if file is None:
            return content.failure != "missing"
        old = file.content
        limit = self.project.choice.runtime.max_file_bytes
        if (old.failure, bool(old.text)) != (content.failure, bool(content.text)):
            return True
        if limit is not None and (old.size > limit) != (content.size > limit):
            return True
        return file.source.role in _NAMED and _head(old.lines) != _head(content.lines)


def _head(lines: Sequence[str]) -> Sequence[str]:
    """Return the lines up to the end of the front matter."""
    for number in range(1, len(lines)):
        if lines[number].startswith("---"):
            return lines[:number]
    return lines
