"""``gradle :PROJECT:TASK``: the projects that settings.gradle includes.

Project paths, as the manual of Gradle 9 has them: ``include("a:b")`` adds ``:a`` too. The tasks
of a project come from plugins, so they are not checked.
"""

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
    rf"{START}(?:\./)?gradlew?(?:\.bat)?[ \t]+(?:[a-zA-Z]+[ \t]+)*(?P<name>(?::\w[\w.-]*)+)(?=:\w)"
)
"""A call with the path of a task; ``name`` is the project: ``:app`` of ``./gradlew :app:build``."""
_INCLUDE = lazy_compile(r"\binclude\b[ \t]*\(?((?:\s*[\"'][\w:./-]+[\"']\s*,?)+)")
"""``include(":a:b", ":c")`` or ``include 'a:b'``."""
_COMPUTED = lazy_compile(
    r"\binclude(?:Build|Flat)\b|\bapply\b|\b(?:forEach|each|fileTree|listFiles|walk)\b"
    r"|\binclude\b[ \t]*\(?\s*[^\"'\s(]|\binclude\b[^\n]*\$"
)
"""Settings whose projects are not all written in them."""
_DEPTH_MAX = 30
"""Parts of a project's path; the parents of a deeper one take long."""
_COMMENT = lazy_compile(r"/\*.*?(?:\*/|\Z)|(?<!:)//[^\n]*", re.DOTALL)
"""``/* … */`` or ``// …``, but not the slashes of ``https://``."""


def _known(file: MemoryFile, project: Project) -> frozenset[str] | None:
    """Return the Gradle projects of all settings files of the project; None if unknown."""
    names = ("settings.gradle", "settings.gradle.kts")
    return names_in_all(file, project, names, _projects, _projects)


@lru_cache(maxsize=64)
def _projects(text: str) -> frozenset[str] | None:
    """Return the paths of the projects with their parents: ``:a`` and ``:a:b`` for ``a:b``.

    None if the settings compute some, or include none.
    """
    code = _COMMENT.sub("", text)
    if _COMPUTED.search(code):
        return None
    paths: set[str] = set()
    for include in _INCLUDE.finditer(code):
        for path in re.findall(r"[\w:./-]+", include[1]):
            parts = path.strip(":").split(":", _DEPTH_MAX)
            paths.update(":" + ":".join(parts[:end]) for end in range(1, len(parts) + 1))
    return frozenset(paths) or None


RUNNER = Runner("gradle", _CALL, _known)
