"""AM702: a SKILL.md whose front matter is not valid YAML."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.base.model import Role, Severity
from agent_memory.l10n import t
from agent_memory.lint.rule import FileRule, Hit
from agent_memory.lint.shared.skills import (
    not_loaded,
    parsed,
    quoting,
    strict_reader,
    trouble_span,
)
from agent_memory.skills.skill_file import Trouble

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lint.project import Project


def check(file: MemoryFile, project: Project) -> Iterator[Hit]:
    """Report where parsing the front matter fails."""
    why = parsed(file)
    if isinstance(why, Trouble) and why.about == "yaml":
        span = trouble_span(file, why)
        skipped_by = strict_reader(file, project)  # the id of a runtime, '' if unknown
        fixes = quoting(file, span.line)
        advice = t("Put the value in quotes.") if fixes else t("Correct the front matter.")
        # Claude Code and Codex accept a value that only lacks quotes. With other invalid YAML, they
        # lose its values or skip the skill.
        severity_elsewhere = Severity.INFO if fixes else Severity.WARNING
        message = f"{not_loaded(skipped_by, why)}\n{advice}"
        yield Hit(span, message, fixes, severity=None if skipped_by else severity_elsewhere)


RULE = FileRule(
    "AM702",
    "skill-yaml",
    Severity.ERROR,
    "A skill whose front matter is not YAML",
    check=check,
    roles=frozenset({Role.SKILL}),
)
