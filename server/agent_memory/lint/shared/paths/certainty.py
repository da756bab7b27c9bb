"""Whether a missing path deserves a warning: the project must have had it, or the text needs it."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.base.model import Role
from agent_memory.lint.shared.own_memory import is_own_memory
from agent_memory.lint.shared.paths.evidence import is_placed, is_pointed_at
from agent_memory.lint.shared.paths.lookup import folder_of
from agent_memory.lint.shared.paths.similar_files import is_elsewhere
from agent_memory.lint.shared.word_lists import words_of

if TYPE_CHECKING:
    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lint.shared.paths.lookup import PathLookup
    from agent_memory.lint.shared.paths.similar_files import Similar
    from agent_memory.markdown.references import Reference

_DEEP = 2
"""Slashes of a folder so deep that few other projects have it: ``src/shop/cart``."""
_FOLDERS = lazy_compile(r"`[\w./-]+/`")
"""A folder that is alone in a code span."""
_MANY = 3
"""Folders on one line that are a list."""


def is_certain(
    file: MemoryFile,
    reference: Reference,
    tail: str,
    lookup: PathLookup,
    similar_file: Similar | None,
    *,
    is_used: bool,
) -> bool:
    """Return whether the tree or the text shows that the project must have had the path ``tail``.

    In the project's own memory (or for a path of a skill's own folder), one of these is enough: its
    file is elsewhere now, it is to be read, or its folder exists and it is used or placed
    (:func:`is_placed`). A folder that may come later needs one of the first two. In any memory, a
    similar existing file can be enough (:func:`_is_close`). ``tail`` is the path without ``../`` at
    its start, ``similar_file`` the file with a similar name (None without one). ``is_used``: the
    path is to be read or run, or was deleted.
    """
    listing = lookup.tree.listing
    is_own = _is_own_or_in_skill(file, tail, lookup)
    is_used_or_placed = is_used or is_placed(file, reference)
    # A folder in a list, or without a parent, may be one that a project is to have.
    may_come_later = _is_one_of_many(file, reference) or _is_folder_alone(reference, tail)
    is_missing_in_folder = is_used_or_placed and lookup.has(folder_of(tail)) and not may_come_later
    is_moved = listing is not None and is_elsewhere(listing, tail)
    if is_own and (is_moved or is_missing_in_folder or is_pointed_at(reference)):
        return True
    return _is_close(similar_file, tail, lookup, is_own=is_own)


def is_meant_here(file: MemoryFile, reference: Reference, tail: str, lookup: PathLookup) -> bool:
    """Return whether the path ``tail`` is meant to be one of this project.

    In the project's own memory, each path is. Elsewhere, it is if the text tells the agent to read
    it, or if its first folder exists. If any project has that first folder, the path must be in a
    deeper one that exists. Skills are often for other projects, so a path of a skill needs more
    (:func:`_is_of_skill`).
    """
    if file.source.role is Role.SKILL:
        return _is_of_skill(reference, tail, lookup)
    if is_own_memory(file, lookup.base) or is_pointed_at(reference):
        return True
    top, folder = tail.partition("/")[0], folder_of(tail)
    if top.lower() in words_of("common_folders"):  # any project has `src`, so `src/api` must exist
        return "/" in folder and lookup.has(folder)
    return lookup.has(top)


def _is_one_of_many(file: MemoryFile, reference: Reference) -> bool:
    """Return whether the path is a folder on a line with :data:`_MANY` folders or more."""
    if not reference.path.endswith("/"):
        return False
    return len(_FOLDERS.findall(file.lines[reference.span.line])) >= _MANY


def _is_folder_alone(reference: Reference, tail: str) -> bool:
    """Return whether the path is a folder without a parent: ``docs/``."""
    return "/" not in tail and reference.path.endswith("/")


def _is_close(similar_file: Similar | None, tail: str, lookup: PathLookup, *, is_own: bool) -> bool:
    """Return whether ``similar_file`` shows that the path ``tail`` is one of this project.

    It does in the project's own memory (``is_own``), if the path surely means that file
    (``certain``), or if the first folder of the path exists. False without a similar file.
    """
    if similar_file is None:
        return False
    return is_own or similar_file.certain or lookup.has(tail.partition("/")[0])


def _is_own_or_in_skill(file: MemoryFile, tail: str, lookup: PathLookup) -> bool:
    """Return whether the memory file is the project's own, or a skill that has the path's folder.

    False for a skill about skills, which names files as examples.
    """
    if file.source.role is Role.SKILL:
        folder_in_skill = posixpath.join(lookup.base, folder_of(tail))
        return "skill" not in file.path.parent.name and lookup.tree.has(folder_in_skill)
    return is_own_memory(file, lookup.base)


def _is_of_skill(reference: Reference, tail: str, lookup: PathLookup) -> bool:
    """Return whether the path ``tail`` of a skill is meant to be one of this project.

    Its folder must exist in that of the skill or be a deep one of the project, or the skill must
    tell the agent to read the path. Any other folder that exists in the project says little:
    skills are written for many projects. False for a path without a folder.
    """
    folder = folder_of(tail)
    if not folder:
        return False
    is_in_skill = lookup.tree.has(posixpath.join(lookup.base, folder))
    is_deep = folder.count("/") >= _DEEP and lookup.tree.has(folder)
    return is_in_skill or is_deep or is_pointed_at(reference)
