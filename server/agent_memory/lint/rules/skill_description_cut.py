"""AM707: a skill description or compatibility note that is cut off."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.base.model import Role, Severity
from agent_memory.l10n import t
from agent_memory.lint.rule import FileRule, Hit
from agent_memory.lint.shared.skills import key_span, parsed
from agent_memory.skills.skill_file import MAX_COMPATIBILITY, MAX_DESCRIPTION, Trouble

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lint.project import Project


def check(file: MemoryFile, project: Project) -> Iterator[Hit]:  # noqa: ARG001 -- one signature
    """Report values longer than what reaches the agent."""
    skill = parsed(file)
    if isinstance(skill, Trouble):
        return  # other rules report why it is not loaded
    values = (
        ("description", skill.description, MAX_DESCRIPTION),
        ("compatibility", skill.compatibility, MAX_COMPATIBILITY),
    )
    for key, value, most in values:
        if len(value) > most:
            yield Hit(
                key_span(file, key),
                t(
                    "The {0} has {1:,} characters; the agent sees the first {2:,}\nShorten it.",
                    key,
                    len(value),
                    most,
                ),
            )


RULE = FileRule(
    "AM707",
    "skill-description-cut",
    Severity.WARNING,
    "A skill description that is cut off",
    check=check,
    roles=frozenset({Role.SKILL}),
)
