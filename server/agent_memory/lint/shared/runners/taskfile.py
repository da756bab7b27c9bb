"""``task TASK``: the tasks of a Taskfile.yml."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.lint.shared.project_files import names_in_all
from agent_memory.lint.shared.runners.runner import END, NAME, START, Runner

if TYPE_CHECKING:
    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lint.project import Project

_CALL = lazy_compile(rf"{START}task[ \t]+{NAME}{END}")
_FILES = tuple(
    f"{name}.{end}"
    for name in ("Taskfile", "taskfile", "Taskfile.dist", "taskfile.dist")
    for end in ("yml", "yaml")
)
_KEY = lazy_compile(r"""(?P<indent>[ ]*)["']?(?P<key>[^\s"'#-][^"'#]*?)["']?:(?:\s|\Z)""")
_ALIASES = lazy_compile(r"^[ ]+aliases:[ ]*\[([^\]\n]*)\]", re.MULTILINE)


def _known(file: MemoryFile, project: Project) -> frozenset[str] | None:
    return names_in_all(file, project, _FILES, _tasks, _tasks)


@lru_cache(maxsize=64)
def _tasks(text: str) -> frozenset[str] | None:
    """Return the tasks of a Taskfile with their aliases.

    None if it includes some, or has patterns or a form that is not read here.
    """
    keys = [key for line in text.splitlines() if (key := _KEY.match(line))]
    top = [key for key in keys if not key["indent"]]
    if any(key["key"] == "includes" for key in top) or not any(k["key"] == "tasks" for k in top):
        return None
    names: set[str] = set()
    section, indent = "", ""
    for key in keys:
        if not key["indent"]:
            section = key["key"]
        elif section == "tasks":
            indent = indent or key["indent"]
            if key["indent"] == indent:
                names.add(key["key"])
    written = _ALIASES.findall(text)
    if not names or any("*" in name for name in names) or text.count("aliases:") != len(written):
        return None
    return frozenset(names).union(*(re.findall(r"[\w:.-]+", each) for each in written))


RUNNER = Runner("task ", _CALL, _known)
