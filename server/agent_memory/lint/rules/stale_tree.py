"""AM506: an entry of a directory tree that does not exist in the project."""

from __future__ import annotations

import posixpath
import re
from bisect import bisect_left
from typing import TYPE_CHECKING, NamedTuple

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.base.model import Edit, Fix, Related, Role, Severity
from agent_memory.base.text import Span
from agent_memory.l10n import t
from agent_memory.lint.rule import MEMORY_ROLES, FileRule, Hit
from agent_memory.lint.rules.file_too_large import is_template
from agent_memory.lint.shared.own_memory import is_of_other_repository, is_own_memory
from agent_memory.lint.shared.paths.claims import PathClaim, has_file_extension, is_claim, is_stated
from agent_memory.lint.shared.paths.evidence import is_outside
from agent_memory.lint.shared.paths.history import past_of
from agent_memory.lint.shared.paths.missing import missing_message, moved_file
from agent_memory.lint.shared.paths.similar_files import similar
from agent_memory.lint.shared.paths.whole_text import is_about_other_project
from agent_memory.lint.shared.word_lists import PLANS, says, word_list
from agent_memory.markdown.references import Reference
from agent_memory.markdown.trees import TreeEntry, trees_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lint.project import Project
    from agent_memory.lint.shared.paths.history import Past
    from agent_memory.lint.shared.paths.similar_files import Similar

_PLANNED = lazy_compile(
    r"\b(?:planned|future|upcoming|proposed|to be created|not yet)\b", re.IGNORECASE
)
"""Words of a note about a folder that comes later."""
_RELATIONS = lazy_compile(
    r"\b(?:dependency|import|call|inheritance|class|type|component|process) "
    r"(?:chain|graph|tree|hierarch|order|flow)",
    re.IGNORECASE,
)
"""Words above a tree of what depends on what: ``Dependency graph``."""
_BEFORE_AND_AFTER = tuple(
    lazy_compile(rf"\s*(?:(?:#|//|--)\s*{word}\b|{word}\b[^/.]*:\s*\Z)", re.IGNORECASE)
    for word in ("before", "after")
)
"""Lines of a fence that compares two layouts: ``# Before (one file)``, ``After:``."""
_SCOPE = lazy_compile(r"(?:^|(?<=/))@[\w.-]+/")
"""The scope of the name of an npm package: ``@shop/``."""
_KNOWN = 3
"""Entries that must exist or have been deleted by git, so that the tree is one of this project."""
_DATA = lazy_compile(r"\.(?:csv|jpg|jsonl?|md|pdf|png|svg|tsv|txt)\Z")
"""The ending of a file of data or text."""
_SHARE = 0.6
"""Share of the entries that must do so. Other trees are plans, templates or simplified."""
_SURE = 0.75
"""Share from which on a tree matches the project well."""
_REASONS = 2
"""Of the three reasons to be sure that an entry is outdated, those that suffice for a warning."""


class _Missing(NamedTuple):
    """An entry that does not exist, its path from the root, and its deletion if git has one."""

    path: str
    entry: TreeEntry
    past: Past | None


class _Placed(NamedTuple):
    """A tree whose top is a folder of the project, with the paths of its ``existing`` entries.

    ``share`` is that of the entries which exist or which git deleted.
    """

    missing: list[_Missing]
    existing: list[str]
    share: float


def check(file: MemoryFile, project: Project) -> Iterator[Hit]:
    """Report the missing entries of trees of which most entries exist or were deleted by git."""
    base = project.folder_from_root(file.path)
    if base is None or not file.markdown.fences:
        return  # user memory, or no fence, so no tree
    if is_template(file.path, project) or is_of_other_repository(file, project):
        return  # a text for a project that is created from it, or for another one
    for tree in file.content.once(trees_of, file.lines, file.markdown):
        placements = _placements(file, project, tree, base)
        # Of equally good placements, the first counts.
        best = max(placements, key=lambda placed: (placed.share, -len(placed.missing)))
        if best.share < _SHARE:
            continue  # of another project, a plan, a template or simplified
        if not (_need_not_exist(file, tree[0].line) or _is_of_relations(file, tree)):
            is_own = is_own_memory(file, base)
            yield from _hits(file, project, tree, best, is_own=is_own)


def _hits(
    file: MemoryFile, project: Project, tree: list[TreeEntry], placed: _Placed, *, is_own: bool
) -> Iterator[Hit]:
    """Report the missing entries of ``tree``, which is ``placed`` in the project.

    The severity is that of the rule if at least two of these hold: the file is the project's own
    memory (``is_own``), the tree matches the project well, git deleted the entry. It is information
    for a folder that git never had. With one of them or none, an entry is reported as information
    in the project's own memory only, if a similar file exists or git's history is unknown.
    """
    matches_well = placed.share >= _SURE
    planned_folders = tuple(f"{entry.path}/" for entry in tree if _is_planned(entry))
    for missing in placed.missing:
        is_planned = missing.entry.path.startswith(planned_folders)
        if is_planned or not _is_meant(file, project, missing):
            continue
        near = _nearest(project, missing)
        is_untracked = _is_untracked_folder(project, missing, near)
        if is_untracked and _is_beside_data(project, missing, placed):
            continue  # a program creates the folder with its first file
        was_deleted = missing.past is not None
        if sum((is_own, matches_well, was_deleted)) >= _REASONS:
            severity = Severity.INFO if is_untracked else None
            yield _hit(file, project, missing, near, severity)
        elif is_own and (near or not project.tree.deleted.is_known):
            # Any other entry may come later: git never had it, and no file is similar.
            yield _hit(file, project, missing, near, Severity.INFO)


def _placements(
    file: MemoryFile, project: Project, tree: list[TreeEntry], base: str
) -> Iterator[_Placed]:
    """Yield each possible placement of ``tree`` in the project, the preferred ones first.

    The tree may show ``base``, the folder of the file, or the project's root; a tree of a skill
    shows only ``base``, the folder with the SKILL.md. There are two placements in each of these
    folders if all other entries are below the first one: the first entry may be in the folder, or
    may be the name of the folder. It is not such a name if it is a submodule or a file: a tree
    below a file shows what the file calls.
    """
    is_skill = file.source.role is Role.SKILL
    folders = (base,) if is_skill or base == "." else (base, ".")
    first = tree[0].path
    is_first_above_all = all(entry.path.startswith(f"{first}/") for entry in tree[1:])
    # A submodule is a folder of the project. Without it, its files would be looked up in the root.
    is_submodule = first in project.tree.ignored.submodules
    has_slash = file.lines[tree[0].line][tree[0].end - 1] == "/"
    is_file = has_file_extension(first) and not has_slash
    may_name_folder = is_first_above_all and not is_submodule and not is_file
    for folder in folders:
        yield _placed(project, folder, [(entry.path, entry) for entry in tree])
        if may_name_folder:
            below = [(entry.path.removeprefix(f"{first}/"), entry) for entry in tree[1:]]
            yield _placed(project, folder, below)


def _placed(project: Project, folder: str, entries: list[tuple[str, TreeEntry]]) -> _Placed:
    """Return the placement in ``folder`` of ``entries``: (path below the folder, entry).

    The share is 0 if no entry exists, or if fewer than :data:`_KNOWN` exist or were deleted: then
    nothing shows that the tree is one of this project.
    """
    existing: list[str] = []
    absent: list[tuple[str, TreeEntry]] = []
    for path_below, entry in entries:
        path = posixpath.normpath(posixpath.join(folder, path_below))
        if _exists(project, path):
            existing.append(path)
        else:
            absent.append((path, entry))
    missing = [
        _Missing(path, entry, past_of(project.tree, path, "."))
        for path, entry in _entries_to_report(absent).items()
    ]
    git = project.tree.deleted
    deleted = sum(path in git.files or path in git.listing.folders for path, _ in absent)
    if not existing or len(existing) + deleted < _KNOWN:
        return _Placed(missing, existing, share=0.0)
    of_project = len(existing) + sum(item.past is not None for item in missing)
    return _Placed(missing, existing, of_project / (len(existing) + len(missing)))


def _entries_to_report(absent: list[tuple[str, TreeEntry]]) -> dict[str, TreeEntry]:
    """Return those of the ``absent`` entries that deserve a finding, by their paths.

    A name in brackets, such as ``[name]`` in ``x/[name]``, is to be filled in. Such an entry comes
    with use, as do its folder and what is next to or below it. An entry below a missing one is part
    of the finding of that.
    """
    to_fill_in = {path for path, _ in absent if "[" in posixpath.basename(path)}
    folders = {posixpath.dirname(path) for path in to_fill_in}
    missing: dict[str, TreeEntry] = {}
    for path, entry in absent:
        if path in to_fill_in or path in folders or posixpath.dirname(path) in folders:
            continue
        if not any(path.startswith(f"{outer}/") for outer in (*missing, *to_fill_in)):
            missing.setdefault(path, entry)
    return missing


def _exists(project: Project, path: str) -> bool:
    """Return whether ``path`` exists, as it is or without the scope of a package's name.

    For ``libs/@shop/cart``, the folder may be ``libs/cart``: trees may list packages by name.
    """
    tree = project.tree
    return tree.has(path) or ("@" in path and tree.has(_SCOPE.sub("", path)))


def _need_not_exist(file: MemoryFile, line: int) -> bool:
    """Return whether a tree is a plan, an example, a demand or a comparison, or shows what is gone.

    The heading or the text above says so; for a comparison, the fence itself. ``line`` is that of
    the first entry of the tree.
    """
    if any(says((name, _heading_above(file, line))) for name in PLANS):
        return True
    if _is_comparison(file, line):
        return True
    text = _text_above(file, line).lower()
    is_hedged = any(word_list(name).search(text) for name in ("path_hedges", "gone"))
    is_demand = bool(re.search(r"\bmust\b", text))  # "A plugin must have this layout:"
    return is_hedged or is_demand


def _is_comparison(file: MemoryFile, line: int) -> bool:
    """Return whether the fence of ``line`` has a line "Before" and one "After"."""
    fences = file.markdown.fences
    # The last fence that opens above the line, which is in it.
    fence = fences[bisect_left(fences, line, key=lambda fence: fence.open) - 1]
    code = file.lines[fence.open + 1 : fence.code_end]
    return all(any(map(word.match, code)) for word in _BEFORE_AND_AFTER)


def _is_of_relations(file: MemoryFile, tree: list[TreeEntry]) -> bool:
    """Return whether ``tree`` shows what depends on what, not files and folders.

    The heading or the text above says so, and no entry has a slash or a period: they are the names
    of packages, classes or calls.
    """
    line = tree[0].line
    if not _RELATIONS.search(f"{_heading_above(file, line)}\n{_text_above(file, line)}"):
        return False
    names = (file.lines[entry.line][entry.start : entry.end] for entry in tree)
    return not any("/" in name or "." in name for name in names)


def _heading_above(file: MemoryFile, line: int) -> str:
    """Return the text of the heading above ``line``, '' for none."""
    headings = file.markdown.headings
    above = bisect_left(headings, line, key=lambda heading: heading.line)
    return headings[above - 1].text if above else ""


def _text_above(file: MemoryFile, line: int) -> str:
    """Return the last line of prose above ``line``, which is in a fence; '' without any prose."""
    while line >= 0 and not file.markdown.is_prose(line):
        line -= 1  # the rest of the fence, and blank lines
    return file.lines[line] if line >= 0 else ""


def _is_planned(entry: TreeEntry) -> bool:
    """Return whether ``entry`` is a folder whose note says that its content comes later."""
    return entry.is_folder and bool(_PLANNED.search(entry.note))


def _is_untracked_folder(project: Project, missing: _Missing, near: Similar | None) -> bool:
    """Return whether the entry is a folder that git never had, without a similar file ``near``.

    Such an entry may be right: git tracks no empty folders, so a program may create this one. Or
    its name is that of a call or dependency in a drawing. False if git's history is unknown.
    """
    git_never_had_it = project.tree.deleted.is_known and missing.past is None
    return git_never_had_it and near is None and _is_folder(missing)


def _is_folder(missing: _Missing) -> bool:
    """Return whether the entry is a folder: marked as one, or without a period in its name.

    The mark is a slash at the end, or entries below it.
    """
    return missing.entry.is_folder or "." not in posixpath.basename(missing.path)


def _is_meant(file: MemoryFile, project: Project, missing: _Missing) -> bool:
    """Return whether the text means that the entry exists in this project.

    False for an output, a plan, a placeholder, a note about a file, a path outside of the project
    and an entry of another project.
    """
    path, entry, past = missing
    claim = PathClaim(path, entry.note.lower(), _is_folder(missing), is_described=True)
    # The form of a path, such as that of a placeholder, does not count if git deleted the path.
    if not (is_stated(claim) if past else is_claim(claim)):
        return False
    if project.tree.is_file(posixpath.dirname(path)):
        return False  # the lines of the tree are notes about a file
    reference = Reference(path, _span(entry), "")
    # `skill` is False in skills too: the tree was found to be one of this project.
    return not (
        is_outside(project.tree, path, ".", skill=False) or is_about_other_project(file, reference)
    )


def _is_beside_data(project: Project, missing: _Missing, placed: _Placed) -> bool:
    """Return whether all files around ``missing`` are data or text.

    They are the files directly in its folder, and in those folders of the tree that are below its
    folder. False without any file, at the root, or if the project has too many files to list.
    """
    listing, folder = project.tree.listing, posixpath.dirname(missing.path)
    if listing is None or not folder:
        return False
    folders = (folder, *(path for path in placed.existing if path.startswith(f"{folder}/")))
    files = [file for path in folders for file in listing.files_of(path)]
    return bool(files) and all(_DATA.search(file) for file in files)


def _span(entry: TreeEntry) -> Span:
    """Return the position of the name of ``entry``."""
    return Span.on_line(entry.line, entry.start, entry.end)


def _nearest(project: Project, missing: _Missing) -> Similar | None:
    """Return the file that the entry probably means: where git moved it, else a similar one.

    None if git has no move of it and no file is similar, or if there are too many files to list.
    """
    listing = project.tree.listing
    return moved_file(missing.past) or (similar(listing, missing.path) if listing else None)


def _hit(
    file: MemoryFile,
    project: Project,
    missing: _Missing,
    near: Similar | None,
    severity: Severity | None = None,
) -> Hit:
    """Return the report of ``missing``, with a fix that removes its lines from the tree.

    ``near`` is the file that the entry probably means; ``severity`` None: that of the rule.
    """
    path, entry, past = missing
    remove = Edit(file.path, Span(entry.line, 0, entry.below, 0), "")
    fix = Fix(t("Remove it from the tree"), (remove,), safe=False)
    message = missing_message(path, near, past)
    if near is None:
        return Hit(_span(entry), message, (fix,), severity=severity)
    related = Related(project.tree.root / near.path, Span(0, 0, 0, 0), t("Existing file"))
    return Hit(_span(entry), message, (fix,), (related,), severity)


RULE = FileRule(
    "AM506",
    "stale-tree",
    Severity.WARNING,
    "An entry of a directory tree that does not exist",
    check=check,
    roles=MEMORY_ROLES | {Role.SKILL},
    varies=True,
)
