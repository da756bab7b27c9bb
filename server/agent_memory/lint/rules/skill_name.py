"""AM706: a skill name that runtimes warn about."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.base.model import Role, Severity
from agent_memory.l10n import t
from agent_memory.lint.rule import FileRule, Hit
from agent_memory.lint.shared.skills import is_installed_as_is, key_span, parsed
from agent_memory.skills.skill_file import name_warning

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lint.project import Project


def check(file: MemoryFile, project: Project) -> Iterator[Hit]:  # noqa: ARG001 -- one signature
    """Report a name that breaks the naming rules or differs from its folder."""
    skill = parsed(file)
    if isinstance(skill, str):
        return
    folder = file.path.parent.name if is_installed_as_is(file) else skill.name
    warning = name_warning(skill.name, folder, ascii_only=False)
    if warning:
        yield Hit(
            key_span(file, "name"),
            t("The skill still loads, but the runtime logs a warning: {0}. Rename it", warning),
        )


RULE = FileRule(
    "AM706",
    "skill-name",
    Severity.WARNING,
    "A skill name that runtimes warn about",
    check=check,
    roles=frozenset({Role.SKILL}),
)
