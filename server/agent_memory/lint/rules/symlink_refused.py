"""AM105: a symlink that the runtime does not follow."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.base.model import Severity, Status
from agent_memory.l10n import t
from agent_memory.lint.rule import FileRule, Hit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lint.project import Project


def check(file: MemoryFile, project: Project) -> Iterator[Hit]:
    """Report a file that the runtime does not load because it is reached through a symlink."""
    status = file.source.status
    if status not in (Status.UNREADABLE, Status.IGNORED) or not file.source.linked:
        return
    yield Hit(
        file.head,
        t(
            "{1} does not read {0} through its symlink: {2}\n"
            "Replace the link with a copy of the file.",
            file.path.name,
            project.choice.runtime.id,
            file.source.reason,
        ),
        # UNREADABLE: the agent fails, or a skill is missing. IGNORED: it skips the file.
        severity=Severity.ERROR if status is Status.UNREADABLE else Severity.WARNING,
    )


RULE = FileRule(
    "AM105",
    "symlink-refused",
    Severity.ERROR,
    "A symlink that the runtime does not follow",
    check=check,
    varies=True,
)
