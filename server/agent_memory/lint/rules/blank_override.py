"""AM133: a blank override that hides the file below it.

Codex takes the first of AGENTS.override.md and AGENTS.md that exists, even if it is blank, so the
agent gets neither (measured in 0.169.0).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.base.model import Related, Severity, Status
from agent_memory.base.text import Span
from agent_memory.l10n import t
from agent_memory.lint.rule import Hit, ProjectRule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.lint.project import Project

_START = Span(0, 0, 0, 0)


def check(project: Project) -> Iterator[Hit]:
    """Report each file that the runtime does not read because it reads a blank one instead."""
    blank = {item.path for item in project.sources if item.status is Status.EMPTY}
    for source in project.sources:
        by = source.by  # the file that the runtime reads instead
        if source.status is Status.SHADOWED and by is not None and by in blank:
            yield Hit(
                project.head(source.path),
                t(
                    "{0} reads the blank {1} instead of this file\n"
                    "The agent gets neither. Delete {1}, or write into it.",
                    t(project.choice.runtime.title),
                    by.name,
                ),
                related=(Related(by, _START, t("the blank file")),),
                path=source.path,
            )


RULE = ProjectRule(
    "AM133",
    "blank-override",
    Severity.WARNING,
    "A blank file that hides another one",
    check=check,
    per_runtime=True,
    replaces=("AM111",),
    varies=True,
)
