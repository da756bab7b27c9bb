"""One project as the editor sees it, with its findings cached until something changes.

A keystroke replaces one file of the project. The findings of each other file stay cached while
its text and the findings of project rules in it are the same.

A large project is checked in the background (:mod:`agent_memory.lsp.workspace.background_check`);
until that is done, findings are those of its last check, shifted to the current lines.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from agent_memory.base.model import Role
from agent_memory.lint.engine import file_findings, new_line_cache, project_findings
from agent_memory.lint.open_project import open_project
from agent_memory.lsp.workspace.background_check import Check
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
LARGE = 1 << 16
"""Bytes above which a file or project is checked in the background: 100 to 200 ms of CPU time."""
SLOW_CHECK = 0.2
"""CPU seconds of a check after which the project counts as large."""


class ProjectView:
    """A checked project. ``ctx`` and ``runtime_id`` are those it was opened with.

    A ``runtime_id`` of None is that of the settings, else detected. ``other_files`` are checked
    although no runtime of the project reads them.
    """

    def __init__(
        self, ctx: Context, runtime_id: str | None, other_files: Sequence[Path] = ()
    ) -> None:
        self.ctx = ctx
        self.runtime_id = runtime_id
        self.project: Project = open_project(ctx, runtime_id, other_files)
        self._cache_scans()
        self._rules = DeferredRules()
        self._line_cache = new_line_cache()
        # The findings of project rules, by path; None: not known.
        self._across: dict[Path, list[Finding]] | None = None
        self._stale_across = False  # those in `_across` may be from before the last change
        # Files of which the cached findings may be from before the last change.
        self._stale_paths: set[Path] = set()
        # By path: (content, its findings of project rules, all findings computed from both).
        self._found: dict[Path, tuple[FileText, Sequence[Finding], Sequence[Finding]]] = {}
        self._slow = False  # the last check took more than SLOW_CHECK: see is_large
        self._bytes: int | None = None  # the size of all files; None: not computed yet
        self._missing: set[Path] = set()  # not checked yet: see is_missing
        self._checked: set[Path] = set()  # files that a check in the background has checked
        self._checked_across = False  # a check in the background has run the project rules
        self._failed: set[Path] = set()  # files whose last check in the background failed
        self._is_checking = False  # a check of this view is running in the background

    def renewed(self, ctx: Context, other_files: Sequence[Path] = ()) -> ProjectView:
        """Return a new view after a change on disk, with a new ``ctx`` and new ``other_files``.

        Unchanged files keep their scans. Of a large project, the findings of the last check are
        still used until the next one.
        """
        fresh = ProjectView(ctx, self.runtime_id, other_files)
        fresh._line_cache = self._line_cache
        for path, file in fresh.project.files.items():
            old = self.project.files.get(path)
            if old and old.content is file.content and old.source == file.source:
                fresh.project.files[path] = old
        fresh._slow = self._slow
        if fresh.is_large:  # else all rules run again at the next request
            fresh._rules, fresh._checked = self._rules, self._checked
            fresh._checked_across = self._checked_across
        return fresh

    def reads(self, path: Path) -> bool:
        """Whether ``path`` is a source of the runtime, or an unread file near its sources."""
        return self.project.reads(path)

    def has_found(self, path: Path) -> bool:
        """Whether the project itself has found ``path``, which then need not be added to it.

        Such a file is a source of a listed runtime, or an unread file near these sources.
        """
        return path in self.project.files and path in self.project.found

    def paths(self) -> list[Path]:
        """Return the existing files of the project: its runtime's in load order, then the rest."""
        return list(self.project.files)

    def findings(self, path: Path, *, defer: bool = False) -> Sequence[Finding]:
        """Return the findings in ``path``, in its buffer if it is open, else on disk.

        ``defer``: slow rules may return the findings of their last run (see
        :mod:`agent_memory.lsp.workspace.deferred_rules`); in a large project they always may.
        """
        self.sync(path)
        if self.is_large:
            return self._findings(path, defer=True)
        if not defer:
            self._drop_stale()
        start = time.thread_time()
        findings = self._findings(path, defer=defer)
        # The first check in a process also compiles expressions and imports modules. If no other
        # file of this view was checked, this may be it.
        is_first_check = len(self._found) <= 1
        self._slow = time.thread_time() - start > SLOW_CHECK and not is_first_check
        return findings

    def _findings(self, path: Path, *, defer: bool) -> Sequence[Finding]:
        """Return the findings in ``path``, cached until it or the project's findings in it change.

        If a check would take long, only those of project rules are returned, and the rest is left
        to the background: ``path`` is then stale and missing. It is checked here, however, if its
        last check in the background failed.
        """
        with self._rules.run(defer=defer):
            across = self._project_findings().get(path, [])
            self._stale_across = self._stale_across or self._rules.is_stale
            file = self.project.files.get(path)
            if file is None:
                return across  # not a memory file; project rules can report it
            cached = self._found.get(path)
            if cached:
                content, cached_across, findings = cached
                if content is file.content and cached_across == across:
                    return findings
            # A check that failed in the background would fail there again.
            if self._takes_long(file) and path not in self._failed:
                self._stale_paths.add(path)
                self._missing.add(path)
                return across
            self._rules.is_stale = False  # it now says whether a file rule was deferred
            findings = file_findings(
                self.project, path, across, self._rules.file, line_cache=self._line_cache
            )
        self._found[path] = (file.content, across, findings)
        self._missing.discard(path)
        if self._rules.is_stale:
            self._stale_paths.add(path)
        return findings

    # -- checks in the background

    @property
    def is_large(self) -> bool:
        """Whether the project is checked in the background: it has many bytes, or it was slow."""
        if self._bytes is None:
            self._bytes = sum(file.content.size for file in self.project.files.values())
        return self._slow or self._bytes > LARGE

    @property
    def has_missing(self) -> bool:
        """Whether the findings of a file are not known until a check in the background."""
        return bool(self._missing)

    @property
    def is_in_first_check(self) -> bool:
        """Whether a check is running in the background, without which findings are not known."""
        return self._is_checking and self.has_missing

    def is_missing(self, path: Path) -> bool:
        """Whether the findings of ``path`` are not known until a check in the background."""
        return path in self._missing

    def _takes_long(self, file: MemoryFile) -> bool:
        """Whether a check of ``file`` in this thread would take long.

        A small file does not, unless its project is slow. Any other does until the background has
        checked it, and later with more than ``LARGE`` characters on lines that are not cached.
        """
        if file.content.size <= LARGE and not self._slow:
            return False
        return (
            file.path not in self._checked
            or self._line_cache.characters_to_check(file.lines) > LARGE
        )

    def background_check(self) -> Check:
        """Return a check of everything that is stale; pass it to :meth:`accept` when it is done."""
        self._is_checking = True
        return Check(self.project, sorted(self._stale_paths), self._line_cache)

    def accept(self, check: Check, *, succeeded: bool) -> None:
        """Use the results of ``check``. What has changed since it was created stays stale.

        After a check that failed, all its rules run in the thread of the requests, which report the
        failure.
        """
        self._is_checking = False
        self._slow = check.seconds > SLOW_CHECK  # False if it failed: then `seconds` is 0
        self._checked_across = True
        self._checked.update(check.paths)
        self._missing.difference_update(check.paths)
        # A file that the project does not have is not in `found`: there is nothing to check.
        self._stale_paths.difference_update(path for path in check.paths if path not in check.found)
        if not succeeded:
            self._failed.update(check.paths)
            self._rules = DeferredRules()  # without last runs no rule is deferred
            self._across, self._stale_across = None, False
            for path in check.paths:
                self._found.pop(path, None)
                self._stale_paths.discard(path)
            return
        self._failed.difference_update(check.paths)
        self._rules.adopt(check.rules)
        files = self.project.files
        contents = {path: file.content for path, file in check.project.files.items()}
        was_edited = contents.keys() != files.keys() or any(
            files[path].content is not content for path, content in contents.items()
        )
        if was_edited:  # since the check was created
            self._across = None  # the next request shifts findings of slow rules to new lines
            return
        self._across, self._stale_across = check.across, False
        for path, findings in check.found.items():
            self._found[path] = (contents[path], check.across.get(path, []), findings)
            self._stale_paths.discard(path)

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

    def sync(self, *paths: Path) -> None:
        """Update the project to the current text of open buffers and of the files ``paths``.

        If a change may alter what the runtime reads, the project is opened again.
        """
        store = self.ctx.store
        opened = [path for path in self.project.files if store.is_open(path)]
        for path in dict.fromkeys([*opened, *paths]):
            content = store.read(path)
            file = self.project.files.get(path)
            if file and file.content is content:
                continue
            if file is None and path not in paths:  # _reopen, called for another path, dropped it
                continue
            if self._reshapes(file, content):
                self._reopen(path)
            elif file:
                self.project = self.project.edited(path, file.edited(content))
                self._across = self._bytes = None

    def _reopen(self, path: Path) -> None:
        """Open the project again: the runtime may use ``path`` differently now.

        Unchanged files keep their scans. Files that no runtime reads are still checked.
        """
        unread = [old_path for old_path in self.project.files if not self.reads(old_path)]
        project = open_project(self.ctx, self.runtime_id, [*unread, path])
        for old_path, file in self.project.files.items():
            new = project.files.get(old_path)
            if new and new.content is file.content and new.source == file.source:
                project.files[old_path] = file
        self.project = project
        self._cache_scans()
        self._across = self._bytes = None

    def _cache_scans(self) -> None:
        """Give open files a scan cache, so that their first edit scans only what changed."""
        files = self.project.files
        for path, file in files.items():
            if self.ctx.store.is_open(path):
                files[path] = file.edited(file.content)

    def _project_findings(self) -> dict[Path, list[Finding]]:
        """Return the findings of project rules by path, cached until a file changes.

        For a large project {} until its first check in the background; each such call sets
        `is_stale` of the rules.
        """
        if self._across is None:
            if self.is_large and not self._checked_across:
                self._rules.is_stale = True
                return {}
            self._across = project_findings(self.project, self._rules.project)
        return self._across

    def _reshapes(self, file: MemoryFile | None, content: FileText) -> bool:
        """Whether the new content may change the list of sources or their status.

        ``file`` is the file as checked before, None if it was not in the project.
        """
        if file is None:  # it was created, or is checked for the first time
            return content.failure != "missing"
        old = file.content
        limit = self.project.choice.runtime.max_file_bytes
        # The file became readable or unreadable, or empty or not empty.
        if (old.failure, bool(old.text)) != (content.failure, bool(content.text)):
            return True
        # The runtime truncates or ignores files above its limit.
        if limit is not None and (old.size > limit) != (content.size > limit):
            return True
        return file.source.role in _WITH_METADATA and _head(old.lines) != _head(content.lines)


def _head(lines: Sequence[str]) -> Sequence[str]:
    """Return the lines above the first ``---`` below line 0, or all lines if there is no such line.

    They include the front matter, if the file has any.
    """
    for number in range(1, len(lines)):
        if lines[number].startswith("---"):
            return lines[:number]
    return lines
