"""What the prompt has of a file: agents drop comments, front matter or a byte order mark."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.base.text import BOM, split_lines

if TYPE_CHECKING:
    from pathlib import Path

    from agent_memory.lint.project import Project


def sent_lines(project: Project, path: Path) -> frozenset[int]:
    """Return the lines of the file ``path`` (from 0) that the prompt contains."""
    lines: set[int] = set()
    for segment in project.prompt.segments:
        if segment.path == path:
            count = len(split_lines(segment.text))
            lines.update(range(segment.line, segment.line + count))
    return frozenset(lines)


def has_sent_mark(project: Project, path: Path) -> bool:
    """Whether the prompt contains the byte order mark of the file ``path``."""
    return any(
        segment.path == path and segment.text.startswith(BOM) for segment in project.prompt.segments
    )
