"""AM109: a memory file with a name or in a folder that the runtime does not read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.base.model import (
    Fix,
    Role,
    Severity,
    Status,
)
from agent_memory.l10n import t
from agent_memory.lint.rule import Hit, ProjectRule
from agent_memory.prompt.unread_files import Why

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.lint.project import Project

_EXCLUDED = lazy_compile(r"\A---\r?\n(?:[^\n]+\n){0,9}excludeAgent:")
"""The key ``excludeAgent`` of GitHub Copilot in the first lines of front matter."""
_REPORTED = (Why.GENERATION, Why.NAME, Why.PLACE)
"""The others have rules of their own: AM108 (letter case) and AM110 (both files exist)."""


def check(project: Project) -> Iterator[Hit]:
    """Report files that look like memory but are not found, and memory that is never read."""
    yield from _not_found(project)
    yield from _ignored(project)


def _not_found(project: Project) -> Iterator[Hit]:
    """Report files that look like memory, but have another name or folder than the runtime reads.

    The fix moves the file, unless the wanted file exists.
    """
    for unread in project.unread_files:
        if unread.why not in _REPORTED:
            continue
        path, wanted = unread.source.path, unread.wanted
        move = Fix(t("Move to {0}", project.shown(wanted)), renames=((path, wanted),), safe=False)
        yield Hit(
            project.head(path),
            t(
                "{0} does not read this file: it looks for {1}",
                project.choice.runtime.id,
                project.shown(wanted),
            ),
            () if unread.taken else (move,),
            path=path,
        )


def _ignored(project: Project) -> Iterator[Hit]:
    """Report memory and instructions that the runtime ignores."""
    for source in project.sources:
        if source.status is not Status.IGNORED or source.linked:
            continue  # another rule reports symlinks
        if _EXCLUDED.search(project.ctx.store.read(source.path).text):
            continue  # the file itself says which agents leave it out
        if source.role in (Role.MEMORY, Role.INSTRUCTIONS):
            yield Hit(
                project.head(source.path),
                t(
                    "{0} does not read this file: {1}",
                    project.choice.runtime.id,
                    project.shown_in(source.reason),
                ),
                path=source.path,
            )


RULE = ProjectRule(
    "AM109",
    "not-loaded-name",
    Severity.WARNING,
    "A memory file the runtime does not look for",
    check=check,
    per_runtime=True,
)
