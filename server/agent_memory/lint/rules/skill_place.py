"""AM705: a skill in a place that the runtime does not search."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.base.model import Role, Severity, Status
from agent_memory.l10n import t
from agent_memory.lint.rule import Hit, ProjectRule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.lint.project import Project


def check(project: Project) -> Iterator[Hit]:
    """Report skills in the folder of skills itself, or one folder too deep."""
    for source in project.sources:
        misplaced = source.role is Role.SKILL and source.status is Status.IGNORED
        if misplaced and source.path.name == "SKILL.md":
            yield Hit(
                project.head(source.path),
                t("{0} does not find this skill: {1}", project.choice.runtime.id, source.reason),
                path=source.path,
            )


RULE = ProjectRule(
    "AM705",
    "skill-place",
    Severity.ERROR,
    "A skill where the runtime does not search",
    check=check,
)
