"""AM501: a path or a file name in the text that does not exist in the project.

The heuristic prefers false negatives. A path that git deleted is reported unless its sentence says
that it need not exist. Another one also needs something that shows that it was meant to be one of
this project.
"""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.base.model import Role, Severity
from agent_memory.lint.rule import MEMORY_ROLES, FileRule, Hit
from agent_memory.lint.rules.file_too_large import is_template
from agent_memory.lint.shared.own_memory import is_of_other_repository, is_own_memory
from agent_memory.lint.shared.paths.copied import copied_files
from agent_memory.lint.shared.paths.history import past_of
from agent_memory.lint.shared.paths.lookup import PathLookup
from agent_memory.lint.shared.paths.mentions import missing_mentions
from agent_memory.lint.shared.paths.missing import Missing, missing_hit
from agent_memory.lint.shared.paths.similar_files import similar
from agent_memory.lint.shared.paths.whole_text import is_about_other_project
from agent_memory.lint.shared.task_prompts import is_task_prompt
from agent_memory.lint.shared.word_lists import says

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lint.project import Project

_NOT_THERE = ("copied_hedges", "gone", "foreign_hedges")
"""Word lists: with one of these words around it, the file of a command need not exist."""
_HIDDEN_WITH_CAPITAL = lazy_compile(r"\.(?=[\w-]*[A-Z])[\w-]+/")
"""A hidden folder with a capital letter: ``.Claude/``."""
_SHARED = ".instructions.md"
"""Instruction files are written for many projects, so a name says little about this one."""


def check(file: MemoryFile, project: Project) -> Iterator[Hit]:
    """Report paths that exist neither from the root nor from the folder of the file.

    Most are not reported if an existing path ends with them. A file that a command copies is only
    checked in memory of this project.
    """
    base = project.folder_from_root(file.path)
    if base is None or is_template(file.path, project) or is_of_other_repository(file, project):
        return  # user memory, or a text for a project that is created from it, or for another one
    place = PathLookup(project.tree, base)
    yield from _paths(file, place)
    if file.name_references:
        yield from _names(file, place)
    if is_own_memory(file, base):
        yield from _copied(file, place)
        yield from _in_other_case(file, place)


def _in_other_case(file: MemoryFile, place: PathLookup) -> Iterator[Hit]:
    """Report paths whose hidden folder is written in another letter case: ``.Claude/rules``."""
    if _HIDDEN_WITH_CAPITAL.search(file.content.text):
        from agent_memory.lint.shared.paths.letter_case import other_case_hits  # noqa: PLC0415

        yield from other_case_hits(file, place)


def _paths(file: MemoryFile, place: PathLookup) -> Iterator[Hit]:
    """Report the missing paths with a folder, and the missing folders; each position once."""
    for mention, path in missing_mentions(file, place):
        from agent_memory.lint.shared.paths.missing_paths import path_hits  # noqa: PLC0415 -- most paths exist

        yield from path_hits(file, mention, path, place)


def _names(file: MemoryFile, place: PathLookup) -> Iterator[Hit]:
    """Report file names without a folder that no file of the project has."""
    from agent_memory.lint.shared.paths.missing_names import missing_name_hits  # noqa: PLC0415 -- few files have names

    is_skill = file.source.role is Role.SKILL
    is_shared = is_skill or file.path.name.endswith(_SHARED) or is_task_prompt(file)
    yield from missing_name_hits(file, place, is_shared=is_shared)


def _copied(file: MemoryFile, place: PathLookup) -> Iterator[Hit]:
    """Report files that a command copies and no folder of the project has: ``.env.example``."""
    tree = place.tree
    for reference in copied_files(file):
        path, listing = posixpath.normpath(reference.path), tree.listing
        if listing is None or place.has(path) or listing.ending(path) or tree.ignored.covers(path):
            continue
        is_said_missing = any(says((name, reference.text)) for name in _NOT_THERE)
        if not is_said_missing and not is_about_other_project(file, reference):
            near = similar(listing, path, place.base)
            missing = Missing(reference, near, past_of(tree, path, place.base))
            yield missing_hit(file, place, missing, None)


RULE = FileRule(
    "AM501",
    "stale-path",
    Severity.WARNING,
    "A path that does not exist",
    check=check,
    roles=MEMORY_ROLES | {Role.SKILL},
    varies=True,
)
