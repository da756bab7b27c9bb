"""AM503: a target, script, task, Cargo package or Python module that does not exist."""

from __future__ import annotations

import difflib
from collections import defaultdict
from functools import lru_cache
from typing import TYPE_CHECKING

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.base.model import Edit, Fix, Role, Severity
from agent_memory.l10n import t
from agent_memory.lint.rule import MEMORY_ROLES, FileRule, Hit
from agent_memory.lint.rules.file_too_large import is_template
from agent_memory.lint.shared.command_messages import message
from agent_memory.lint.shared.commands import callable_names, commands_of
from agent_memory.lint.shared.own_memory import is_of_other_repository, is_own_memory
from agent_memory.lint.shared.paths.history import SHORT_COMMIT
from agent_memory.lint.shared.scripts import manifest_of
from agent_memory.lint.shared.surroundings import introduction
from agent_memory.lint.shared.word_lists import AS_EXAMPLE, word_list

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lint.project import Project
    from agent_memory.lint.shared.commands import Command

_NAME_MAX = 100
"""Characters of a name that is compared; the time grows with their square."""
_KNOWN_MAX = 1000
"""Names that are compared with a missing one."""
_SIMILAR = 0.7
"""Minimum similarity of two names, from 0 to 1 (difflib)."""
_USUAL = frozenset({"build", "dev", "format", "lint", "start", "test", "typecheck", "type-check"})
"""Scripts that most packages have."""
_RARE = frozenset({"make", "just", "python"})
"""Tools whose targets or modules have other names in each project."""
_ECOSYSTEMS = lazy_compile(
    r"\b(?:pytest|(?:cargo|go|dotnet|swift|mix|flutter) (?:build|test)|mvn|gradlew?|rspec)\b"
)
"""Commands of other languages: with one in its sentence, a usual script stands for any."""
_MANY = 2
"""Commands of a line that exist, so that its examples are those of the project."""
_OF_PACKAGES = ("cargo-", "pnpm")
"""Starts of tools by which a command names a package, or a target of one."""
_HEDGES = ("command_hedges", "gone", "foreign_hedges")
"""Word lists: with one of these words in its sentence, a command need not exist."""


def check(file: MemoryFile, project: Project) -> Iterator[Hit]:
    """Report commands whose name the project does not define, such as a target of its Makefile.

    In memory of the project, also commands without the file that defined them, which git deleted.
    In a text for many projects, which names commands that other ones have, findings are
    information. In a skill for many, only tools in :data:`_RARE` and misspelled names are reported.
    """
    base = project.folder_from_root(file.path)
    if base is None:
        return  # user memory, which is for all projects
    if is_template(file.path, project) or is_of_other_repository(file, project):
        return  # its commands are those of a project that is created from it, or of another one
    is_own = is_own_memory(file, base) or _is_of_project(file, project)
    is_general_skill = file.source.role is Role.SKILL and not is_own
    severity = None if is_own else Severity.INFO
    for command in commands_of(file):
        known = callable_names(command, file, project)
        if known is None and is_own:
            yield from _without_manifest(command, file, project)
        if known is None or command.name in known:
            continue  # the names of the tool cannot be read, or the command is one of them
        if _need_not_exist(command, known, file, project):
            continue
        near = _nearest(command.name, known)
        is_misspelled = command.name not in _USUAL and _is_typo(command.name, near)
        if is_general_skill and command.tool not in _RARE and not is_misspelled:
            continue
        new = near[0] if near else ""
        edit = Edit(file.path, command.span, new)
        fixes = (Fix(t("Replace with {0}", new), (edit,), safe=False),) if new else ()
        manifest = manifest_of(command.package, file, project)
        text = message(command.tool, manifest, command.name, new)
        yield Hit(command.span, text, fixes, severity=severity)


def _without_manifest(command: Command, file: MemoryFile, project: Project) -> Iterator[Hit]:
    """Report the command if git deleted the file that defined it, such as the Makefile."""
    from agent_memory.lint.shared.deleted_manifests import deleted_manifest  # noqa: PLC0415 -- rare

    path = deleted_manifest(command.tool, file, project)
    if path is None or _need_not_exist(command, frozenset(), file, project):
        return
    text = t(
        "{0} was deleted in commit {1}\nThis command fails. Correct it, or remove it.",
        path,
        project.tree.deleted.commit_of(path)[:SHORT_COMMIT],
    )
    yield Hit(command.span, text)


def _need_not_exist(
    command: Command, known: frozenset[str], file: MemoryFile, project: Project
) -> bool:
    """Return whether the project may lack the command, by its name or by what the text says.

    ``known`` are the names that the project has.
    """
    name = command.name
    if len(name) == 1 or (command.tool.startswith(_OF_PACKAGES) and _is_placeholder(name)):
        return True  # it stands for any name
    surroundings = f"{command.text} {introduction(file, command.span.line)}"
    if _is_beside_known(command, known, file):  # then "such as" names commands of this project
        surroundings = AS_EXAMPLE.sub("", surroundings)
    if any(word_list(hedges).search(surroundings) for hedges in _HEDGES):
        return True
    if _is_file(command, project) or f'"{name}":' in file.content.text:
        return True  # a file, or a script that the text says to add to package.json
    is_usual_script = command.tool == "npm" and name in _USUAL
    # One of the commands of any project: "`npm test`, `cargo test` or `pytest`".
    return is_usual_script and bool(_ECOSYSTEMS.search(command.text))


def _is_file(command: Command, project: Project) -> bool:
    """Return whether the command names an existing file; for make, a folder is a target too."""
    listing = project.tree.listing
    is_folder = listing is not None and command.name in listing.folders
    return project.tree.has(command.name) and (command.tool == "make" or not is_folder)


def _is_beside_known(command: Command, known: frozenset[str], file: MemoryFile) -> bool:
    """Return whether at least :data:`_MANY` ``known`` names of its tool are on its line."""
    names = file.content.once(_names_of_lines, file)[command.tool, command.span.line]
    return len(names & known) >= _MANY


def _names_of_lines(file: MemoryFile) -> dict[tuple[str, int], set[str]]:
    """Return the names of the commands of each tool on each line."""
    names: dict[tuple[str, int], set[str]] = defaultdict(set)
    for command in commands_of(file):
        names[command.tool, command.span.line].add(command.name)
    return names


def _is_typo(name: str, near: list[str]) -> bool:
    """Return whether ``name`` is a misspelling of one of ``near``, which are similar names.

    Their lengths differ by at most one.
    """
    return any(abs(len(name) - len(each)) <= 1 for each in near)


def _is_placeholder(name: str) -> bool:
    """Return whether ``name`` stands for any name: ``foo``, ``my-crate``."""
    return bool(word_list("placeholder_names").match(name.lower()))


def _is_of_project(file: MemoryFile, project: Project) -> bool:
    """Return whether the text calls a script of this project that few other projects have.

    Such a text is written for this project: texts for many call only scripts that most have.
    """
    for command in commands_of(file):
        if command.tool == "npm" and command.name not in _USUAL:
            scripts = callable_names(command, file, project)
            if scripts and command.name in scripts:
                return True
    return False


@lru_cache(maxsize=1024)
def _nearest(name: str, known: frozenset[str]) -> list[str]:
    """Return a list of one name, the one in ``known`` that is most similar to ``name``.

    Empty if no name is similar enough, for a very long name, or with very many names to compare.
    """
    if len(name) > _NAME_MAX or len(known) > _KNOWN_MAX:
        return []
    return difflib.get_close_matches(name, known, n=1, cutoff=_SIMILAR)


RULE = FileRule(
    "AM503",
    "stale-command",
    Severity.WARNING,
    "A command the project does not have",
    check=check,
    roles=MEMORY_ROLES | {Role.SKILL},
    varies=True,
)
