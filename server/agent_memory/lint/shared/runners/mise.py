"""``mise run TASK`` and ``mise TASK``: the tasks of mise.toml and of folders of tasks."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.formats.limits import FormatError
from agent_memory.formats.toml_parser import parse_toml
from agent_memory.lint.shared.project_files import names_in_all
from agent_memory.lint.shared.runners.runner import END, NAME, START, Runner, words
from agent_memory.lint.shared.word_lists import says

if TYPE_CHECKING:
    import re

    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lint.project import Project

_CALL = lazy_compile(rf"{START}mise[ \t]+(?P<run>(?:tasks?[ \t]+)?(?:run|r)[ \t]+)?{NAME}{END}")
_FILES = ("mise.toml", ".mise.toml", "mise.local.toml", ".config/mise.toml", ".mise/config.toml")
_OF_ENVIRONMENT = lazy_compile(r"\.?mise\.(?!local\.toml\Z)[\w.-]+\.toml\Z")
"""A file that counts in one environment, such as ``mise.ci.toml``."""
_FOLDERS = ("mise-tasks", ".mise-tasks", "mise/tasks", ".mise/tasks", ".config/mise/tasks")


def _runs(call: re.Match[str]) -> bool:
    """Return whether it calls a task. Without ``run``, it may be a command of mise."""
    return bool(call["run"]) or not says(("mise_commands", call["name"]))


def _known(file: MemoryFile, project: Project) -> frozenset[str] | None:
    listing = project.tree.listing
    found = names_in_all(file, project, _FILES, _tasks, _tasks)
    if listing is None or found is None or any(_OF_ENVIRONMENT.match(n) for n in listing.by_name):
        return None
    names = {
        path.rpartition(f"{folder}/")[2]
        for folder in _FOLDERS
        for path in listing.files
        if f"/{folder}/" in f"/{path}"
    }
    stems = {name.rpartition(".")[0] or name for name in names}
    return found | {name.removesuffix("/_default").replace("/", ":") for name in names | stems}


@lru_cache(maxsize=64)
def _tasks(text: str) -> frozenset[str] | None:
    """Return the tasks of a mise.toml with their aliases; None if it includes some."""
    try:
        values: Any = parse_toml(text)
    except FormatError:
        return None
    tasks = values.get("tasks", {})
    if "task_config" in values or "monorepo_root" in text or not isinstance(tasks, dict):
        return None
    tables = [task for task in tasks.values() if isinstance(task, dict)]
    aliases = (words(table.get(key)) for table in tables for key in ("alias", "aliases"))
    return words(tasks).union(*aliases)


RUNNER = Runner("mise ", _CALL, _known, _runs)
