"""AM703: a SKILL.md without a name or a description."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.model import Role, Severity
from agent_memory.rules.base import Hit, MemoryFile, Project, Rule
from agent_memory.rules.skill_trouble import INCOMPLETE, key_span, parsed

if TYPE_CHECKING:
    from collections.abc import Iterator


def check(file: MemoryFile, project: Project) -> Iterator[Hit]:  # noqa: ARG001 -- one signature
    """Report the key that is missing or empty."""
    why = parsed(file)
    if isinstance(why, str) and why.startswith(INCOMPLETE):
        key = "name" if "`name`" in why else "description"
        says = "is called" if key == "name" else "is for and when to use it"
        yield Hit(
            key_span(file, key),
            f"The agent never hears of this skill: {why}. Say what it {says}",
        )


RULE = Rule(
    "AM703",
    "skill-incomplete",
    Severity.ERROR,
    "A skill without name or description",
    file=check,
    roles=frozenset({Role.SKILL}),
)
