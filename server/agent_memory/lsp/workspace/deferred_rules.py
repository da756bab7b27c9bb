"""Rules that take longer than a keystroke may are put off until the typing pauses.

Until then their last findings stand where their lines have moved to; those on lines that were
changed are left out. Cheap rules always run, so small files never wait for anything.
"""

from __future__ import annotations

import time
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
    from agent_memory.lint.rule import Hit, Rule

    Lines = Mapping[Path, Sequence[str]]

SLOW = 0.0005
"""Seconds of computing: a rule that took longer the last time waits for a pause."""


@dataclass(frozen=True, slots=True)
class _Kept:
    """What a rule found, how long it took in seconds, and the lines it looked at."""

    hits: Sequence[Hit]
    took: float
    lines: Lines


class DeferredRules:
    """Runs the rules of one project. While ``hurried``, slow ones answer from before.

    ``owed`` tells that an answer since the last complete run was from before.
    """

    def __init__(self) -> None:
        self.hurried = False
        self.owed = False
        self._kept: dict[tuple[str, Path | None], _Kept] = {}

    def file(self, rule: Rule, file: MemoryFile, project: Project) -> Iterable[Hit]:
        """Run a file rule."""
        assert rule.file is not None  # noqa: S101 -- told to the type checker
        check = rule.file
        return self._run((rule.code, file.path), project, lambda: check(file, project), file.path)

    def project(self, rule: Rule, project: Project) -> Iterable[Hit]:
        """Run a project rule."""
        assert rule.project is not None  # noqa: S101 -- told to the type checker
        check = rule.project
        return self._run((rule.code, None), project, lambda: check(project), None)

    def _run(
        self,
        key: tuple[str, Path | None],
        project: Project,
        check: Callable[[], Iterable[Hit]],
        path: Path | None,
    ) -> Iterable[Hit]:
        kept = self._kept.get(key)
        if kept and self.hurried and kept.took > SLOW:
            self.owed = True
            return list(_moved(kept, project, path))
        start = time.thread_time()
        hits = list(check())
        took = time.thread_time() - start
        paths = {path} if path else {hit.path for hit in hits}
        lines = {item: project.files[item].lines for item in paths if item in project.files}
        self._kept[key] = _Kept(hits, took, lines)
        return hits


def _moved(kept: _Kept, project: Project, path: Path | None) -> Iterator[Hit]:
    """Yield the hits of ``kept`` at the lines they stand on now."""
    moves: dict[Path, _Move] = {}
    for hit in kept.hits:
        where = hit.path or path
        file = project.files.get(where) if where else None
        if where is None or file is None or where not in kept.lines:
            yield hit
            continue
        if where not in moves:
            moves[where] = _Move(kept.lines[where], file.lines)
        moved = moves[where].hit(hit, where)
        if moved:
            yield moved


class _Move:
    """How the lines of a file moved: ``first`` to ``last`` of the old ones were changed."""

    def __init__(self, old: Sequence[str], new: Sequence[str]) -> None:
        self.first, tail = common_ends(old, new)
        self.last = len(old) - tail
        self.by = len(new) - len(old)

    def span(self, span: Span) -> Span | None:
        """Return where ``span`` is now, None where its lines were changed."""
        if span.end_line < self.first:
            return span
        if span.line >= self.last:
            return Span(span.line + self.by, span.start, span.end_line + self.by, span.end)
        return None

    def hit(self, hit: Hit, path: Path) -> Hit | None:
        """Return ``hit`` with all its places moved; None where its own lines were changed."""
        span = self.span(hit.span)
        if span is None:
            return None
        if not self.by and self._all_kept(hit, path):
            return hit
        related = [
            replace(item, span=place)
            for item in hit.related
            if (place := self.span(item.span) if item.path == path else item.span)
        ]
        fixes = [fix for item in hit.fixes if (fix := self._fix(item, path))]
        return replace(hit, span=span, related=tuple(related), fixes=tuple(fixes))

    def _all_kept(self, hit: Hit, path: Path) -> bool:
        """Whether none of the other places of ``hit`` is on a line that was changed."""
        places = [(item.path, item.span) for item in hit.related]
        places += [(edit.path, edit.span) for fix in hit.fixes for edit in fix.edits]
        return all(where != path or self.span(span) is not None for where, span in places)

    def _fix(self, fix: Fix, path: Path) -> Fix | None:
        edits = []
        for edit in fix.edits:
            span = self.span(edit.span) if edit.path == path else edit.span
            if span is None:
                return None
            edits.append(replace(edit, span=span))
        return replace(fix, edits=tuple(edits))
