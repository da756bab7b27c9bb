"""AM823: an item longer than Claude MPM writes it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.base.model import Severity
from agent_memory.base.text import Span
from agent_memory.l10n import t
from agent_memory.lint.rule import MEMORY_ROLES, FileRule, Hit
from agent_memory.lint.shared import claude_mpm

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lint.project import Project


def check(file: MemoryFile, project: Project) -> Iterator[Hit]:  # noqa: ARG001 -- one signature
    """Report items over 120 characters."""
    if not claude_mpm.is_memory(file) or claude_mpm.is_flat(file):
        return  # the limit is that of version 3; a flat file is one of version 4 or later
    for item in file.markdown.items:
        if len(item.text) > claude_mpm.LINE_MAX:
            end = item.start + len(item.text)
            yield Hit(
                Span.on_line(item.line, item.start + claude_mpm.LINE_MAX, end),
                t(
                    "This item has {0} characters; Claude MPM cuts its items at {1}\n"
                    "Shorten it, or split it.",
                    len(item.text),
                    claude_mpm.LINE_MAX,
                ),
            )


RULE = FileRule(
    "AM823",
    "mpm-line",
    Severity.INFO,
    "An item over the length that Claude MPM writes",
    check=check,
    roles=MEMORY_ROLES,
)
