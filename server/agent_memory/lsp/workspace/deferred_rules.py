"""Rules that take longer than a keystroke may are put off until the typing pauses.

Until then their last findings stand where their lines have moved to; those on lines that were
changed are left out. Cheap rules always run, so small files never wait for anything.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from agent_memory.base.text import Span

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from agent_memory.base.model import Fix
    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lint.project import Project
    from agent_memory.lint.rule import FileCheck, Hit, ProjectCheck

    Lines = Mapping[Path, Sequence[str]]

SLOW = 0.0005
"""Seconds of computing: a rule that took longer the last time waits for a pause."""
_CHUNK = 256


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

    def file(
        self, code: str, check: FileCheck, file: MemoryFile, project: Project
    ) -> Iterable[Hit]:
        """Run the check of the file rule ``code``."""
        return self._run((code, file.path), project, lambda: check(file, project), file.path)

    def project(self, code: str, check: ProjectCheck, project: Project) -> Iterable[Hit]:
        """Run the check of the project rule ``code``."""
        return self._run((code, None), project, lambda: check(project), None)

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
        self.first = _common(old, new, len(old), len(new), 1)
        behind = _common(old, new, len(old) - self.first, len(new) - self.first, -1)
        self.last = len(old) - behind
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


def _common(old: Sequence[str], new: Sequence[str], old_room: int, new_room: int, step: int) -> int:
    """Return how many lines are the same, from the front (step 1) or from the back (-1)."""
    room = min(old_room, new_room)
    same = 0
    while same < room:
        size = min(_CHUNK, room - same)
        if step > 0:
            equal = old[same : same + size] == new[same : same + size]
        else:
            a, b = len(old) - same, len(new) - same
            equal = old[a - size : a] == new[b - size : b]
        if not equal:
            break
        same += size
    else:
        return same
    while same < room:
        at = (same, same) if step > 0 else (len(old) - 1 - same, len(new) - 1 - same)
        if old[at[0]] != new[at[1]]:
            break
        same += 1
    return same
