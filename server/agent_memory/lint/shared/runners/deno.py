"""``deno task TASK``: the tasks of deno.json, and the scripts of package.json."""

from __future__ import annotations

import posixpath
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.formats.json_parser import parse_json
from agent_memory.formats.limits import FormatError
from agent_memory.lint.shared.project_files import folders_up, names_in_all
from agent_memory.lint.shared.runners.runner import END, NAME, Runner, names_in
from agent_memory.lint.shared.shell_fences import START

if TYPE_CHECKING:
    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lint.project import Project

_CALL = lazy_compile(rf"{START}deno[ \t]+task[ \t]+{NAME}{END}")


def _known(file: MemoryFile, project: Project) -> frozenset[str] | None:
    """Return the tasks of the project and the scripts of its packages; None if unknown."""
    manifests = ("deno.json", "deno.jsonc")
    tasks = names_in_all(file, project, manifests, parse_above=_tasks, parse_anywhere=_tasks)
    if tasks is None:
        return None
    scripts = names_in_all(
        file, project, ("package.json",), parse_above=_tasks, parse_anywhere=_tasks
    )
    if scripts is not None:
        return tasks | scripts
    # None: no package.json is above, as in most Deno projects, or its scripts are unknown.
    folders = folders_up(project.folder_from_root(file.path) or ".")
    if any(project.tree.has(posixpath.join(folder, "package.json")) for folder in folders):
        return None  # a script may have the name of the task
    return tasks


@lru_cache(maxsize=256)
def _tasks(text: str) -> frozenset[str] | None:
    """Return the tasks and scripts of a manifest; None if it is not JSON.

    JSON with comments, which a deno.jsonc may have, is not parsed here.
    """
    try:
        values: Any = parse_json(text)
    except FormatError:
        return None
    manifest = values if isinstance(values, dict) else {}
    return names_in(manifest.get("tasks")) | names_in(manifest.get("scripts"))


RUNNER = Runner("deno ", _CALL, _known)
