"""Whether a file is the prompt of a task, such as a command, which is written for many projects."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from agent_memory.lint.memory_file import MemoryFile

_TASKS = frozenset({"agents", "chatmodes", "command", "commands", "prompts", "workflows"})
"""Folders of prompts, in the hidden folder of a tool."""


def is_task_prompt(file: MemoryFile) -> bool:
    """Return whether the file is in a folder of prompts of an agent: ``.x/commands``."""
    folders = file.path.parts[:-1]
    return any(outer.startswith(".") and inner in _TASKS for outer, inner in pairwise(folders))
