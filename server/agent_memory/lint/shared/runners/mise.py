"""``mise run TASK`` and ``mise TASK``: the tasks of mise.toml and of folders of tasks."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.formats.limits import FormatError
from agent_memory.formats.toml_parser import parse_toml
from agent_memory.lint.shared.project_files import names_in_all
from agent_memory.lint.shared.runners.runner import END, NAME, Runner, names_in
from agent_memory.lint.shared.shell_fences import START
from agent_memory.lint.shared.word_lists import says

if TYPE_CHECKING:
    import re

    from agent_memory.fs.listing import Listing
    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lint.project import Project

_CALL = lazy_compile(rf"{START}mise[ \t]+(?P<run>(?:tasks?[ \t]+)?(?:run|r)[ \t]+)?{NAME}{END}")
"""A call of a task with the group ``run``, ``mise run lint``, or without."""
_FILES = ("mise.toml", ".mise.toml", "mise.local.toml", ".config/mise.toml", ".mise/config.toml")
_OF_ENVIRONMENT = lazy_compile(r"\.?mise\.(?!local\.toml\Z)[\w.-]+\.toml\Z")
"""A file that counts in one environment, such as ``mise.ci.toml``."""
_FOLDERS = ("mise-tasks", ".mise-tasks", "mise/tasks", ".mise/tasks", ".config/mise/tasks")
"""Folders in which each file is a task."""


def _runs(call: re.Match[str]) -> bool:
    """Return whether ``call`` is one of a task. Without ``run``, it may be a command of mise."""
    return bool(call["run"]) or not says(("mise_commands", call["name"]))


def _known(file: MemoryFile, project: Project) -> frozenset[str] | None:
    """Return the tasks of the project's mise.toml files and of its folders of tasks.

    None if they are unknown, as with a file that counts in one environment only.
    """
    listing = project.tree.listing
    written = names_in_all(file, project, _FILES, _tasks, _tasks)
    if listing is None or written is None:
        return None
    if any(_OF_ENVIRONMENT.match(name) for name in listing.by_name):
        return None
    return written | _tasks_in_folders(listing)


def _tasks_in_folders(listing: Listing) -> frozenset[str]:
    """Return the tasks that are files in a folder of tasks, with and without their extension.

    A file ``mise-tasks/db/seed.sh`` is the tasks ``db:seed`` and ``db:seed.sh``, a file
    ``_default`` the task of its folder.
    """
    files = {  # relative to their folder of tasks
        path.rpartition(f"{folder}/")[2]
        for folder in _FOLDERS
        for path in listing.files
        if f"/{folder}/" in f"/{path}"
    }
    without_extension = {path.rpartition(".")[0] or path for path in files}
    paths = files | without_extension
    return frozenset(path.removesuffix("/_default").replace("/", ":") for path in paths)


@lru_cache(maxsize=64)
def _tasks(text: str) -> frozenset[str] | None:
    """Return the tasks of a mise.toml with their aliases.

    None if it is not TOML, or if tasks may be in other files that it names.
    """
    try:
        values: Any = parse_toml(text)
    except FormatError:
        return None
    tasks = values.get("tasks", {})
    if "task_config" in values or "monorepo_root" in text or not isinstance(tasks, dict):
        return None
    tables = [task for task in tasks.values() if isinstance(task, dict)]  # others are commands
    aliases = (names_in(table.get(key)) for table in tables for key in ("alias", "aliases"))
    return names_in(tasks).union(*aliases)


RUNNER = Runner("mise ", _CALL, _known, _runs)
