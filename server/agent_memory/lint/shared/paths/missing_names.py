"""File names without a folder that no file of the project has, and whether each is reported."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING

from agent_memory.base.model import Role, Severity
from agent_memory.lint.shared.own_memory import is_own_memory
from agent_memory.lint.shared.paths.claims import PathClaim, is_claim_by_name, is_stated
from agent_memory.lint.shared.paths.doubts import (
    has_alternative,
    is_in_unknown_folder,
    is_of_any_project,
    is_one_of_lock_files,
    is_settings_of_program,
)
from agent_memory.lint.shared.paths.evidence import (
    begins_entry,
    is_named_with_file,
    is_of_folder_before,
    is_pointed_at,
    is_supported,
)
from agent_memory.lint.shared.paths.history import past_beside, past_of, past_of_name
from agent_memory.lint.shared.paths.layout_lists import (
    is_among_files,
    is_in_layout,
    is_of_folder,
)
from agent_memory.lint.shared.paths.lookup import existing_paths
from agent_memory.lint.shared.paths.missing import Missing, missing_hit
from agent_memory.lint.shared.paths.samples import is_sample
from agent_memory.lint.shared.paths.similar_files import similar
from agent_memory.lint.shared.paths.whole_text import is_about_other_project, is_created

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lint.rule import Hit
    from agent_memory.lint.shared.paths.history import Past
    from agent_memory.lint.shared.paths.lookup import PathLookup
    from agent_memory.markdown.references import Reference

_AROUND = 2
"""Lines above and below a name that have names of the same list or sentence."""


def missing_name_hits(file: MemoryFile, place: PathLookup, *, is_shared: bool) -> Iterator[Hit]:
    """Report file names without a folder that no file of the project has.

    Something must show that the project had the file: git, a similar file, a list of existing
    files, or the text and the tree (:func:`is_supported`). If only the last does, the severity is
    information unless the memory says to read the file; where git's history is known, nothing is
    reported then, except a name that the memory gives after its folder and a file in it.
    ``is_shared``: the file is written for several projects, so that only git can show it.
    """
    tree = place.tree
    for reference in file.name_references:
        name = reference.path
        if tree.has(posixpath.normpath(posixpath.join(place.base, name))):
            continue
        listing = tree.listing
        if listing is None:
            continue  # too many files to know whether another one is meant
        is_elsewhere = bool(existing_paths(listing, name))
        if is_elsewhere and not _is_missed_here(file, reference, place):
            continue
        past = _past(file, reference, place)
        full = file.with_text(reference)
        if (is_shared and not past) or not _is_named(file, full, place, past):
            continue
        # Of a file that git deleted here, one of the same name in another folder is no copy.
        near = None if past and is_elsewhere else similar(listing, name, place.base)
        # Of names that are elsewhere, only those in a list of this folder get here.
        is_listed = is_elsewhere or is_in_layout(file, full, place)
        if not (past or near or is_listed or is_supported(file, full, name, place)):
            continue
        moved_to = past.moved_to if past else None
        if not moved_to and is_created(file, name.lower()):
            continue  # by the workflow that the text describes
        if is_about_other_project(file, full):
            continue
        is_own = is_own_memory(file, place.base)
        certain = past or near or is_listed or (is_own and is_pointed_at(full))
        is_after_file = is_own and is_of_folder_before(file, full, place)
        if not certain and not is_after_file and tree.deleted.is_known:
            continue  # a name that git never had: most are examples, or files to come
        severity = None if certain else Severity.INFO
        yield missing_hit(file, place, Missing(reference, near, past), severity)


def _past(file: MemoryFile, reference: Reference, place: PathLookup) -> Past | None:
    """Return the deletion of the file that the name stands for, None if git did not delete it.

    Names in a skill are those of any project, unless git deleted the file in the folder of others
    that the skill names.
    """
    tree, name, line = place.tree, reference.path, reference.span.line
    past = past_beside(tree, name, file.lines[max(0, line - _AROUND) : line + _AROUND + 1])
    if past or file.source.role is Role.SKILL:
        return past
    return past_of(tree, name, place.base) or _past_in_any_folder(file, reference, place)


def _is_missed_here(file: MemoryFile, reference: Reference, place: PathLookup) -> bool:
    """Return whether the name is one of the folder of the file, although another folder has it."""
    past = past_of(place.tree, reference.path, place.base)
    was_here = past is not None and past.path == posixpath.join(place.base, reference.path)
    return is_of_folder(file, reference, place, was_in_it=was_here)


def _past_in_any_folder(file: MemoryFile, reference: Reference, place: PathLookup) -> Past | None:
    """Return the deletion of the only deleted file of this name, if the text is about that file.

    It is if the agent is told to read it, if a list of existing files has it, or if memory of the
    project names it with a file that exists, and its folder still exists. None otherwise.
    """
    past = past_of_name(place.tree, reference.path)
    if past is None or is_pointed_at(file.with_text(reference)):
        return past
    if is_among_files(file, reference, place):
        return past
    folder = posixpath.dirname(past.path)
    is_of_project = place.tree.has(folder) and is_own_memory(file, place.base)
    return past if is_of_project and is_named_with_file(file, reference, place) else None


def _is_named(file: MemoryFile, reference: Reference, place: PathLookup, past: Past | None) -> bool:
    """Return whether the text says that the project has a file of this name.

    For a name with a ``past``, only words of the text count, not its form. False for a name of any
    project, an alternative of an existing file, an example, the settings of a program, or a file
    that git ignores. Without a ``past``, also False for a name in a folder that does not exist.
    """
    name, tree = reference.path, place.tree
    claim = PathClaim(name, reference.text, is_noted=begins_entry(file, reference))
    is_claimed = is_stated(claim) if past else is_claim_by_name(claim)
    if is_one_of_lock_files(name, reference.text) or has_alternative(reference.text, place):
        return False
    if is_of_any_project(file, reference, tree) or is_settings_of_program(name, tree):
        return False
    if not is_claimed or is_sample(file, reference, name, tree.has):
        return False
    if not past and is_in_unknown_folder(file, reference, place):
        return False
    ignored, from_base = tree.ignored, posixpath.normpath(posixpath.join(place.base, name))
    return not (ignored.covers(name) or ignored.covers(from_base) or ignored.names(name))
