"""AM304: the AGENTS.md files from the root down are more than tools read of them together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.model import Severity
from agent_memory.rules.base import MEMORY_ROLES, Hit, MemoryFile, Project, Rule
from agent_memory.rules.file_too_large import line_at

if TYPE_CHECKING:
    from collections.abc import Iterator

LIMIT = 32_768
"""Bytes of the whole chain that tools which follow it read, root first (openai/codex, 7138)."""


def check(file: MemoryFile, project: Project) -> Iterator[Hit]:
    """Report a file that begins or ends behind the limit because of those above it."""
    base = project.below_root(file.path)
    if file.path.name != "AGENTS.md" or base in (None, ".") or "/." in f"/{base}":
        return
    above = 0
    for folder in file.path.parent.parents:
        above += project.ctx.store.read(folder / "AGENTS.md").size
        if folder == project.tree.root:
            break
    size = file.content.size
    if not above or above + size <= LIMIT:
        return
    if above >= LIMIT:
        yield Hit(
            file.head,
            f"Tools that read the AGENTS.md files from the root down stop at {LIMIT:,} bytes; "
            f"those above this one have {above:,}, so nothing of it is read. Shorten them",
        )
        return
    line = line_at(file.lines, LIMIT - above)
    yield Hit(
        file.line_span(line),
        f"With the AGENTS.md files above it, this file makes {above + size:,} bytes; tools that "
        f"read them from the root down stop at {LIMIT:,}, on this line. Shorten them, or move "
        "what matters up",
        severity=Severity.INFO,
    )


RULE = Rule(
    "AM304",
    "chain-too-large",
    Severity.WARNING,
    "A chain of AGENTS.md files that is cut off",
    file=check,
    roles=MEMORY_ROLES,
    varies=True,
)
