"""AM404: a heading more than one level below the previous one."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from agent_memory.base.model import Severity
from agent_memory.l10n import t
from agent_memory.lint.rule import MEMORY_ROLES, FileRule, Hit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lint.project import Project


def check(file: MemoryFile, project: Project) -> Iterator[Hit]:  # noqa: ARG001 -- one signature
    """Report headings that skip a level downward."""
    # Not setext headings: their underline is often meant as a thematic break below a text.
    headings = [heading for heading in file.markdown.headings if heading.rows == 1]
    for before, heading in pairwise(headings):
        if heading.level > before.level + 1:
            yield Hit(
                file.line_span(heading.line),
                t(
                    "This heading has level {0} below a heading of level {1}\n"
                    "A level is missing. Use {2}.",
                    heading.level,
                    before.level,
                    "#" * (before.level + 1),
                ),
            )


RULE = FileRule(
    "AM404",
    "heading-jump",
    Severity.INFO,
    "A heading that skips a level",
    check=check,
    roles=MEMORY_ROLES,
    on=False,
)
