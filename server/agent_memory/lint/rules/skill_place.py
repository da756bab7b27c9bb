"""AM705: a skill in a place that the runtime does not search."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.base.model import Role, Severity, Status
from agent_memory.l10n import t
from agent_memory.lint.rule import Hit, ProjectRule

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from agent_memory.lint.project import Project


def check(project: Project) -> Iterator[Hit]:
    """Report SKILL.md files in the folder of skills itself, or one folder too deep."""
    for source in project.sources:
        misplaced = source.role is Role.SKILL and source.status is Status.IGNORED
        if misplaced and source.path.name == "SKILL.md":
            severity = _severity(source.path, project)
            # Skills in other agents' folders have one cause, so reports show them as one.
            cause = {"cause": "skills in groups"} if severity else {}
            yield Hit(
                project.head(source.path),
                _message(project, project.shown_in(source.reason)),
                path=source.path,
                severity=severity,
                data=cause,
            )


def _message(project: Project, reason: str) -> str:
    """Return the message; a runtime that is only guessed is not named."""
    if project.is_runtime_sure:
        return t("{0} does not find this skill: {1}", project.choice.runtime.id, reason)
    return t("Some agents do not find this skill: {0}", reason)


def _severity(path: Path, project: Project) -> Severity | None:
    """Return the severity, None for the rule's own.

    It is information in folders of other agents if no setting names the runtime: some of them, such
    as Codex, search for skills in groups.
    """
    in_own_folder = not {*project.choice.runtime.folders}.isdisjoint(path.parts)
    is_set = not project.ctx.settings.is_default("runtime")
    return None if in_own_folder or is_set else Severity.INFO


RULE = ProjectRule(
    "AM705",
    "skill-place",
    Severity.ERROR,
    "A skill where the runtime does not search",
    check=check,
)
