"""AM708: a SKILL.md over the recommended length.

The Agent Skills specification recommends fewer than 500 lines, with details in other files, since
the whole file is read when the skill is used.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.base.model import Role, Severity
from agent_memory.l10n import t
from agent_memory.lint.rule import FileRule, Hit
from agent_memory.lint.shared.skills import is_guide, is_loaded_by_agents

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lint.project import Project

_LINES = 500
"""The recommended maximum."""
_LOCK = "skills-lock.json"
"""The file in which the `skills` program lists what it installed."""
_GENERATED = lazy_compile(r"\s*generated[-_]?by:", re.IGNORECASE)
"""A key of front matter that a program writes."""


def check(file: MemoryFile, project: Project) -> Iterator[Hit]:
    """Report a skill with more lines than recommended, on the first line over the limit.

    An installed skill is skipped: it is not the user's to change. So is a page that is called
    SKILL.md and has no front matter.
    """
    if len(file.lines) <= _LINES or not is_loaded_by_agents(file, project):
        return  # an application that has skills elsewhere has its own limit
    if not (is_guide(file, project) or _is_installed(file, project)):
        yield Hit(
            file.line_span(_LINES),
            t(
                "This skill has {0:,} lines; fewer than {1} are recommended\n"
                "The agent reads all of them when it uses the skill. The limit is from the "
                "specification. Move details to files that the skill links to.",
                len(file.lines),
                _LINES,
            ),
            data={"cause": "long skills"},  # reports list them as one finding
        )


def _is_installed(file: MemoryFile, project: Project) -> bool:
    """Return whether a program installed the skill, which would replace changes.

    A lock file of the `skills` program names it, or its front matter says what generated it.
    """
    front = file.markdown.front_matter  # the lines of its two fences
    if front and any(_GENERATED.match(line) for line in file.lines[: front[1]]):
        return True
    name, root = file.path.parent.name, project.tree.root
    folders = (folder for folder in file.path.parents if folder.is_relative_to(root))
    locks = (project.ctx.store.read(folder / _LOCK) for folder in folders)
    return any(lock.ok and f'"{name}"' in lock.text for lock in locks)


RULE = FileRule(
    "AM708",
    "skill-too-long",
    Severity.INFO,
    "A skill over the recommended length",
    check=check,
    roles=frozenset({Role.SKILL}),
)
