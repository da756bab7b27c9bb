"""Shared by the rules for Claude MPM memory files: the files, their limits and sections.

Facts of Claude MPM 3.2.1: 8 KB a file, 10 sections, 15 items a section, 120 characters an item,
all but the last set in ``.claude-mpm/config.yml``. Files ``*_memories.md`` belong to version 4
and later, which keeps one flat list.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, NamedTuple

from agent_memory.markdown.parser import section_end
from agent_memory.runtimes import claude_mpm
from agent_memory.runtimes.claude_mpm_names import agent_of

if TYPE_CHECKING:
    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lint.project import Project
    from agent_memory.markdown.model import Heading, Item
    from agent_memory.runtimes.claude_mpm_config import ClaudeMpmConfig

LINE_MAX = 120
"""Characters of an item; Claude MPM cuts longer ones."""


class MpmSection(NamedTuple):
    """A section of a memory file; ``name`` excludes the note about its limit."""

    heading: Heading
    name: str
    items: list[Item]


def is_memory(file: MemoryFile) -> bool:
    """Return whether ``file`` is an agent's memory in ``.claude-mpm/memories``."""
    return claude_mpm.is_in_memories_folder(file.path)


def is_flat(file: MemoryFile) -> bool:
    """Return whether ``file`` is memory of Claude MPM 4 or later, which has no sections."""
    return file.path.stem.endswith("_memories")


_FLAT_KB = 80
"""Size limit in KB of flat files: Claude MPM has it since 3.9. Up to then, it is a setting."""


def config_of(file: MemoryFile, project: Project) -> ClaudeMpmConfig:
    """Return the settings of Claude MPM for the project of ``file``, one of :func:`is_memory`."""
    from agent_memory.runtimes import claude_mpm_config  # noqa: PLC0415 -- few use Claude MPM

    root = file.path.parents[2]  # above .claude-mpm/memories
    return claude_mpm_config.load(project.ctx, root)


def size_kb(file: MemoryFile, project: Project) -> int:
    """Return the maximum size of ``file`` in KB (1,024 bytes), not its present size."""
    return _FLAT_KB if is_flat(file) else config_of(file, project).size_kb(agent_of(file.path.stem))


def sections(file: MemoryFile) -> list[MpmSection]:
    """Return the sections of level two; a setext heading begins none (Claude MPM needs ``##``)."""
    out, items = [], file.markdown.items
    item_lines = [item.line for item in items]
    for heading in file.markdown.headings:
        if heading.level == 2 and heading.rows == 1:
            first = bisect_left(item_lines, heading.line)  # the index of the first item below
            after_last = bisect_left(item_lines, section_end(file.markdown, heading))
            # Without the note: "Project Architecture" of "Project Architecture (Max: 15 items)".
            name = heading.text.split("(")[0].strip()
            out.append(MpmSection(heading, name, items[first:after_last]))
    return out
