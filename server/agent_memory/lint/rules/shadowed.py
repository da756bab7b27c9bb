"""AM111: a memory file that the runtime does not read because another one replaces it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.base.model import Severity, Status
from agent_memory.base.text import Span
from agent_memory.l10n import t
from agent_memory.lint.rule import Hit, ProjectRule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.lint.project import Project


def check(project: Project) -> Iterator[Hit]:
    """Report every source whose status is shadowed."""
    for source in project.sources:
        if source.status is Status.SHADOWED:
            yield Hit(
                Span(0, 0, 0, 0),
                t("{0} does not read this file: {1}", project.choice.runtime.id, source.reason),
                path=source.path,
            )


RULE = ProjectRule(
    "AM111", "shadowed", Severity.WARNING, "A memory file that another one replaces", check=check
)
