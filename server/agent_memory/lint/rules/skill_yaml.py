"""AM702: a SKILL.md whose front matter is not valid YAML."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.base.model import Role, Severity
from agent_memory.l10n import t
from agent_memory.lint.rule import FileRule, Hit
from agent_memory.lint.shared.skills import parsed, place, quoting
from agent_memory.skills.skill_file import Trouble

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lint.project import Project


def check(file: MemoryFile, project: Project) -> Iterator[Hit]:
    """Report where parsing the front matter fails."""
    why = parsed(file)
    if isinstance(why, Trouble) and why.about == "yaml":
        span, runtime = place(file, why), project.choice.runtime.id
        fixes = quoting(file, span.line)
        message = (
            t("{0} does not load this skill: {1}\nPut the value in quotes.", runtime, why)
            if fixes
            else t("{0} does not load this skill: {1}\nCorrect the front matter.", runtime, why)
        )
        yield Hit(span, message, fixes)


RULE = FileRule(
    "AM702",
    "skill-yaml",
    Severity.ERROR,
    "A skill whose front matter is not YAML",
    check=check,
    roles=frozenset({Role.SKILL}),
)
