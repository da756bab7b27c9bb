"""AM703: a SKILL.md without a name or a description."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.base.model import Role, Severity
from agent_memory.l10n import t
from agent_memory.lint.rule import FileRule, Hit
from agent_memory.lint.shared.skills import key_span, parsed
from agent_memory.skills.skill_file import Trouble

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lint.project import Project


def check(file: MemoryFile, project: Project) -> Iterator[Hit]:  # noqa: ARG001 -- one signature
    """Report the key that is missing or empty."""
    why = parsed(file)
    if isinstance(why, Trouble) and why.about in ("name", "description"):
        message = (
            t("The agent never hears of this skill: {0}. Say what it is called", why)
            if why.about == "name"
            else t(
                "The agent never hears of this skill: {0}. Say what it is for and when to use it",
                why,
            )
        )
        yield Hit(key_span(file, why.about), message)


RULE = FileRule(
    "AM703",
    "skill-incomplete",
    Severity.ERROR,
    "A skill without name or description",
    check=check,
    roles=frozenset({Role.SKILL}),
)
