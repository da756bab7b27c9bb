"""AM805: an entry that does not fit into the index in the prompt."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.base.model import Role, Severity
from agent_memory.l10n import t
from agent_memory.lint.rule import Hit, ProjectRule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.lint.project import Project


def check(project: Project) -> Iterator[Hit]:
    """Report entries that do not fit into the list of entries in the prompt."""
    for source in project.sources:
        if source.left_out and source.role is Role.ENTRY:
            yield Hit(
                project.head(source.path),
                t(
                    "The prompt does not list this entry: {0}\n"
                    "Global entries are listed first. Remove outdated entries.",
                    project.shown_in(source.reason),
                ),
                path=source.path,
            )


RULE = ProjectRule(
    "AM805",
    "entry-starved",
    Severity.INFO,
    "An entry that does not fit into the index",
    check=check,
)
