"""``just RECIPE``: the recipes of justfiles."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.lint.shared.project_files import names_in_all
from agent_memory.lint.shared.runners.runner import Runner
from agent_memory.lint.shared.shell_fences import START

if TYPE_CHECKING:
    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lint.project import Project

_CALL = lazy_compile(
    rf"{START}just[ \t]+"
    r"(?P<name>[A-Za-z][\w.:-]*)(?=[ \t]*(?:\Z|&&|;|#|--[ \t]|\|))"
)
"""A call of one recipe; other words after it may be those of a sentence: ``just run the tests``."""
_RECIPE = lazy_compile(
    r"""^@?([A-Za-z_][\w-]*)(?:[ \t](?:[^"'`:\n]|"[^"\n]*"|'[^'\n]*'|`[^`\n]*`)*)?:(?!=)""",
    re.MULTILINE,
)
"""The head of a recipe. A parameter may have a default, such as ``*args="-q"``."""
_ALIAS = lazy_compile(r"^alias[ \t]+([\w-]+)[ \t]*:=", re.MULTILINE)
"""``alias b := build``; the group is the new name."""
FILES = ("justfile", "Justfile", ".justfile")


def _known(file: MemoryFile, project: Project) -> frozenset[str] | None:
    """Return the recipes of all justfiles of the project.

    None if those of a justfile in the folder of ``file`` or above are not all known; of a justfile
    elsewhere, the written ones are enough.
    """
    return names_in_all(file, project, FILES, _recipes, _written_recipes)


@lru_cache(maxsize=256)
def _recipes(text: str) -> frozenset[str] | None:
    """Return the recipes of a justfile; None if it imports some, or falls back to another one."""
    if re.search(r"^(?:import|mod)\b|^set fallback", text, re.MULTILINE):
        return None
    return _written_recipes(text)


@lru_cache(maxsize=256)
def _written_recipes(text: str) -> frozenset[str]:
    """Return the recipes that are written in a justfile, which may have others."""
    return frozenset((*_RECIPE.findall(text), *_ALIAS.findall(text)))


RUNNER = Runner("just ", _CALL, _known)
