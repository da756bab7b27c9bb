"""AM702: a SKILL.md whose front matter is not valid YAML."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.model import Role, Severity
from agent_memory.rules.base import Hit, MemoryFile, Project, Rule
from agent_memory.rules.skill_trouble import YAML, parsed, place, quoting

if TYPE_CHECKING:
    from collections.abc import Iterator


def check(file: MemoryFile, project: Project) -> Iterator[Hit]:  # noqa: ARG001 -- one signature
    """Report the place where reading the front matter fails."""
    why = parsed(file)
    if isinstance(why, str) and why.startswith(YAML):
        span = place(file, why)
        yield Hit(
            span,
            f"The agent never hears of this skill: {why}. A value with a colon and a blank needs "
            "quotes",
            quoting(file, span.line),
        )


RULE = Rule(
    "AM702",
    "skill-yaml",
    Severity.ERROR,
    "A skill whose front matter is not YAML",
    file=check,
    roles=frozenset({Role.SKILL}),
)
