"""AM111: a memory file that the runtime does not read because of another one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.model import Severity, Status
from agent_memory.rules.base import Hit, Project, Rule
from agent_memory.text import Span

if TYPE_CHECKING:
    from collections.abc import Iterator


def check(project: Project) -> Iterator[Hit]:
    """Report every source whose status is shadowed."""
    for source in project.sources:
        if source.status is Status.SHADOWED:
            yield Hit(
                Span(0, 0, 0, 0),
                f"{project.choice.runtime.id} does not read this file: {source.reason}",
                path=source.path,
            )


RULE = Rule("AM111", "shadowed", Severity.WARNING, "A file that another one hides", project=check)
