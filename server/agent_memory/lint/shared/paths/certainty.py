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
from agent_memory.lint.shared.word_lists import patterns

if TYPE_CHECKING:
    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lint.shared.paths.lookup import PathLookup
    from agent_memory.lint.shared.paths.similar_files import Similar
    from agent_memory.markdown.references import Reference

_DEEP = 2
"""Slashes of a folder that few other projects have."""
_FOLDERS = lazy_compile(r"`[\w./-]+/`")
_MANY = 3


def is_certain(
    file: MemoryFile,
    reference: Reference,
    tail: str,
    place: PathLookup,
    near: Similar | None,
    *,
    is_used: bool,
) -> bool:
    """Return whether the tree or the text shows that the project must have had the path ``tail``.

    ``near`` is a file with a similar name. ``is_used``: the path is to be read or run.
    """
    listing = place.tree.listing
    own = _is_of_project(file, tail, place)
    stated = is_used or is_placed(file, reference)
    listed = _is_one_of_many(file, reference) or _is_folder_alone(reference, tail)
    there = stated and place.has(folder_of(tail)) and not listed
    moved = listing is not None and is_elsewhere(listing, tail)
    meant = own and (moved or there or is_pointed_at(reference))
    return meant or _is_close(near, tail, place, own=own)


def is_meant_here(file: MemoryFile, reference: Reference, tail: str, place: PathLookup) -> bool:
    """Return whether the text is about this project. Skills and rules are often for others too."""
    if file.source.role is Role.SKILL:
        return _is_of_skill(reference, tail, place)
    if is_own_memory(file, place.base) or is_pointed_at(reference):
        return True
    top, folder = tail.partition("/")[0], folder_of(tail)
    if top.lower() in patterns("common_folders"):
        return "/" in folder and place.has(folder)
    return place.has(top)


def _is_one_of_many(file: MemoryFile, reference: Reference) -> bool:
    """Return whether the line lists folders, which may be those that a project is to have."""
    if not reference.path.endswith("/"):
        return False
    return len(_FOLDERS.findall(file.lines[reference.span.line])) >= _MANY


def _is_folder_alone(reference: Reference, tail: str) -> bool:
    return "/" not in tail and reference.path.endswith("/")


def _is_close(near: Similar | None, tail: str, place: PathLookup, *, own: bool) -> bool:
    """Return whether a similar file shows that the text is about this project, or is its own."""
    if near is None:
        return False
    return own or near.certain or place.has(tail.partition("/")[0])


def _is_of_project(file: MemoryFile, tail: str, place: PathLookup) -> bool:
    """Return whether the path is one of this project: in its memory, or of a skill's own folder.

    A skill about skills names files as examples.
    """
    if file.source.role is Role.SKILL:
        own = posixpath.join(place.base, folder_of(tail))
        return "skill" not in file.path.parent.name and place.tree.has(own)
    return is_own_memory(file, place.base)


def _is_of_skill(reference: Reference, tail: str, place: PathLookup) -> bool:
    """Return whether the path of a skill is one of its own folder, or one that it says to read.

    Skills are written for many projects, so that a folder which exists says little unless it is
    deep.
    """
    folder = folder_of(tail)
    own = posixpath.join(place.base, folder)
    is_deep = folder.count("/") >= _DEEP and place.tree.has(folder)
    return bool(folder) and (place.tree.has(own) or is_deep or is_pointed_at(reference))
