"""AM703: a SKILL.md without a name or a description."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.base.model import Role, Severity
from agent_memory.l10n import t
from agent_memory.lint.rule import FileRule, Hit
from agent_memory.lint.shared.skills import (
    codex_reader,
    is_claude_code_only,
    is_loaded_by_agents,
    key_span,
    lenient_severity,
    not_loaded,
    parsed,
    strict_reader,
)
from agent_memory.skills.skill_file import Trouble

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lint.project import Project


def check(file: MemoryFile, project: Project) -> Iterator[Hit]:
    """Report a missing or empty name or description: the first of them."""
    why = parsed(file)
    # Claude Code needs neither key, and an application with skills elsewhere has its own loader.
    if is_claude_code_only(file) or not is_loaded_by_agents(file, project):
        return
    if isinstance(why, Trouble) and why.about in ("name", "description"):
        skipped_by = strict_reader(file, project)  # the id of a runtime, '' if unknown
        if why.about == "description":
            skipped_by = skipped_by or codex_reader(file)
            advice = t("Write what the skill does, and for which tasks.")
            severity_if_loaded = lenient_severity(file)
        else:  # Codex and Claude Code take the name of the folder
            advice = t("Add a name.")
            severity_if_loaded = Severity.INFO
        missing = t("`{0}` is missing or empty", why.about)
        message = f"{not_loaded(skipped_by, missing)}\n{advice}"
        severity = None if skipped_by else severity_if_loaded
        yield Hit(key_span(file, why.about), message, severity=severity)


RULE = FileRule(
    "AM703",
    "skill-incomplete",
    Severity.ERROR,
    "A skill without name or description",
    check=check,
    roles=frozenset({Role.SKILL}),
)
