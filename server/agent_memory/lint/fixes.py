"""Applies fixes: selects edits that do not overlap, and returns the text after them."""

from __future__ import annotations

from bisect import bisect_left, insort
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from agent_memory.base.text import Span, apply_edits, newline_of
from agent_memory.fs.overlay import Store
from agent_memory.fs.reader import FileText, decode
from agent_memory.lint.engine import check_each

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

    from agent_memory.base.model import Edit, Finding, Fix
    from agent_memory.config.context import Context
    from agent_memory.lint.baseline import Baseline

ROUNDS = 10
"""Maximum number of checks per file: one fix may enable another."""


@dataclass(frozen=True, slots=True)
class Fixed:
    """The text of a file before and after its fixes; ``rename`` is the new path, if any.

    ``applied`` is the number of fixes, the rename included.
    """

    path: Path
    before: str
    after: str
    applied: int
    rename: Path | None = None


def fix_of(finding: Finding, *, unsafe: bool = False) -> Fix | None:
    """Return the first safe fix of ``finding``, or with ``unsafe`` the first fix; else None.

    Fixes that edit another file are skipped: only editors apply edits of several files atomically.
    """
    for fix in finding.fixes:
        if (fix.safe or unsafe) and all(edit.path == finding.path for edit in fix.edits):
            return fix
    return None


def edits_together(
    findings: Iterable[Finding], lines: Sequence[str], *, unsafe: bool = False
) -> tuple[list[Edit], int]:
    """Return the edits of one file that do not overlap, and the number of fixes they apply.

    ``findings`` and ``lines`` are those of the file. A fix is applied completely or not at all; of
    two overlapping fixes, only the first one is applied. The edits have the newline of the file.
    The renames of a fix are not applied here.
    """
    taken: list[Edit] = []
    spans: list[Span] = []  # of taken, sorted
    count = 0
    for finding in findings:
        fix = fix_of(finding, unsafe=unsafe)
        if fix is None or not fix.edits:  # no edits: it renames or creates a file
            continue
        if any(_overlaps(spans, edit.span) for edit in fix.edits):
            if all(edit in taken for edit in fix.edits):  # an earlier finding has the same fix
                count += 1
            continue
        count += 1
        taken += fix.edits
        for edit in fix.edits:
            insort(spans, edit.span)
    newline = newline_of(lines)
    return [_fitted(edit, newline) for edit in taken], count


def fix_all(
    ctx: Context,
    paths: Sequence[Path] | None = None,
    runtime_id: str | None = None,
    *,
    unsafe: bool = False,
    known: Baseline | None = None,
) -> list[Fixed]:
    """Return ``paths`` (None: every file of the project) with their fixes applied.

    Nothing is written, and open buffers are ignored. A file that no fix changes or renames is left
    out. Findings in the baseline ``known`` (by default the project's) are not fixed. The function
    is idempotent: fixes are repeated, up to ``ROUNDS`` times, until none applies.

    Raises:
        UsageError: the runtime is not known or the agent's id is not valid.

    """
    scratch = ctx.with_(store=Store())
    done: dict[Path, Fixed] = {}
    todo = paths
    for _ in range(ROUNDS):
        findings = check_each(scratch, todo, runtime_id, known=known).findings
        todo = _round(scratch, findings, done, unsafe=unsafe)
        if not todo:
            break
    return list(done.values())


def _round(
    ctx: Context, every_finding: Iterable[Finding], done: dict[Path, Fixed], *, unsafe: bool
) -> list[Path]:
    """Fix each file of ``every_finding`` once; return the files whose text changed.

    ``done`` has the results of the earlier rounds and gets those of this one. The fixed texts
    become open buffers of ``ctx``, so that the next round checks them.
    """
    by_path: dict[Path, list[Finding]] = {}
    for finding in every_finding:
        by_path.setdefault(finding.path, []).append(finding)
    changed = []
    for path, findings in by_path.items():
        content = ctx.store.read(path)
        edits, count = edits_together(findings, content.lines, unsafe=unsafe)
        earlier = done.get(path) or Fixed(path, content.text, content.text, 0)
        rename = earlier.rename or _new_path(findings, unsafe=unsafe)  # the first one of all rounds
        is_renamed = rename != earlier.rename
        after = apply_edits(content.lines, [(edit.span, edit.text) for edit in edits])
        if after != content.text or is_renamed:
            applied = earlier.applied + count + is_renamed
            done[path] = Fixed(path, earlier.before, after, applied, rename)
        if after != content.text:
            ctx.store.overlay(path, _returning(decode(path, after.encode("utf-8"))))
            changed.append(path)
    return changed


def _new_path(findings: Iterable[Finding], *, unsafe: bool) -> Path | None:
    """Return the path to which a fix renames the file of ``findings``; None without such a fix.

    A path at which another file exists is skipped. A path that differs only in letter case is not
    skipped: a file system that ignores case finds the old file there.
    """
    for finding in findings:
        fix = fix_of(finding, unsafe=unsafe)
        for old, new in fix.renames if fix else ():
            if old == finding.path and (not new.exists() or new.samefile(old)):
                return new
    return None


def _overlaps(spans: list[Span], span: Span) -> bool:
    """Return whether ``span`` overlaps one of ``spans``, or touches one and either is empty.

    An empty span is that of an insertion. ``spans`` are sorted and do not overlap, so only the
    neighbors of ``span`` in this order can overlap it.
    """
    index = bisect_left(spans, span)
    for neighbor in spans[max(0, index - 1) : index + 2]:
        first, second = sorted((span, neighbor))
        start_of_second, end_of_first = second[:2], first[2:]
        touch = start_of_second == end_of_first and (_is_empty(first) or _is_empty(second))
        if touch or start_of_second < end_of_first:
            return True
    return False


def _is_empty(span: Span) -> bool:
    """Return whether ``span`` starts where it ends: an edit of it only inserts text."""
    return span[:2] == span[2:]


def _returning(content: FileText) -> Callable[[], FileText]:
    """Return a function that returns ``content``: the form of an open buffer in a store."""
    return lambda: content


def _fitted(edit: Edit, newline: str) -> Edit:
    """Return ``edit`` with ``newline``, that of the file, at the end of its lines.

    Rules write line feeds, or the newline of the file. An edit of a file with line feeds therefore
    needs no change.
    """
    if newline == "\n" or "\n" not in edit.text:
        return edit
    return replace(edit, text=edit.text.replace("\r\n", "\n").replace("\n", newline))
