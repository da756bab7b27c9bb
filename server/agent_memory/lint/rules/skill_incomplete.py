"""AM703: a SKILL.md without a name or a description."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.base.model import Role, Severity
from agent_memory.l10n import t
from agent_memory.lint.rule import FileRule, Hit
from agent_memory.lint.shared.skills import (
    is_claude_code_only,
    is_loaded_by_agents,
    key_span,
    parsed,
    severity_of,
)
from agent_memory.skills.skill_file import Trouble

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lint.project import Project


def check(file: MemoryFile, project: Project) -> Iterator[Hit]:
    """Report the missing or empty key."""
    why = parsed(file)
    if is_claude_code_only(file) or not is_loaded_by_agents(file, project):
        return
    if isinstance(why, Trouble) and why.about in ("name", "description"):
        runtime = project.choice.runtime.id
        message = (
            t("{0} does not load this skill: `name` is missing or empty\nAdd a name.", runtime)
            if why.about == "name"
            else t(
                "{0} does not load this skill: `description` is missing or empty\n"
                "Write what the skill does, and for which tasks.",
                runtime,
            )
        )
        yield Hit(key_span(file, why.about), message, severity=severity_of(file, project))


RULE = FileRule(
    "AM703",
    "skill-incomplete",
    Severity.ERROR,
    "A skill without name or description",
    check=check,
    roles=frozenset({Role.SKILL}),
)
