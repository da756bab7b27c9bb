"""One project as the editor sees it, with its findings cached until something changes.

A keystroke replaces one file of the project. The findings of each other file stay cached while
its text and the findings of project rules in it are the same.
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
from agent_memory.lsp.workspace.deferred_rules import DeferredRules

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from agent_memory.base.model import Finding
    from agent_memory.config.context import Context
    from agent_memory.fs.reader import FileText
    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lint.project import Project

_WITH_METADATA = frozenset({Role.SKILL, Role.ENTRY})
"""Roles whose front matter decides how the runtime uses the file."""


class ProjectView:
    """A checked project. ``ctx`` and ``runtime_id`` are those it was opened with."""

    def __init__(self, ctx: Context, runtime_id: str | None) -> None:
        self.ctx = ctx
        self.runtime_id = runtime_id
        self.project: Project = open_project(ctx, runtime_id)
        self._cache_scans()
        self._rules = DeferredRules()
        self._line_cache = new_line_cache()
        self._stale_paths: set[Path] = set()
        self._stale_across = False
        self._across: dict[Path, list[Finding]] | None = None
        self._found: dict[Path, tuple[FileText, Sequence[Finding], Sequence[Finding]]] = {}

    def renewed(self, ctx: Context) -> ProjectView:
        """Return the view after a change on disk; unchanged files keep their scans."""
        fresh = ProjectView(ctx, self.runtime_id)
        fresh._line_cache = self._line_cache
        for path, file in fresh.project.files.items():
            old = self.project.files.get(path)
            if old and old.content is file.content and old.source == file.source:
                fresh.project.files[path] = old
        return fresh

    def reads(self, path: Path) -> bool:
        """Whether ``path`` is one of the runtime's sources, or was meant to be one."""
        meant = (item.source for item in self.project.unread_files)
        return any(source.path == path for source in (*self.project.sources, *meant))

    def paths(self) -> list[Path]:
        """Return the existing files of the project in load order."""
        return list(self.project.files)

    def findings(self, path: Path, *, defer: bool = False) -> Sequence[Finding]:
        """Return the findings in ``path``, in its buffer if it is open, else on disk.

        ``defer``: slow rules may return the findings of their last run (see
        :mod:`agent_memory.lsp.workspace.deferred_rules`).
        """
        self.sync(path)
        if not defer:
            self._drop_stale()
        with self._rules.run(defer=defer):
            across = self._project_findings().get(path, [])
            self._stale_across = self._stale_across or self._rules.is_stale
            file = self.project.files.get(path)
            if file is None:
                return across
            cached = self._found.get(path)
            if cached and cached[0] is file.content and cached[1] == across:
                return cached[2]
            self._rules.is_stale = False
            found = file_findings(
                self.project, path, across, self._rules.file, line_cache=self._line_cache
            )
        self._found[path] = (file.content, across, found)
        if self._rules.is_stale:
            self._stale_paths.add(path)
        return found

    @property
    def has_stale(self) -> bool:
        """Whether a returned finding may be from before the last change."""
        return self._stale_across or bool(self._stale_paths)

    def _drop_stale(self) -> None:
        """Drop findings computed while slow rules were deferred."""
        if self._stale_across:
            self._across, self._stale_across = None, False
        for path in self._stale_paths:
            self._found.pop(path, None)
        self._stale_paths.clear()

    def sync(self, *more: Path) -> None:
        """Update the project to the current text of open buffers and of the files ``more``."""
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
                files[path] = file.edited(content)
                self._changed()

    def _reopen(self, path: Path) -> None:
        """Open the project again: the runtime may use ``path`` differently now."""
        extra = [other for other in self.project.files if not self.reads(other)]
        project = open_project(self.ctx, self.runtime_id, [*extra, path])
        for other, file in self.project.files.items():
            new = project.files.get(other)
            if new and new.content is file.content and new.source == file.source:
                project.files[other] = file
        self.project = project
        self._cache_scans()
        self._changed()

    def _cache_scans(self) -> None:
        """Give open files a scan cache, so that their first edit scans only what changed."""
        files = self.project.files
        for path, file in files.items():
            if self.ctx.store.is_open(path):
                files[path] = file.edited(file.content)

    def _changed(self) -> None:
        self.project = replace(self.project)  # without the cached prompt
        self._across = None

    def _project_findings(self) -> dict[Path, list[Finding]]:
        if self._across is None:
            self._across = project_findings(self.project, self._rules.project)
        return self._across

    def _reshapes(self, file: MemoryFile | None, content: FileText) -> bool:
        """Whether the new content may change the list of sources or their status."""
        if file is None:
            return content.failure != "missing"
        old = file.content
        limit = self.project.choice.runtime.max_file_bytes
        if (old.failure, bool(old.text)) != (content.failure, bool(content.text)):
            return True
        if limit is not None and (old.size > limit) != (content.size > limit):
            return True
        return file.source.role in _WITH_METADATA and _head(old.lines) != _head(content.lines)


def _head(lines: Sequence[str]) -> Sequence[str]:
    """Return the lines up to the end of the front matter."""
    for number in range(1, len(lines)):
        if lines[number].startswith("---"):
            return lines[:number]
    return lines
