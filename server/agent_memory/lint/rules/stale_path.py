"""AM501: a path or a file name in the text that does not exist in the project.

The heuristic prefers false negatives: a path is reported only if its sentence is not about
examples, planned files or files that git ignores, and in a skill only if its first folder exists.
"""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING, NamedTuple

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.base.model import (
    Edit,
    Fix,
    Related,
    Role,
    Severity,
)
from agent_memory.base.text import Span
from agent_memory.l10n import t
from agent_memory.lint.rule import MEMORY_ROLES, FileRule, Hit
from agent_memory.lint.rules.file_too_large import is_template
from agent_memory.lint.shared.command_paths import command_paths
from agent_memory.lint.shared.own_memory import is_of_other_repository, is_own_memory
from agent_memory.lint.shared.path_claims import (
    PathClaim,
    is_about_other_project,
    is_claim,
    is_claim_by_name,
    is_sample,
)
from agent_memory.lint.shared.path_evidence import (
    PathLookup,
    begins_entry,
    is_of_project_beside,
    is_outside,
    is_placed,
    is_pointed_at,
    is_supported,
)
from agent_memory.lint.shared.similar_files import (
    Similar,
    from_template,
    is_elsewhere,
    is_shortened,
    similar,
)
from agent_memory.lint.shared.task_prompts import is_task_prompt
from agent_memory.lint.shared.word_lists import patterns

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.fs.file_index import FileIndex, Listing
    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lint.project import Project
    from agent_memory.markdown.references import Reference

_HEADERS = (".h", ".hh", ".hpp", ".hxx")
_SHORT = 2
"""Parts of a path that many projects have."""
_DEEP = 2
"""Slashes of a folder that few other projects have."""
_SHARED = ".instructions.md"
"""Instruction files are written for many projects, so a name says little about this one."""
_KEEPERS = (".gitkeep", ".keep")
"""Files that keep a folder in git while it is empty."""
_MANY = 3
_UP = lazy_compile(r"^(?:\.\./)+")
_FOLDERS = lazy_compile(r"`[\w./-]+/`")
_NAMING = lazy_compile(r"\bfiles?: ` ?`")
_COMPILED = {".js": (".ts", ".tsx"), ".mjs": (".mts",), ".cjs": (".cts",)}


def check(file: MemoryFile, project: Project) -> Iterator[Hit]:
    """Report paths that exist neither at the root, next to the file, nor anywhere by ending."""
    base = project.below_root(file.path)
    if base is None or is_template(file.path, project) or is_of_other_repository(file, project):
        return  # the paths of a template are those of the project that is created
    yield from _paths(file, project, base)
    shared = file.path.name.endswith(_SHARED) or is_task_prompt(file)
    if file.source.role is not Role.SKILL and not shared:
        yield from _names(file, project, base)


def _paths(file: MemoryFile, project: Project, base: str) -> Iterator[Hit]:
    place = PathLookup(project.tree, base)
    for mention in _missing(file, project.tree):
        path = _written(mention.reference, project.tree)
        if not path or _exists(project.tree, path, base):
            continue
        if not mention.is_used:
            mention = mention._replace(reference=file.with_text(mention.reference))  # noqa: PLW2901
        tail = _UP.sub("", path)
        if not _is_missed(file, mention, path, place):
            continue
        reference, listing = mention.reference, project.tree.listing
        near = similar(listing, tail, base) if listing else None
        if near and _is_in_row(file.lines[reference.span.line], near.path):
            continue  # the row says where it is now
        certain = _is_certain(file, mention, tail, place, near)
        yield _hit(file, project, reference, near, None if certain else Severity.INFO)


def _is_missed(file: MemoryFile, mention: _Mention, path: str, place: PathLookup) -> bool:
    """Return whether the text says that the missing ``path`` exists, and is about this project.

    Checks that scan the whole text come last: most paths fail an earlier one.
    """
    tree, base, reference = place.tree, place.base, mention.reference
    skill, tail = file.source.role is Role.SKILL, _UP.sub("", path)
    if _is_vague(reference, tail, tree, base, skill=skill):
        return False
    if not _is_claimed(file, reference, tail, tree, base):
        return False
    listing = tree.listing
    if listing is None or _is_of_other_files(listing, tail, place):
        return False
    if _found(listing, tail) and not _is_of_this_package(listing, tree, path, base):
        return False
    moved = is_elsewhere(listing, tail)
    if not (moved or mention.is_of_project or is_supported(file, reference, tail, place)):
        return False
    if is_outside(tree, tail, base, skill=skill) or _is_of_other(file, reference, tail, place):
        return False
    return moved or _is_meant_here(file, reference, tail, place)


def _is_certain(
    file: MemoryFile, mention: _Mention, tail: str, place: PathLookup, near: Similar | None
) -> bool:
    """Return whether the project must have had the path, so that it deserves a warning."""
    reference, listing = mention.reference, place.tree.listing
    own = _is_of_project(file, tail, place)
    stated = mention.is_used or is_placed(file, reference)
    listed = _is_one_of_many(file, reference) or _is_folder_alone(reference, tail)
    there = stated and place.has(_folder(tail)) and not listed
    moved = listing is not None and is_elsewhere(listing, tail)
    meant = own and (moved or there or is_pointed_at(reference))
    return meant or _is_close(near, tail, place, own=own)


def _is_of_other(file: MemoryFile, reference: Reference, tail: str, place: PathLookup) -> bool:
    return is_about_other_project(file, reference) or is_of_project_beside(file, tail, place)


def _is_of_other_files(listing: Listing, tail: str, place: PathLookup) -> bool:
    """Return whether the path is one of a dependency or a template, or leaves out ``src``."""
    if is_shortened(listing, tail) and not place.has(tail.partition("/")[0]):
        return True
    if _is_filled_later(listing, tail, place):
        return True
    return _is_foreign_header(listing, tail) or from_template(listing, tail)


def _is_filled_later(listing: Listing, tail: str, place: PathLookup) -> bool:
    """Return whether the folder of the path is kept empty, for files that come with use."""
    folder = posixpath.dirname(tail)
    starts = (folder, posixpath.normpath(posixpath.join(place.base, folder)))
    kept = [
        start for start in starts if any(f"{start}/{name}" in listing.files for name in _KEEPERS)
    ]
    return bool(folder) and any(
        sum(path.startswith(f"{start}/") for path in listing.files) == 1 for start in kept
    )


def _exists(tree: FileIndex, path: str, base: str) -> bool:
    """Return whether ``path`` exists, or is one above the project that cannot be looked up."""
    if tree.has(path) or tree.has(posixpath.normpath(posixpath.join(base, path))):
        return True
    return _is_beside(tree, path, base) or _is_from_above(tree, path)


def _is_meant_here(file: MemoryFile, reference: Reference, tail: str, place: PathLookup) -> bool:
    """Return whether the text is about this project. Skills and rules are often for others too."""
    if file.source.role is Role.SKILL:
        return _is_of_skill(reference, tail, place)
    if is_own_memory(file, place.base) or is_pointed_at(reference):
        return True
    top, folder = tail.partition("/")[0], _folder(tail)
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


def _folder(path: str) -> str:
    return posixpath.dirname(path.rstrip("/"))


def _is_in_row(line: str, path: str) -> bool:
    return line.lstrip().startswith("|") and path in line


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
        own = posixpath.join(place.base, _folder(tail))
        return "skill" not in file.path.parent.name and place.tree.has(own)
    return is_own_memory(file, place.base)


def _is_of_skill(reference: Reference, tail: str, place: PathLookup) -> bool:
    """Return whether the path of a skill is one of its own folder, or one that it says to read.

    Skills are written for many projects, so that a folder which exists says little unless it is
    deep.
    """
    folder = _folder(tail)
    own = posixpath.join(place.base, folder)
    is_deep = folder.count("/") >= _DEEP and place.tree.has(folder)
    return bool(folder) and (place.tree.has(own) or is_deep or is_pointed_at(reference))


def _is_vague(reference: Reference, tail: str, tree: FileIndex, base: str, *, skill: bool) -> bool:
    """Return whether the path may be one of any project.

    Such are those in skills, if they are short and not of a folder of the skill, and those of
    packages and tools, if the project has no folder for them.
    """
    parts = tail.split("/")
    if skill and (_is_folder(reference) or len(parts) <= _SHORT):
        own = len(parts) > 1 and tree.has(posixpath.join(base, *parts[:-1]))
        of_another = "skill.md" in reference.text
        return _is_folder(reference) or not own or of_another
    if _is_folder(reference) and not reference.path.endswith("/"):
        return not tree.has(parts[0])
    if skill and not f"/{base}".startswith("/."):
        return tail.startswith(".")  # of the project that the skill is installed in
    return tail.startswith(".") and not tree.has("/".join(parts[:-1][:2]))


def _is_folder(reference: Reference) -> bool:
    return reference.path.endswith("/") or "." not in posixpath.basename(reference.path)


def _written(reference: Reference, tree: FileIndex) -> str:
    """Return the path with slashes; '' for the scope of a package, or an alias."""
    path = posixpath.normpath(reference.path.replace("\\", "/"))
    if not path.startswith("@"):
        return path
    path = path[1:]  # an import of Claude Code
    return "" if path.startswith("/") or not tree.has(path.partition("/")[0]) else path


class _Mention(NamedTuple):
    """A path in the text."""

    reference: Reference
    is_of_project: bool = False
    """Whether its form alone says so: ``see x/y.md``, ``./run.sh``."""
    is_used: bool = False
    """Whether it is to be read or run. The reference of another mention has no text yet."""


def _missing(file: MemoryFile, tree: FileIndex) -> Iterator[_Mention]:
    """Yield the paths that do not exist as they are written."""
    for reference in file.path_references:
        if not tree.has(reference.path):
            yield _Mention(reference)
    for reference in file.folder_references:
        if not (tree.has(reference.path) or _is_somewhere(tree, reference.path)):
            yield _Mention(reference)
    for reference in file.plain_references:
        if not tree.has(reference.path):
            yield _Mention(reference, is_of_project=True, is_used=True)
    for reference in command_paths(file):
        if not tree.has(reference.path) and "/" in reference.path:
            yield _Mention(reference, reference.path.startswith("./"), is_used=True)


def _is_somewhere(tree: FileIndex, folder: str) -> bool:
    """Return whether any folder of the project has the name."""
    return tree.listing is None or folder.rstrip("/") in tree.listing.by_name


def _is_claimed(
    file: MemoryFile, reference: Reference, tail: str, tree: FileIndex, base: str
) -> bool:
    """Return whether the text says that the path ``tail`` exists."""
    noted = begins_entry(file, reference)
    folder = _is_folder(reference)
    if "/" not in tail and folder:
        claimed = noted and is_claim(PathClaim(tail, reference.text, folder, noted))
    elif "/" not in tail:
        claimed = is_claim_by_name(PathClaim(tail, reference.text, is_noted=noted))
    else:
        top = tail.partition("/")[0]
        claimed = is_claim(PathClaim(tail, reference.text, folder, noted)) and not _is_pattern(
            (top, reference.text), tree, base
        )
    return claimed and not is_sample(file, reference, tail, tree.has)


def _is_pattern(named: tuple[str, str], tree: FileIndex, base: str) -> bool:
    """Return whether the text says how files are named: ``file: x/y.ts``, with no folder x.

    ``named`` is (first folder, text).
    """
    top, text = named
    if tree.has(top) or tree.has(posixpath.normpath(posixpath.join(base, top))):
        return False
    return bool(_NAMING.search(text))


def _is_beside(tree: FileIndex, path: str, base: str) -> bool:
    """Return whether ``../x/…`` leads to another project: there is no folder x above the file."""
    above = re.match(r"(?:\.\./)+[^/]+", path)
    if above is None:
        return False
    return not tree.has(posixpath.normpath(posixpath.join(base, above[0])))


def _is_from_above(tree: FileIndex, path: str) -> bool:
    """Return whether the path begins with the name of the root: ``app/docs/a.md`` in ``app``."""
    top, _, rest = path.partition("/")
    return bool(rest) and top.casefold() == tree.root.name.casefold() and tree.has(rest)


def _names(file: MemoryFile, project: Project, base: str) -> Iterator[Hit]:
    """Report file names without a folder that no file of the project has."""
    tree = project.tree
    for reference in file.name_references:
        name = reference.path
        if tree.has(posixpath.normpath(posixpath.join(base, name))):
            continue
        listing = tree.listing
        if listing is None or _found(listing, name):
            continue
        named = file.with_text(reference)
        claim = PathClaim(name, named.text, is_noted=begins_entry(file, named))
        if not is_claim_by_name(claim) or is_sample(file, named, name, tree.has):
            continue
        if tree.ignored.covers(name) or tree.ignored.names(name):
            continue
        near = similar(listing, name, base)
        if not near and not is_supported(file, named, name, PathLookup(tree, base)):
            continue
        if not is_about_other_project(file, named):
            own = near or (is_own_memory(file, base) and is_pointed_at(named))
            yield _hit(file, project, reference, near, None if own else Severity.INFO)


def _found(listing: Listing, tail: str) -> list[str]:
    """Return the paths that end with ``tail``, or with the source ``tail`` is compiled from."""
    stem, dot, extension = tail.rpartition(".")
    sources = _COMPILED.get(dot + extension, ())
    written = (tail, *(stem + source for source in sources))
    return [found for path in written for found in listing.ending(path)]


def _is_of_this_package(listing: Listing, tree: FileIndex, path: str, base: str) -> bool:
    """Return whether ``path`` names a folder of the package of the file, such as ``src``.

    Another package may have the same path, which says nothing about this one. A folder below the
    file may have it too: then the text is about that folder.
    """
    folder = posixpath.dirname(path)
    below = any(found.startswith(f"{base}/") for found in _found(listing, path))
    return base != "." and bool(folder) and tree.has(posixpath.join(base, folder)) and not below


def _is_foreign_header(listing: Listing, tail: str) -> bool:
    """Return whether ``tail`` is a header of a dependency: the project has no C or C++ headers."""
    return tail.endswith(_HEADERS) and not any(path.endswith(_HEADERS) for path in listing.files)


def _hit(
    file: MemoryFile,
    project: Project,
    reference: Reference,
    near: Similar | None,
    severity: Severity | None = None,
) -> Hit:
    if near is None:
        message = t(
            "{0} does not exist in this project\nCorrect the path, or remove it.", reference.path
        )
        return Hit(reference.span, message, severity=severity)
    message = t("{0} does not exist in this project\nDid you mean {1}?", reference.path, near.path)
    new = near.path if "/" in reference.path else posixpath.basename(near.path)
    edit = Edit(file.path, reference.span, new)
    fix = Fix(t("Replace with {0}", new), (edit,), safe=False, certain=near.certain)
    target = project.tree.root / near.path
    return Hit(
        reference.span,
        message,
        (fix,),
        (Related(target, Span(0, 0, 0, 0), t("Existing file")),),
        severity,
    )


RULE = FileRule(
    "AM501",
    "stale-path",
    Severity.WARNING,
    "A path that does not exist",
    check=check,
    roles=MEMORY_ROLES | {Role.SKILL},
    varies=True,
)
