"""AM104: a memory file without content for the agent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.base.model import Severity
from agent_memory.base.text import BOM
from agent_memory.l10n import t
from agent_memory.lint.rule import MEMORY_ROLES, FileRule, Hit
from agent_memory.runtimes.segments import outside_comments

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lint.project import Project


def check(file: MemoryFile, project: Project) -> Iterator[Hit]:
    """Report a file without text, or with only comments that the runtime removes."""
    text = file.content.text.lstrip(BOM).strip()
    if not text:
        yield Hit(
            file.head,
            t(
                "This file contains no text\n"
                "Write what the agent should remember, or delete the file."
            ),
            severity=Severity.INFO,  # unlike below, no text is lost
        )
    elif project.choice.runtime.strips_comments and not outside_comments(text).strip():
        yield Hit(
            file.head,
            t(
                "{0} removes HTML comments, and this file contains nothing else\n"
                "The agent sees none of it. Move the text out of the comment.",
                project.choice.runtime.id,
            ),
        )


RULE = FileRule(
    "AM104",
    "empty",
    Severity.WARNING,
    "A memory file without content for the agent",
    check=check,
    roles=MEMORY_ROLES,
    varies=True,
)
