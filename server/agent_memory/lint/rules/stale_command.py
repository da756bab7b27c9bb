"""AM503: a make target, npm script, just recipe or Python module that does not exist."""

from __future__ import annotations

import difflib
import posixpath
from functools import lru_cache
from typing import TYPE_CHECKING

from agent_memory.base.model import Edit, Fix, Role, Severity
from agent_memory.l10n import t, untranslated
from agent_memory.lint.rule import MEMORY_ROLES, FileRule, Hit
from agent_memory.lint.rules.file_too_large import is_template
from agent_memory.lint.shared.commands import commands_of, known_to
from agent_memory.lint.shared.own_memory import is_of_other_repository, is_own_memory
from agent_memory.lint.shared.word_lists import word_list

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lint.project import Project
    from agent_memory.lint.shared.commands import Command

_MESSAGES = {
    "make": (
        untranslated("The Makefile has no target '{0}'\nThis command fails. Did you mean '{1}'?"),
        untranslated(
            "The Makefile has no target '{0}'\nThis command fails. Correct it, or remove it."
        ),
    ),
    "npm": (
        untranslated("{2} has no script '{0}'\nThis command fails. Did you mean '{1}'?"),
        untranslated("{2} has no script '{0}'\nThis command fails. Correct it, or remove it."),
    ),
    "just": (
        untranslated("The justfile has no recipe '{0}'\nThis command fails. Did you mean '{1}'?"),
        untranslated(
            "The justfile has no recipe '{0}'\nThis command fails. Correct it, or remove it."
        ),
    ),
    "python": (
        untranslated("No module '{0}' in this project\nThis command fails. Did you mean '{1}'?"),
        untranslated(
            "No module '{0}' in this project\nThis command fails. Correct it, or remove it."
        ),
    ),
}
"""By tool: the message with a similar name, and without one. {2} is the path of a package.json."""
_NAME_MAX = 100
"""Characters of a name that is compared; the time grows with their square."""
_KNOWN_MAX = 1000
"""Names that are compared with one; with more, no similar one is suggested."""
_USUAL = frozenset({"build", "dev", "format", "lint", "start", "test", "typecheck", "type-check"})
"""Scripts that most packages have."""
_HEDGES = ("command_hedges", "gone", "foreign_hedges")
"""Word lists: with one of these words in its sentence, a command need not exist."""


def check(file: MemoryFile, project: Project) -> Iterator[Hit]:
    """Report commands that the Makefile, package.json, justfile or project does not define."""
    base = project.below_root(file.path)
    if base is None:
        return
    if is_template(file.path, project) or is_of_other_repository(file, project):
        return  # its commands are those of the project that is created
    own = is_own_memory(file, base) or _is_of_project(file, project)
    general = file.source.role is Role.SKILL and not own
    severity = None if own else Severity.INFO
    for command in commands_of(file):
        known = known_to(command, file, project)
        if known is None or command.name in known or _need_not_exist(command, file, project):
            continue
        near = _nearest(command.name, known)
        if general and command.tool == "npm" and (not near or command.name in _USUAL):
            continue  # a script that other packages have
        yield _hit(file, command, near, severity)


def _need_not_exist(command: Command, file: MemoryFile, project: Project) -> bool:
    """Return whether the text does not say that the project has ``command``."""
    if len(command.name) == 1:
        return True  # a letter stands for any name
    if any(word_list(name).search(command.text) for name in _HEDGES):
        return True
    # A file, or a script that the text says to add.
    return project.tree.has(command.name) or f'"{command.name}":' in file.content.text


def _hit(file: MemoryFile, command: Command, near: str | None, severity: Severity | None) -> Hit:
    """Return the hit of ``command``, with a fix if there is a similar name ``near``."""
    with_name, without = _MESSAGES[command.tool]
    manifest = posixpath.normpath(posixpath.join(command.folder, "package.json"))
    if near is None:
        message = t(without, command.name, "", manifest)
        return Hit(command.span, message, severity=severity)
    edit = Edit(file.path, command.span, near)
    fix = Fix(t("Replace with {0}", near), (edit,), safe=False)
    message = t(with_name, command.name, near, manifest)
    return Hit(command.span, message, (fix,), severity=severity)


def _is_of_project(file: MemoryFile, project: Project) -> bool:
    """Return whether the text has a command of this project that few other projects have.

    Skills and rules for many projects name the scripts that most of them have.
    """
    scripts = (command for command in commands_of(file) if command.tool == "npm")
    return any(
        script.name in (known_to(script, file, project) or ()) and script.name not in _USUAL
        for script in scripts
    )


@lru_cache(maxsize=1024)
def _nearest(name: str, known: frozenset[str]) -> str | None:
    """Return the most similar of the names ``known``; None without one, or if they are many."""
    if len(name) > _NAME_MAX or len(known) > _KNOWN_MAX:
        return None
    return next(iter(difflib.get_close_matches(name, known, 1, 0.7)), None)


RULE = FileRule(
    "AM503",
    "stale-command",
    Severity.WARNING,
    "A command the project does not have",
    check=check,
    roles=MEMORY_ROLES | {Role.SKILL},
    varies=True,
)
