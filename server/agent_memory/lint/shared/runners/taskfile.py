"""``task TASK``: the tasks of a Taskfile.yml."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.lint.shared.project_files import names_in_all
from agent_memory.lint.shared.runners.runner import END, NAME, Runner
from agent_memory.lint.shared.shell_fences import START

if TYPE_CHECKING:
    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lint.project import Project

_CALL = lazy_compile(rf"{START}task[ \t]+{NAME}{END}")
FILES = tuple(
    f"{name}.{end}"
    for name in ("Taskfile", "taskfile", "Taskfile.dist", "taskfile.dist")
    for end in ("yml", "yaml")
)
_KEY = lazy_compile(r"""(?P<indent>[ ]*)["']?(?P<key>[^\s"'#-][^"'#]*?)["']?:(?:\s|\Z)""")
"""A line with a key of a table: ``  "build:docs":``."""
_ALIASES = lazy_compile(r"^[ ]+aliases:[ ]*\[([^\]\n]*)\]", re.MULTILINE)
"""``aliases: [b, build-all]``."""


def _known(file: MemoryFile, project: Project) -> frozenset[str] | None:
    """Return the tasks of all Taskfiles of the project; None if unknown."""
    return names_in_all(file, project, FILES, _tasks, _tasks)


@lru_cache(maxsize=64)
def _tasks(text: str) -> frozenset[str] | None:
    """Return the tasks of a Taskfile with their aliases, read without a YAML parser.

    None if it includes other files, or has patterns (``build:*``) or a form that is not read here:
    no block of tasks, or aliases that are not a list on one line.
    """
    keys = list(filter(None, map(_KEY.match, text.splitlines())))  # the lines with a key
    sections = {key["key"] for key in keys if not key["indent"]}
    if "includes" in sections or "tasks" not in sections:
        return None
    tasks = _keys_below_tasks(keys)
    if not tasks or any("*" in name for name in tasks):
        return None
    alias_lists = _ALIASES.findall(text)
    if text.count("aliases:") != len(alias_lists):
        return None  # some aliases are not on one line
    return tasks.union(*(re.findall(r"[\w:.-]+", aliases) for aliases in alias_lists))


def _keys_below_tasks(keys: list[re.Match[str]]) -> frozenset[str]:
    """Return the keys directly below the key ``tasks``; each of ``keys`` matches :data:`_KEY`."""
    names: set[str] = set()
    section, indent_of_tasks = "", ""
    for key in keys:
        if not key["indent"]:
            section = key["key"]
        elif section == "tasks":
            indent_of_tasks = indent_of_tasks or key["indent"]  # that of the first task
            if key["indent"] == indent_of_tasks:  # keys below belong to one task
                names.add(key["key"])
    return frozenset(names)


RUNNER = Runner("task ", _CALL, _known)
