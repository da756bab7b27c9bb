"""``composer run SCRIPT`` and ``composer SCRIPT``: the scripts of composer.json."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.formats.json_parser import parse_json
from agent_memory.formats.limits import FormatError
from agent_memory.lint.shared.project_files import names_in_all
from agent_memory.lint.shared.runners.runner import END, NAME, Runner, names_in
from agent_memory.lint.shared.shell_fences import START
from agent_memory.lint.shared.word_lists import says

if TYPE_CHECKING:
    import re

    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lint.project import Project

_CALL = lazy_compile(rf"{START}composer[ \t]+(?P<run>run(?:-script)?[ \t]+)?{NAME}{END}")
"""A call of a script with the group ``run``, ``composer run lint``, or without."""


def _runs(call: re.Match[str]) -> bool:
    """Return whether ``call`` is one of a script.

    Without ``run``, a name may be that of a command of composer or of a plugin, so only usual
    names of scripts count. ``composer check`` is short for check-platform-reqs.
    """
    name = call["name"]
    return bool(call["run"]) or (name != "check" and says(("script_words", name)))


def _known(file: MemoryFile, project: Project) -> frozenset[str] | None:
    """Return the scripts of all composer.json files of the project; None if unknown."""
    return names_in_all(file, project, ("composer.json",), _scripts, _scripts)


@lru_cache(maxsize=64)
def _scripts(text: str) -> frozenset[str] | None:
    """Return the scripts of a composer.json with their aliases.

    None if it is not a JSON table, or if a plugin adds scripts from other files.
    """
    try:
        values: Any = parse_json(text)
    except FormatError:
        return None
    if not isinstance(values, dict) or "merge-plugin" in text:
        return None
    aliases = values.get("scripts-aliases")
    lists = aliases.values() if isinstance(aliases, dict) else ()
    return names_in(values.get("scripts")).union(*map(names_in, lists))


RUNNER = Runner("composer ", _CALL, _known, _runs)
