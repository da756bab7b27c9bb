"""AM303: a file that the runtime reads only in part; the first line it does not read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.base.model import Severity, Status
from agent_memory.l10n import t
from agent_memory.lint.rule import MEMORY_ROLES, FileRule, Hit
from agent_memory.lint.rules.file_too_large import line_over_limit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lint.project import Project


def check(file: MemoryFile, project: Project) -> Iterator[Hit]:
    """Report a file that the runtime cuts because it exceeds the runtime's limit for one file."""
    runtime, size = project.choice.runtime, file.content.size
    limit = runtime.max_file_bytes
    if limit is None or size <= limit or file.source.status is not Status.TRUNCATED:
        return  # not cut, or cut for another reason, such as the budget of all files
    line = line_over_limit(file.lines, limit)
    lost = len(file.lines) - line
    message = (
        t(
            "{0} does not read the last line of this file\n"
            "It reads the first {1:,} of the {2:,} bytes. Move important text up, or split the "
            "file.",
            runtime.id,
            limit,
            size,
        )
        if lost == 1
        else t(
            "{0} does not read the last {3:,} lines of this file\n"
            "It reads the first {1:,} of the {2:,} bytes. Move important text up, or split the "
            "file.",
            runtime.id,
            limit,
            size,
            lost,
        )
    )
    yield Hit(file.line_span(line), message)


RULE = FileRule(
    "AM303",
    "cut-off",
    Severity.WARNING,
    "A file the runtime cuts off",
    check=check,
    per_runtime=True,
    roles=MEMORY_ROLES,
    varies=True,
)
