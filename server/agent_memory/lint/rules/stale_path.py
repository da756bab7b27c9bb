"""AM501: a path or a file name in the text that does not exist in the project.

The heuristic prefers false negatives. A path that git deleted is reported unless its sentence says
that it need not exist. Another one also needs something that shows that it was meant to be one of
this project.
"""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING, NamedTuple

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.base.model import Role, Severity
from agent_memory.lint.rule import MEMORY_ROLES, FileRule, Hit
from agent_memory.lint.rules.file_too_large import is_template
from agent_memory.lint.shared.own_memory import is_of_other_repository, is_own_memory
from agent_memory.lint.shared.paths.certainty import is_certain, is_meant_here
from agent_memory.lint.shared.paths.claims import (
    PathClaim,
    is_about_other_project,
    is_claim,
    is_claim_by_name,
    is_created,
    is_of_plan,
    is_said_gone,
    is_sample,
    is_stated,
    is_to_be_read,
)
from agent_memory.lint.shared.paths.commands_run import command_paths
from agent_memory.lint.shared.paths.copied import copied_files
from agent_memory.lint.shared.paths.deleted import deleted_paths
from agent_memory.lint.shared.paths.doubts import (
    comes_with_use,
    has_alternative,
    is_folder,
    is_not_for_now,
    is_one_of_lock_files,
    is_pattern,
    is_vague,
)
from agent_memory.lint.shared.paths.evidence import (
    begins_entry,
    is_named_with_file,
    is_of_project_beside,
    is_outside,
    is_pointed_at,
    is_route,
    is_supported,
)
from agent_memory.lint.shared.paths.folder_lists import missing_beside, missing_folders
from agent_memory.lint.shared.paths.history import past_of, past_of_name
from agent_memory.lint.shared.paths.lookup import PathLookup, found
from agent_memory.lint.shared.paths.missing import Missing, missing_hit
from agent_memory.lint.shared.paths.similar_files import is_elsewhere, similar
from agent_memory.lint.shared.task_prompts import is_task_prompt
from agent_memory.lint.shared.word_lists import says

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.fs.file_index import FileIndex
    from agent_memory.fs.listing import Listing
    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lint.project import Project
    from agent_memory.lint.shared.paths.history import Past
    from agent_memory.lint.shared.paths.similar_files import Similar
    from agent_memory.markdown.references import Reference

_NOT_THERE = ("copied_hedges", "gone", "foreign_hedges")
"""Word lists: with one of these words around it, the file of a command need not exist."""
_PROMPTS = "prompts"
"""The folder of tasks that a person starts."""
_SHARED = ".instructions.md"
"""Instruction files are written for many projects, so a name says little about this one."""
_UP = lazy_compile(r"^(?:\.\./)+")


def check(file: MemoryFile, project: Project) -> Iterator[Hit]:
    """Report paths that exist neither at the root, next to the file, nor anywhere by ending.

    Names without a folder are not checked in skills, which name files of any project. Sources of
    copies are only checked in memory of this project.
    """
    base = project.below_root(file.path)
    if base is None or is_template(file.path, project) or is_of_other_repository(file, project):
        return  # the paths of a template are those of the project that is created
    place = PathLookup(project.tree, base)
    yield from _paths(file, place)
    shared = file.path.name.endswith(_SHARED) or is_task_prompt(file)
    if file.source.role is not Role.SKILL:
        yield from _names(file, place, is_shared=shared)
    if is_own_memory(file, base):
        yield from _copied(file, place)


# -- paths with a folder


class _Mention(NamedTuple):
    """A path in the text, and what its form shows.

    The text of ``reference`` is only complete if ``is_used``. Else ``MemoryFile.with_text`` adds
    it: most mentioned paths exist, and finding the sentence is slow.
    """

    reference: Reference
    is_of_project: bool = False
    """Whether its form alone says so: ``see x/y.md``, ``./run.sh``, one of a list of folders."""
    is_used: bool = False
    """Whether it is to be read or run, or is one that git deleted."""
    is_listed: bool = False
    """Whether it is in a list of the folders beside the file, so that others do not count."""


def _paths(file: MemoryFile, place: PathLookup) -> Iterator[Hit]:
    """Report the missing paths with a folder, and the missing folders; each position once."""
    seen: set[tuple[int, int]] = set()
    for mention in _missing(file, place):
        position = mention.reference.span.line, mention.reference.span.start
        if position in seen:
            continue
        seen.add(position)
        path = _written(mention.reference, place.tree)
        if not path or place.may_have(path):
            continue  # the name of a package or an alias, or a path that may exist
        if mention.is_used:
            with_text = mention
        else:
            with_text = mention._replace(reference=file.with_text(mention.reference))
        yield from _path_hits(file, with_text, path, place)


def _path_hits(file: MemoryFile, mention: _Mention, path: str, place: PathLookup) -> Iterator[Hit]:
    """Report the missing ``path`` of ``mention``, whose text is complete, unless it may be missing.

    The severity is that of the rule for a path that the project must have had, else information.
    """
    tree, reference = place.tree, mention.reference
    tail, past = _UP.sub("", path), past_of(tree, path, place.base)
    if past:
        is_reported = _is_deleted(file, reference, past, tail, place)
    else:
        is_reported = _is_missed(file, mention, path, place)
    if not is_reported:
        return
    listing = tree.listing
    near = similar(listing, tail, place.base) if listing else None
    if near and _is_in_row(file.lines[reference.span.line], near.path):
        return  # the row says where it is now
    certain = bool(past) or mention.is_listed
    certain = certain or is_certain(file, reference, tail, place, near, is_used=mention.is_used)
    git_never_had_it = not past and tree.deleted.is_known
    if git_never_had_it and not (certain and _is_expected(mention, near, place)):
        return  # most are examples, or files to come
    severity = None if certain else Severity.INFO
    yield missing_hit(file, tree, Missing(reference, near, past), severity)


def _is_expected(mention: _Mention, near: Similar | None, place: PathLookup) -> bool:
    """Return whether a path that git never had should exist now, and not only later."""
    reference, tail = mention.reference, _UP.sub("", mention.reference.path)
    if mention.is_used or near or is_to_be_read(PathClaim(tail, reference.text)):
        return True
    return not comes_with_use(reference, tail, place)


def _missing(file: MemoryFile, place: PathLookup) -> Iterator[_Mention]:
    """Yield the paths that do not exist as they are written from the root.

    A path can be yielded twice: first as one that is written, then as one that is deleted.
    """
    tree = place.tree
    for mention in (*_written_paths(file, place), *_used_paths(file)):
        if not tree.has(mention.reference.path):
            yield mention
    for reference in missing_folders(file, place):
        yield _Mention(reference, is_of_project=True)
    for reference in deleted_paths(file, tree.deleted, place.base):
        yield _Mention(reference, is_used=True)


def _written_paths(file: MemoryFile, place: PathLookup) -> Iterator[_Mention]:
    """Yield the paths in code spans, and the folders that entries begin with.

    Of these folders, only those that no folder of the project has the name of, or that are missing
    in a list of the folders beside the file.
    """
    yield from map(_Mention, file.path_references)
    listed = set(missing_beside(file, place))
    for reference in file.folder_references:
        if reference in listed:
            yield _Mention(reference, is_of_project=True, is_listed=True)
        elif not _is_somewhere(place.tree, reference.path):
            yield _Mention(reference)


def _used_paths(file: MemoryFile) -> Iterator[_Mention]:
    """Yield the paths that the text says to read, and those that its commands run."""
    for reference in file.plain_references:
        yield _Mention(reference, is_of_project=True, is_used=True)
    for reference in command_paths(file):
        if "/" in reference.path:
            yield _Mention(reference, reference.path.startswith("./"), is_used=True)


def _is_deleted(
    file: MemoryFile, reference: Reference, past: Past, tail: str, place: PathLookup
) -> bool:
    """Return whether the text says that ``tail``, which git deleted, exists in this project.

    ``tail`` is the path without ``../`` at its start. False if another file may be meant: one whose
    path ends the same, a file that the text creates, or one of another project.
    """
    claim = PathClaim(tail, reference.text, is_folder(reference), begins_entry(file, reference))
    is_task = _PROMPTS in file.path.parts  # it may tell to create the file
    if not (is_to_be_read(claim) or (is_stated(claim) and not is_task)):
        return False
    if is_of_plan(file, reference, tail, place.tree.has):
        return False
    listing = place.tree.listing
    if listing is None:
        return False  # too many files to know whether another one may be meant
    is_exact = past.path == posixpath.normpath(posixpath.join(place.base, tail))
    ending = found(listing, tail)
    if ending and not is_exact:
        return False  # the existing file of that name may be meant
    if place.base == "." and _is_named_apart(file, tail, ending):
        return False  # the path may be below that folder
    is_skill = file.source.role is Role.SKILL
    if is_skill and (tail.startswith(".") or _has_copy(listing, tail, place.base)):
        return False  # of the project that the skill is installed in, or one that the skill writes
    if is_outside(place.tree, tail, place.base, skill=False):
        return False
    if not past.moved_to and is_created(file, tail.lower()):
        return False  # deleted, to be created again by the text
    return not _is_of_other(file, reference, tail, place)


def _is_named_apart(file: MemoryFile, tail: str, ending: list[str]) -> bool:
    """Return whether the text names a folder in which ``tail`` exists: "inside `packages/a`".

    ``ending`` are the existing paths that end with ``tail``.
    """
    folders = (path.removesuffix(tail).rstrip("/") for path in ending)
    return any(folder and folder in file.content.text for folder in folders)


def _has_copy(listing: Listing, tail: str, base: str) -> bool:
    """Return whether ``base``, the folder of a skill, has a file of this name, to be copied."""
    named = listing.by_name.get(posixpath.basename(tail), ())
    return any(path.startswith(f"{base}/") for path in named)


def _is_missed(file: MemoryFile, mention: _Mention, path: str, place: PathLookup) -> bool:
    """Return whether the text says that the missing ``path`` exists, and is about this project.

    Checks that scan the whole text come last: most paths fail an earlier one.
    """
    tree, base, reference = place.tree, place.base, mention.reference
    skill, tail = file.source.role is Role.SKILL, _UP.sub("", path)
    if is_vague(reference, tail, place, skill=skill):
        return False
    if not _is_claimed(file, mention, tail, place) or has_alternative(reference.text, place):
        return False
    if "[" in tail and not is_route(tail, place):
        return False  # a placeholder
    listing = tree.listing
    if listing is None or is_not_for_now(listing, tail, place):
        return False
    if skill and _has_copy(listing, tail, base):
        return False
    # Another folder may have the path, unless the text is about the folder of the file.
    if found(listing, tail) and not (mention.is_listed or place.is_of_package(path)):
        return False
    is_moved = is_elsewhere(listing, tail)
    if not (is_moved or mention.is_of_project or is_supported(file, reference, tail, place)):
        return False
    if is_outside(tree, tail, base, skill=skill) or _is_of_other(file, reference, tail, place):
        return False
    is_meant = is_moved or is_meant_here(file, reference, tail, place)
    return is_meant and not is_created(file, tail.lower())


def _is_claimed(file: MemoryFile, mention: _Mention, tail: str, place: PathLookup) -> bool:
    """Return whether the text says that the path ``tail`` exists.

    A folder without a parent (``docs/``) must begin an entry, or be one of this project by its
    form: elsewhere in a sentence, it is often a word.
    """
    reference = mention.reference
    noted = begins_entry(file, reference)
    claim = PathClaim(tail, reference.text, is_folder(reference), noted)
    if "/" in tail:
        top = tail.partition("/")[0]
        claimed = is_claim(claim) and not is_pattern(top, reference.text, place)
    elif claim.is_folder:
        claimed = (noted or mention.is_of_project) and is_claim(claim)
    else:
        claimed = is_claim_by_name(claim)
    return claimed and not is_sample(file, reference, tail, place.tree.has)


def _is_of_other(file: MemoryFile, reference: Reference, tail: str, place: PathLookup) -> bool:
    """Return whether the path is one of another project, or the file says that it was removed."""
    if is_about_other_project(file, reference) or is_said_gone(file, tail):
        return True
    return is_of_project_beside(file, tail, place)


def _is_in_row(line: str, path: str) -> bool:
    """Return whether ``line`` is a row of a table with ``path`` in it: ``| old.py | new.py |``."""
    return line.lstrip().startswith("|") and path in line


def _written(reference: Reference, tree: FileIndex) -> str:
    """Return the path with slashes, normalized; '' for a name of a package or an alias.

    ``@docs/a.md`` is docs/a.md if the folder exists, ``@babel/core`` a package, ``@/lib`` an alias.
    """
    path = posixpath.normpath(reference.path.replace("\\", "/"))
    if not path.startswith("@"):
        return path
    imported = path[1:]
    is_import = not imported.startswith("/") and tree.has(imported.partition("/")[0])
    return imported if is_import else ""


def _is_somewhere(tree: FileIndex, folder: str) -> bool:
    """Return whether the project has this name in any folder; True with too many files to tell."""
    return tree.listing is None or folder.rstrip("/") in tree.listing.by_name


# -- file names


def _names(file: MemoryFile, place: PathLookup, *, is_shared: bool) -> Iterator[Hit]:
    """Report file names without a folder that no file of the project has.

    ``is_shared``: the file is written for several projects, so that only git says whether a name
    is one of this project. Of other names, something must show that the project had the file: git,
    a similar file, or the text and the tree.
    """
    tree = place.tree
    for reference in file.name_references:
        name = reference.path
        if tree.has(posixpath.normpath(posixpath.join(place.base, name))):
            continue
        listing = tree.listing
        if listing is None or found(listing, name):
            continue
        named = file.with_text(reference)
        past = past_of(tree, name, place.base) or _past_in_any_folder(file, named, place)
        if (is_shared and not past) or not _is_named(file, named, place, past):
            continue
        near = similar(listing, name, place.base)
        if not (past or near or is_supported(file, named, name, place)):
            continue
        moved_to = past.moved_to if past else None
        if not moved_to and is_created(file, name.lower()):
            continue  # by the workflow that the text describes
        if is_about_other_project(file, named):
            continue
        is_to_read = is_own_memory(file, place.base) and is_pointed_at(named)
        certain = past or near or is_to_read
        if not certain and tree.deleted.is_known:
            continue  # a name that git never had: most are examples, or files to come
        severity = None if certain else Severity.INFO
        yield missing_hit(file, tree, Missing(reference, near, past), severity)


def _past_in_any_folder(file: MemoryFile, reference: Reference, place: PathLookup) -> Past | None:
    """Return the deletion of the only file of this name, if the text is about that file.

    It is if the agent is told to read it, or if memory of the project names it with a file that
    exists, and its folder still exists.
    """
    past = past_of_name(place.tree, reference.path)
    if past is None or is_pointed_at(reference):
        return past
    folder = posixpath.dirname(past.path)
    is_of_project = place.tree.has(folder) and is_own_memory(file, place.base)
    return past if is_of_project and is_named_with_file(file, reference, place) else None


def _is_named(file: MemoryFile, reference: Reference, place: PathLookup, past: Past | None) -> bool:
    """Return whether the text says that the project has a file of this name.

    For a name with a ``past``, only words of the text count, not its form. False for an alternative
    of an existing file, an example, or a file that git ignores.
    """
    name, tree = reference.path, place.tree
    claim = PathClaim(name, reference.text, is_noted=begins_entry(file, reference))
    claimed = is_stated(claim) if past else is_claim_by_name(claim)
    if is_one_of_lock_files(name, reference.text) or has_alternative(reference.text, place):
        return False
    if not claimed or is_sample(file, reference, name, tree.has):
        return False
    return not (tree.ignored.covers(name) or tree.ignored.names(name))


# -- files that commands copy


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
            yield missing_hit(file, tree, Missing(reference, near, past_of(tree, path, ".")), None)


RULE = FileRule(
    "AM501",
    "stale-path",
    Severity.WARNING,
    "A path that does not exist",
    check=check,
    roles=MEMORY_ROLES | {Role.SKILL},
    varies=True,
)
