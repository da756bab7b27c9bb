"""``deno task TASK``: the tasks of deno.json, and the scripts of package.json."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.formats.json_parser import parse_json
from agent_memory.formats.limits import FormatError
from agent_memory.lint.shared.project_files import names_in_all
from agent_memory.lint.shared.runners.runner import END, NAME, START, Runner, words

if TYPE_CHECKING:
    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lint.project import Project

_CALL = lazy_compile(rf"{START}deno[ \t]+task[ \t]+{NAME}{END}")


def _known(file: MemoryFile, project: Project) -> frozenset[str] | None:
    tasks = names_in_all(file, project, ("deno.json", "deno.jsonc"), _tasks, _tasks)
    scripts = names_in_all(file, project, ("package.json",), _tasks, _tasks) or frozenset()
    return None if tasks is None else tasks | scripts


@lru_cache(maxsize=256)
def _tasks(text: str) -> frozenset[str] | None:
    """Return the tasks or scripts of a manifest; None if it is not JSON without comments."""
    try:
        values: Any = parse_json(text)
    except FormatError:
        return None
    found = values if isinstance(values, dict) else {}
    return words(found.get("tasks")) | words(found.get("scripts"))


RUNNER = Runner("deno task ", _CALL, _known)
