"""AM131: an `@path` import that the runtime does not follow.

Claude Code skips an import outside of the folder it starts in until the user approves it, and says
nothing (anthropics/claude-code, issues 78697 and 12076; measured in 2.1.330). Gemini CLI puts an
error comment in its place.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from agent_memory.base.model import Role, Severity, Status
from agent_memory.base.text import Span
from agent_memory.fs.reader import Failure
from agent_memory.l10n import t
from agent_memory.lint.rule import Hit, ProjectRule

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from agent_memory.base.model import Source
    from agent_memory.lint.project import Project


def check(project: Project) -> Iterator[Hit]:
    """Report the line of each import that is not followed, although its file exists."""
    for source in (*project.sources, *_later_imports(project)):
        # An imported file is a note, and ``by`` is the file that imports it.
        if source.role is not Role.NOTE or source.status is not Status.IGNORED or not source.by:
            continue
        if project.ctx.store.read(source.path).failure is Failure.MISSING:
            continue  # AM502 reports imports of missing files
        place = _place(project, source, source.by)
        if place is None:
            continue  # the importing file is not checked
        shown = project.shown(source.path)
        message = t(
            "{0} does not load {1}: {2}",
            t(project.choice.runtime.title),
            shown,
            source.refusal,  # without "imported by …": the place of the hit shows it
        )
        if source.action:
            message = f"{message}\n{source.action}"
        yield Hit(place, project.shown_in(message), path=source.by)


def _later_imports(project: Project) -> list[Source]:
    """Return the imports of the files that the agent loads after the start, such as nested ones."""
    of_start = {source.path for source in project.sources}
    # `files` may lack the files of other runtimes, which `of_check` then has.
    checked = project.of_check or project.files
    later = [
        path for path, file in checked.items() if path not in of_start and "@" in file.content.text
    ]
    return project.choice.runtime.later_imports(project.ctx, later) if later else []


def _place(project: Project, source: Source, importer: Path) -> Span | None:
    """Return the position of the import in ``importer``, its first line if it is not found.

    None if ``importer`` is not a file of the check.
    """
    file = (project.of_check or project.files).get(importer)
    if file is None:
        return None
    for link in file.links:
        target = project.target_of(link, importer)
        if target and _same(target, source.path):
            return Span.on_line(link.line, link.start, link.end)
    return file.head


def _same(one: Path, other: Path) -> bool:
    """Return whether both paths lead to one file; paths with different names count as two."""
    if one == other:
        return True
    # Not Path.resolve, which raises for a symlink loop before Python 3.13.
    return one.name == other.name and os.path.realpath(one) == os.path.realpath(other)


RULE = ProjectRule(
    "AM131",
    "import-not-followed",
    Severity.WARNING,
    "An import that the agent does not follow",
    check=check,
    per_runtime=True,
    varies=True,
)
