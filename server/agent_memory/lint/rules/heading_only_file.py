"""AM406: a memory file that contains only headings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.base.model import Severity
from agent_memory.l10n import t
from agent_memory.lint.rule import MEMORY_ROLES, FileRule, Hit
from agent_memory.lint.rules.file_too_large import is_template
from agent_memory.markdown.model import LineKind
from agent_memory.runtimes.fresh_file import is_fresh

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lint.project import Project


_BARE = {LineKind.BLANK, LineKind.HEADING, LineKind.COMMENT}
"""The kinds of lines without text for the agent."""


def check(file: MemoryFile, project: Project) -> Iterator[Hit]:
    """Report a file that has headings and no text, unless it is to be filled in.

    That is a template, or a file that was just created with headings below its title.
    """
    kinds = set(file.markdown.kinds)
    if LineKind.HEADING not in kinds or not kinds <= _BARE or is_template(file.path, project):
        return
    if not is_fresh(heading.text for heading in file.markdown.headings if heading.level > 1):
        yield Hit(
            file.line_span(file.markdown.headings[0].line),
            t(
                "This file contains only headings\n"
                "It uses context and adds no information. Write what the agent should remember, "
                "or delete the file."
            ),
        )


RULE = FileRule(
    "AM406",
    "heading-only-file",
    Severity.INFO,
    "A file that contains only headings",
    check=check,
    roles=MEMORY_ROLES,
)
