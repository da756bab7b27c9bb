"""AM805: an entry for which the index in the prompt has no room."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.model import Role, Severity, Status
from agent_memory.rules.base import Hit, Project, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator


def check(project: Project) -> Iterator[Hit]:
    """Report entries that the runtime leaves out of its list."""
    for source in project.sources:
        if source.role is not Role.ENTRY or source.status is not Status.IGNORED:
            continue
        if source.reason.startswith("no room"):
            yield Hit(
                project.head(source.path),
                f"The agent does not see this entry in its prompt: {source.reason}. Global "
                "entries come first; forget what is out of date",
                path=source.path,
            )


RULE = Rule(
    "AM805",
    "entry-starved",
    Severity.INFO,
    "An entry the index has no room for",
    project=check,
)
