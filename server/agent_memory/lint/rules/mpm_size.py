"""AM821: an agent's memory near or over the size at which Claude MPM drops items."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.base.model import Severity
from agent_memory.l10n import t
from agent_memory.lint.rule import MEMORY_ROLES, FileRule, Hit
from agent_memory.lint.rules.file_too_large import line_over_limit
from agent_memory.lint.shared import claude_mpm

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lint.project import Project


def check(file: MemoryFile, project: Project) -> Iterator[Hit]:
    """Report a file over its limit, or over 80 % of it."""
    if not claude_mpm.is_memory(file):
        return
    limit, size = claude_mpm.size_kb(file, project) * 1024, file.content.size
    if size * 100 <= limit * 80:
        return
    share = size * 100 // limit
    if size <= limit:
        message = t(
            "This file is almost full: {0:,} of {1:,} bytes ({2} %)\nClaude MPM keeps {1:,} bytes.",
            size,
            limit,
            share,
        )
        yield Hit(file.head, message, severity=Severity.INFO)
        return
    yield Hit(
        file.line_span(line_over_limit(file.lines, limit)),
        t(
            "This file has {0:,} bytes, {1} % of Claude MPM's limit\n"
            "It exceeds the limit of {2:,} bytes on this line. With the next learning, Claude MPM "
            "drops items until the file fits, starting with Recent Learnings. Remove outdated "
            "items.",
            size,
            share,
            limit,
        ),
    )


RULE = FileRule(
    "AM821",
    "mpm-size",
    Severity.WARNING,
    "A Claude MPM memory over its size limit",
    check=check,
    roles=MEMORY_ROLES,
    varies=True,
)
