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
    follows_folder_and_file,
    is_described,
    is_named_with_file,
    is_pointed_at,
    is_supported,
)
from agent_memory.lint.shared.paths.history import past_beside, past_of, past_of_name
from agent_memory.lint.shared.paths.layout_lists import (
    is_in_layout,
    is_in_list_of_files,
    is_meant_in_folder,
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


def missing_name_hits(file: MemoryFile, lookup: PathLookup, *, is_shared: bool) -> Iterator[Hit]:
    """Report file names without a folder that no file of the project has.

    Something must show that the project had the file: git, a similar file, a list of existing
    files, or the text and the tree (:func:`is_supported`). If only the last does, the severity is
    information unless the memory says to read the file; where git's history is known, nothing is
    reported then, except a name that the memory gives after its folder and a file in it.
    ``is_shared``: the file is written for several projects, so that only git can show it.
    """
    for reference in file.name_references:
        hit = _hit(file, reference, lookup, is_shared=is_shared)
        if hit:
            yield hit


def _hit(
    file: MemoryFile, reference: Reference, lookup: PathLookup, *, is_shared: bool
) -> Hit | None:
    """Return the report of the file name ``reference``; None if it exists, or need not exist."""
    tree, name = lookup.tree, reference.path
    if tree.has(posixpath.normpath(posixpath.join(lookup.base, name))):
        return None
    if tree.listing is None:
        return None  # too many files to know whether another one is meant
    is_elsewhere = bool(existing_paths(tree.listing, name))
    if is_elsewhere and not _is_missed_here(file, reference, lookup):
        return None
    past = _past(file, reference, lookup)
    full = file.with_text(reference)
    if (is_shared and not past) or not _is_named(file, full, lookup, past):
        return None
    # A file of the same name in another folder is no copy of the one that git deleted here.
    similar_file = None if past and is_elsewhere else similar(tree.listing, name, lookup.base)
    # Of names that are elsewhere, only those in a list of this folder get here.
    is_listed = is_elsewhere or is_in_layout(file, full, lookup)
    if not (past or similar_file or is_listed or is_supported(file, full, name, lookup)):
        return None
    if _is_created_or_elsewhere(file, full, past):
        return None
    is_to_be_read = is_own_memory(file, lookup.base) and is_pointed_at(full)
    certain = past or similar_file or is_listed or is_to_be_read
    if not certain and not _is_expected(file, full, lookup):
        return None
    severity = None if certain else Severity.INFO
    return missing_hit(file, lookup, Missing(reference, similar_file, past), severity)


def _is_created_or_elsewhere(file: MemoryFile, reference: Reference, past: Past | None) -> bool:
    """Return whether the text creates the file of the name, or is about another project."""
    is_moved = past is not None and past.moved_to is not None
    if not is_moved and is_created(file, reference.path.lower()):
        return True
    return is_about_other_project(file, reference)


def _is_expected(file: MemoryFile, reference: Reference, lookup: PathLookup) -> bool:
    """Return whether a name of which only the text says that it exists should exist.

    Most names that git never had are examples, or files to come. Not so in the project's own memory
    after the folder and another file of it. Also True if git's history is not known.
    """
    if not lookup.tree.deleted.is_known:
        return True
    is_own = is_own_memory(file, lookup.base)
    return is_own and follows_folder_and_file(file, reference, lookup)


def _past(file: MemoryFile, reference: Reference, lookup: PathLookup) -> Past | None:
    """Return the deletion of the file that the name stands for, None if git did not delete it.

    Names in a skill are those of any project, unless git deleted the file in the folder of others
    that the skill names.
    """
    tree, name, line = lookup.tree, reference.path, reference.span.line
    lines_around = file.lines[max(0, line - _AROUND) : line + _AROUND + 1]
    past = past_beside(tree, name, lines_around)
    if past or file.source.role is Role.SKILL:
        return past
    return past_of(tree, name, lookup.base) or _past_in_any_folder(file, reference, lookup)


def _is_missed_here(file: MemoryFile, reference: Reference, lookup: PathLookup) -> bool:
    """Return whether the memory file's folder should have the name, although another folder has."""
    past = past_of(lookup.tree, reference.path, lookup.base)
    was_here = past is not None and past.path == posixpath.join(lookup.base, reference.path)
    return is_meant_in_folder(file, reference, lookup, was_in_it=was_here)


def _past_in_any_folder(file: MemoryFile, reference: Reference, lookup: PathLookup) -> Past | None:
    """Return the deletion of the only deleted file of this name, if the text is about that file.

    One of these must show it: the agent is told to read the file, a list of existing files has it,
    or its folder still exists and memory of the project names it with an existing file or on
    another line too. Else None.
    """
    past = past_of_name(lookup.tree, reference.path)
    if past is None or is_pointed_at(file.with_text(reference)):
        return past
    if is_in_list_of_files(file, reference, lookup):
        return past
    folder = posixpath.dirname(past.path)
    if not (lookup.tree.has(folder) and is_own_memory(file, lookup.base)):
        return None
    if is_named_with_file(file, reference, lookup) or _is_repeated(file, reference):
        return past
    return None


def _is_repeated(file: MemoryFile, reference: Reference) -> bool:
    """Return whether another line has the name too, and no word says that it is an example.

    Most examples of names are given once.
    """
    full = file.with_text(reference)
    claim = PathClaim(full.path, full.text, is_described=is_described(file, full))
    line = reference.span.line
    return is_claim_by_name(claim) and any(
        other.path == reference.path and other.span.line != line for other in file.name_references
    )


def _is_named(
    file: MemoryFile, reference: Reference, lookup: PathLookup, past: Past | None
) -> bool:
    """Return whether the text says that the project has a file of this name.

    For a name with a ``past``, only words of the text count, not its form. False for a name of any
    project, an alternative of an existing file, an example, the settings of a program, or a file
    that git ignores. Without a ``past``, also False for a name in a folder that does not exist.
    """
    name, tree = reference.path, lookup.tree
    claim = PathClaim(name, reference.text, is_described=is_described(file, reference))
    is_claimed = is_stated(claim) if past else is_claim_by_name(claim)
    if is_one_of_lock_files(name, reference.text) or has_alternative(reference.text, lookup):
        return False
    if is_of_any_project(file, reference, tree) or is_settings_of_program(name, tree):
        return False
    if not is_claimed or is_sample(file, reference, name, tree.has):
        return False
    if not past and is_in_unknown_folder(file, reference, lookup):
        return False
    ignored, from_base = tree.ignored, posixpath.normpath(posixpath.join(lookup.base, name))
    return not (ignored.covers(name) or ignored.covers(from_base) or ignored.names(name))
