"""Debounce slow rules: while the user types, reuse their last findings, shifted to the new lines.

A finding on a changed line is dropped until the rule runs again. Quick rules always run, so
small files are never deferred.
"""

from __future__ import annotations

import time
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from agent_memory.base.text import Span
from agent_memory.base.text_diff import common_ends

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from agent_memory.base.model import Fix
    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lint.project import Project
    from agent_memory.lint.rule import FileCheck, Hit, ProjectCheck

    Lines = Mapping[Path, Sequence[str]]
    Key = tuple[str, Path | None]  # code of a rule; file of a file rule, None for a project rule

SLOW = 0.0005
"""CPU seconds: a rule that took longer in its last run is deferred."""


@dataclass(slots=True)
class _LastRun:
    """The findings of a rule, the lines of their files at that time, and whether it was slow.

    ``extents`` has for each of these files the first and last lines of all positions in it: of
    findings, related locations and edits. None: not computed yet.
    """

    hits: Sequence[Hit]
    lines: Lines
    slow: bool = False
    extents: Mapping[Path, Sequence[tuple[int, int]]] | None = None


class CheckCanceledError(BaseException):  # the check of a rule must not catch it
    """The check was canceled between two rules."""


class DeferredRules:
    """Runs the rules of one project inside :meth:`run`.

    ``is_stale`` is True if a rule was deferred since the start of :meth:`run`. The project's view
    also sets it, for results left to the background, and clears it before the rules of a file.
    ``is_canceled`` may be set from another thread: the next rule is not run. ``clock`` measures
    the seconds of one rule, by default as wall time.
    """

    def __init__(self, clock: Callable[[], float] = time.perf_counter) -> None:
        self.is_stale = False
        self.is_canceled = False
        self._clock = clock
        self._defer = False
        self._cache: dict[Key, _LastRun] = {}
        # By the identities of the old and the new lines: most rules compare the same two lists.
        self._shifts: dict[tuple[int, int], _Shift] = {}
        self._suspects: list[_LastRun] = []  # took longer than SLOW by `clock`, in this run

    @contextmanager
    def run(self, *, defer: bool) -> Iterator[None]:
        """Run rules inside; with ``defer``, slow ones return the findings of their last run.

        A rule is slow only if its time by the clock and the CPU time of all rules exceed ``SLOW``.
        Wall time alone would count other processes, and reading the CPU time around each rule
        costs 60 % of a keystroke in a file of 8 KB.
        """
        self._defer, self.is_stale = defer, False
        self._suspects.clear()
        self._shifts.clear()
        start = time.thread_time()
        yield
        if self._suspects and time.thread_time() - start > SLOW:
            for last in self._suspects:
                last.slow = True

    def adopt(self, other: DeferredRules) -> None:
        """Use the last runs of ``other``, which has run in another thread, as those of this one."""
        self._cache |= other._cache

    def file(
        self, code: str, check: FileCheck, file: MemoryFile, project: Project
    ) -> Iterable[Hit]:
        """Return the findings of the file rule ``code``: of its last run if it is deferred."""
        return self._run((code, file.path), project, lambda: check(file, project), file.path)

    def project(self, code: str, check: ProjectCheck, project: Project) -> Iterable[Hit]:
        """Return the findings of the project rule ``code``: of its last run if it is deferred."""
        return self._run((code, None), project, lambda: check(project), None)

    def _run(
        self, key: Key, project: Project, check: Callable[[], Iterable[Hit]], path: Path | None
    ) -> Iterable[Hit]:
        """Return the findings of ``check``; if it is deferred, those of its last run, shifted.

        ``key`` is (code of the rule, ``path``), ``path`` the file of a file rule, None for a
        project rule. A rule is deferred only if its last run is known and was slow.

        Raises:
            CheckCanceledError: ``is_canceled`` was set.

        """
        if self.is_canceled:
            raise CheckCanceledError
        last = self._cache.get(key)
        if last and self._defer and last.slow:
            self.is_stale = True
            return self._shifted(last, project, path)
        start = self._clock()
        hits = list(check())
        seconds = self._clock() - start
        if last and not last.hits and not hits:  # as for most rules: only `slow` can have changed
            last.slow = False
        else:
            hits = _with_old_objects(last.hits, hits) if last else hits
            last = self._cache[key] = _LastRun(hits, _lines_of(hits, project, path))
        if seconds > SLOW:
            self._suspects.append(last)  # slow if the CPU time of all rules says so, too
        return hits

    def _shifted(self, last: _LastRun, project: Project, path: Path | None) -> Sequence[Hit]:
        """Return the findings of ``last`` on the current lines, without those on changed lines.

        A finding in a file that the project does not have stays as it is. ``path`` is the file of
        a file rule, None for a project rule.
        """
        files = project.files
        shifts = {
            old_path: self._shift(lines, files[old_path].lines)
            for old_path, lines in last.lines.items()
            if old_path in files
        }
        if last.extents is None:
            last.extents = _extents(last, path)
        if all(shift.keeps_all(last.extents[hit_path]) for hit_path, shift in shifts.items()):
            return last.hits  # as after most keystrokes
        shifted = []
        for hit in last.hits:
            hit_path = hit.path or path  # a hit without a path is in the file of the file rule
            shift = shifts.get(hit_path) if hit_path else None
            shifted.append(shift.hit(hit, hit_path) if shift and hit_path else hit)
        return [hit for hit in shifted if hit]

    def _shift(self, old: Sequence[str], new: Sequence[str]) -> _Shift:
        """Return how the lines ``old`` shifted to ``new``, computed once in a run."""
        key = (id(old), id(new))
        shift = self._shifts.get(key)
        if shift is None:
            shift = self._shifts[key] = _Shift(old, new)
        return shift


def _with_old_objects(old: Sequence[Hit], new: Sequence[Hit]) -> list[Hit]:
    """Return ``new``, but with the object of ``old`` where both have an equal hit at an index.

    The finding of a hit is cached in the old object, so it need not be created again.
    """
    pairs = zip(old, new, strict=False)
    reused = [old_hit if old_hit == hit else hit for old_hit, hit in pairs]
    return [*reused, *new[len(reused) :]]


def _lines_of(hits: Sequence[Hit], project: Project, path: Path | None) -> Lines:
    """Return the lines of the files that ``hits`` are in, by path.

    ``path`` is the file of a file rule, None for a project rule, whose hits name their files.
    """
    if not hits:
        return {}
    paths = {path} if path else {hit.path for hit in hits}
    return {
        hit_path: project.files[hit_path].lines for hit_path in paths if hit_path in project.files
    }


def _extents(last: _LastRun, path: Path | None) -> Mapping[Path, Sequence[tuple[int, int]]]:
    """Return the ``extents`` of ``last``; ``path`` is the file of a file rule, else None."""
    extents: dict[Path, list[tuple[int, int]]] = {hit_path: [] for hit_path in last.lines}
    for hit in last.hits:
        positions = [(hit.path or path, hit.span)]
        positions += [(related.path, related.span) for related in hit.related]
        positions += [(edit.path, edit.span) for fix in hit.fixes for edit in fix.edits]
        for position_path, span in positions:
            if position_path in extents:
                extents[position_path].append((span.line, span.end_line))
    return extents


class _Shift:
    """How the lines of a file shifted: old lines ``first`` to ``last`` (exclusive) changed.

    Those below moved down by ``by`` lines, or up if it is negative.
    """

    def __init__(self, old: Sequence[str], new: Sequence[str]) -> None:
        self._compared = (old, new)  # while they are referred to, no other list has their id
        self.first, tail = common_ends(old, new)  # how many first and last lines are equal
        self.last = len(old) - tail
        self.by = len(new) - len(old)

    def keeps_all(self, extents: Iterable[tuple[int, int]]) -> bool:
        """Whether each of ``extents``, (first line, last line), is on the same unchanged lines."""
        if self.by:
            return False
        return all(end < self.first or line >= self.last for line, end in extents)

    def span(self, span: Span) -> Span | None:
        """Return the current position of ``span``, None if one of its lines changed."""
        if span.end_line < self.first:
            return span
        if span.line >= self.last:
            return Span(span.line + self.by, span.start, span.end_line + self.by, span.end)
        return None

    def hit(self, hit: Hit, path: Path) -> Hit | None:
        """Return ``hit``, which is in ``path``, with all positions shifted.

        None if its own lines changed. Related locations and fixes on changed lines are dropped.
        """
        span = self.span(hit.span)
        if span is None:
            return None
        if not self.by and self._all_unchanged(hit, path):
            return hit  # the same object: its finding needs no new conversion
        related = []
        for related_location in hit.related:
            if related_location.path != path:
                related.append(related_location)
                continue
            related_span = self.span(related_location.span)
            if related_span is not None:
                related.append(replace(related_location, span=related_span))
        shifted_fixes = [self._fix(fix, path) for fix in hit.fixes]
        fixes = tuple(fix for fix in shifted_fixes if fix is not None)
        return replace(hit, span=span, related=tuple(related), fixes=fixes)

    def _all_unchanged(self, hit: Hit, path: Path) -> bool:
        """Whether no related location or edit of ``hit`` is on a changed line of ``path``."""
        if not hit.related and not hit.fixes:
            return True
        positions = [(related.path, related.span) for related in hit.related]
        positions += [(edit.path, edit.span) for fix in hit.fixes for edit in fix.edits]
        # Positions in other files are not shifted.
        return all(other != path or self.span(span) is not None for other, span in positions)

    def _fix(self, fix: Fix, path: Path) -> Fix | None:
        """Return ``fix`` with its edits of ``path`` shifted, None if one is on a changed line.

        Edits of other files stay as they are.
        """
        edits = []
        for edit in fix.edits:
            span = self.span(edit.span) if edit.path == path else edit.span
            if span is None:
                return None
            edits.append(replace(edit, span=span))
        return replace(fix, edits=tuple(edits))
