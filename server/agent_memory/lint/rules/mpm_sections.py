"""AM822: more sections or items than Claude MPM keeps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.base.model import Severity
from agent_memory.l10n import t
from agent_memory.lint.rule import MEMORY_ROLES, FileRule, Hit
from agent_memory.lint.shared import claude_mpm

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lint.project import Project
    from agent_memory.lint.shared.claude_mpm import MpmSection


def check(file: MemoryFile, project: Project) -> Iterator[Hit]:
    """Report the first section over the limit, and the first item over that of each section."""
    if not claude_mpm.is_memory(file) or claude_mpm.is_flat(file):
        return  # a flat file is one of version 4 or later, which has no sections
    limits = claude_mpm.config_of(file, project).limits
    sections = claude_mpm.sections(file)
    yield from _section_hits(file, sections, limits["max_sections"])
    yield from _item_hits(file, sections, limits["max_items_per_section"])


def _section_hits(file: MemoryFile, sections: list[MpmSection], limit: int) -> Iterator[Hit]:
    """Report the first section over the limit of sections."""
    if len(sections) > limit:
        yield Hit(
            file.line_span(sections[limit].heading.line),
            t(
                "The file has {0} sections; Claude MPM keeps {1}\n"
                "It adds the items of any further section to Recent Learnings. Merge some "
                "sections.",
                len(sections),
                limit,
            ),
        )


def _item_hits(file: MemoryFile, sections: list[MpmSection], limit: int) -> Iterator[Hit]:
    """Report in each section the first item over the limit of items."""
    for section in sections:
        if len(section.items) > limit:
            yield Hit(
                file.line_span(section.items[limit].line),
                t(
                    "Section '{0}' has {1} items; Claude MPM keeps {2}\n"
                    "It drops the first one for each item it adds. Remove outdated items.",
                    section.name,
                    len(section.items),
                    limit,
                ),
            )


RULE = FileRule(
    "AM822",
    "mpm-sections",
    Severity.WARNING,
    "More sections or items than Claude MPM keeps",
    check=check,
    roles=MEMORY_ROLES,
    varies=True,
)
