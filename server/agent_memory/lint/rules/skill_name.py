"""AM706: a skill name that runtimes warn about, or that the specification does not allow."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.base.model import Edit, Fix, Role, Severity, Status
from agent_memory.base.text import Span
from agent_memory.l10n import t
from agent_memory.lint.rule import FileRule, Hit
from agent_memory.lint.shared.skills import (
    is_in_agent_folder,
    is_installed_as_is,
    key_span,
    parsed,
    strict_reader,
)
from agent_memory.skills.skill_file import Trouble, name_warning

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lint.project import Project

_NAME = lazy_compile(r"name:[ \t]+[\"']?([^\s\"'#](?:[^\"'#\n]*[^\s\"'#])?)[\"']?[ \t]*(?:#.*)?$")
"""The line with the name, without its quotes as group 1: ``name: "my-skill"  # a comment``."""


def check(file: MemoryFile, project: Project) -> Iterator[Hit]:
    """Report a name that breaks the naming rules or differs from its folder.

    Where no agent looks for skills, nothing is reported: a package is installed under its name,
    and an application has its own loader.
    """
    skill = parsed(file)
    if isinstance(skill, Trouble):
        return  # other rules report why it is not loaded
    is_read = file.source.status is not Status.IGNORED
    if not is_read and not is_in_agent_folder(file, project):
        return  # no agent looks for skills here
    folder = file.path.parent.name
    # Outside of a folder of skills, the folder of this one does not count as its name.
    expected = folder if is_installed_as_is(file) else skill.name
    warning = name_warning(skill.name, expected, ascii_only=False)
    if not warning:
        return
    action = _action(skill.name, expected)
    reader = strict_reader(file, project)
    if reader:
        message = t(
            "Unsuitable skill name: {0}\n{1} loads the skill, but logs a warning. {2}.",
            warning,
            reader,
            action,
        )
        yield Hit(key_span(file, "name"), message, _renaming(file, expected))
        return
    yield Hit(
        key_span(file, "name"),
        t("The specification of Agent Skills does not allow this: {0}\n{1}.", warning, action),
        _renaming(file, expected),
        severity=Severity.INFO,
        data={"cause": "names of skills"},  # reports list them as one finding
    )


def _action(name: str, expected: str) -> str:
    """Return what to rename if a skill called ``name`` must be called ``expected``.

    ``expected`` is the name of the folder, or ``name`` where the folder does not count.
    """
    if name == expected:
        return t("Change `name` in the front matter")
    is_valid_name, is_valid_folder = _is_valid(name), _is_valid(expected)
    if is_valid_name and is_valid_folder:
        return t("Set `name` to {0}, or rename the folder to {1}", expected, name)
    if is_valid_name:
        return t("Rename the folder to {0}", name)
    if is_valid_folder:
        return t("Set `name` to {0}, the name of the folder", expected)
    return t("Give the skill and its folder the same valid name")


def _is_valid(name: str) -> bool:
    """Return whether a skill and its folder may both have this name."""
    return not name_warning(name, name, ascii_only=False)


def _renaming(file: MemoryFile, folder: str) -> tuple[Fix, ...]:
    """Return the fix that gives the skill the name of its ``folder``, if that name is valid.

    There is no fix where the folder does not count: then ``folder`` is the name of the skill, which
    is not valid.
    """
    span = key_span(file, "name")
    value = _NAME.match(file.lines[span.line])
    if value is None or not _is_valid(folder):
        return ()
    edit = Edit(file.path, Span.on_line(span.line, value.start(1), value.end(1)), folder)
    return (Fix(t("Set `name` to {0}, the name of the folder", folder), (edit,), safe=False),)


RULE = FileRule(
    "AM706",
    "skill-name",
    Severity.WARNING,
    "A skill name that runtimes warn about",
    check=check,
    roles=frozenset({Role.SKILL}),
)
