"""Whether a file is written for its project alone, so that what it says is about this project."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.base.model import Role

if TYPE_CHECKING:
    from agent_memory.lint.memory_file import MemoryFile

_MEMORY = frozenset({"AGENTS.md", "CLAUDE.md", "GEMINI.md", "agent.md", "copilot-instructions.md"})


def is_own_memory(file: MemoryFile, base: str) -> bool:
    """Return whether ``file``, in the folder ``base`` below the root, is memory of the project.

    Skills, and rules, prompts and instructions in hidden folders are often shared by several
    projects.
    """
    if file.source.role is Role.SKILL:
        return False
    hidden = any(part.startswith(".") for part in base.split("/") if part != ".")
    return not hidden or file.path.name in _MEMORY
