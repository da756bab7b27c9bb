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
"""Share from which on a missing entry is a warning."""


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
    """Report entries that do not exist, if most of their tree does.

    The severity is that of the rule for an entry that git deleted, or in a tree that matches the
    project well; else information, and so for a folder that git never had (:func:`_is_unsure`). A
    memory file that is not the project's own may be about another project, so only deleted entries
    of a tree that matches well are reported there.
    """
    base = project.below_root(file.path)
    if base is None or not file.markdown.fences:
        return  # user memory, or no fence, so no tree
    if is_template(file.path, project) or is_of_other_repository(file, project):
        return  # a text for a project that is created from it, or for another one
    for tree in file.content.once(trees_of, file.lines, file.markdown):
        placements = _placements(file, project, tree, base)
        placed = max(placements, key=lambda it: (it.share, -len(it.missing)))
        if placed.share < _SHARE or _is_plan(file, tree[0].line) or _is_of_relations(file, tree):
            continue
        own = is_own_memory(file, base)
        sure = own and placed.share >= _SURE
        planned_folders = tuple(f"{entry.path}/" for entry in tree if _is_planned(entry))
        for missing in placed.missing:
            is_planned = missing.entry.path.startswith(planned_folders)
            if is_planned or not _is_meant(file, project, missing):
                continue
            near = _nearest(project, missing)
            is_unsure = _is_unsure(project, missing, near)
            if is_unsure and _is_of_data(project, missing, placed):
                continue  # a program creates it with its first file
            if sure or (missing.past and (own or placed.share >= _SURE)):
                severity = Severity.INFO if is_unsure else None
                yield _hit(file, project, missing, near, severity)
            elif own and (near or not project.tree.deleted.is_known):
                # Otherwise it is one to come: git never had it, and no file is similar.
                yield _hit(file, project, missing, near, Severity.INFO)


def _placements(
    file: MemoryFile, project: Project, tree: list[TreeEntry], base: str
) -> Iterator[_Placed]:
    """Yield each possible placement of ``tree`` in the project, of which the best one counts.

    The tree may be one of the project's root or of ``base``, the folder of the file; that of a
    skill is only one of ``base``, the folder with its SKILL.md. In each of these folders, the first
    entry may be a folder in it, or, if all others are below the entry, the name of the folder. A
    tree below a file shows what the file calls.
    """
    folders = {base} if file.source.role is Role.SKILL else {".", base}
    first = tree[0].path
    is_first_above_all = all(entry.path.startswith(f"{first}/") for entry in tree[1:])
    # A submodule is a folder of the project. Without it, its files would be looked up in the root.
    is_submodule = first in project.tree.ignored.submodules
    is_file = has_file_extension(first) and file.lines[tree[0].line][tree[0].end - 1] != "/"
    may_name_folder = is_first_above_all and not is_submodule and not is_file
    for folder in folders:
        yield _placed(project, folder, [(entry.path, entry) for entry in tree])
        if may_name_folder:
            below = [(entry.path.removeprefix(f"{first}/"), entry) for entry in tree[1:]]
            yield _placed(project, folder, below)


def _placed(project: Project, folder: str, entries: list[tuple[str, TreeEntry]]) -> _Placed:
    """Return the placement in ``folder`` of ``entries``: (path below the folder, entry).

    The share is 0 if too few entries exist, or were deleted, to show that the tree is one of the
    project. At least one must exist.
    """
    placed = [(posixpath.normpath(posixpath.join(folder, path)), entry) for path, entry in entries]
    to_fill_in = _names_to_fill_in(project, [path for path, _ in placed])
    layouts = {posixpath.dirname(path) for path in to_fill_in}
    existing, deleted = [], 0
    missing: dict[str, TreeEntry] = {}
    tree = project.tree
    for path, entry in placed:
        if _exists(project, path):
            existing.append(path)
            continue
        deleted += path in tree.deleted.files or path in tree.deleted.listing.folders
        if path in to_fill_in or not layouts.isdisjoint((path, posixpath.dirname(path))):
            continue  # comes with use, as do its folder and what is next to it
        if any(path.startswith(f"{outer}/") for outer in (*missing, *to_fill_in)):
            continue  # one finding for what is in a missing folder
        missing.setdefault(path, entry)
    missing_entries = [
        _Missing(path, entry, past_of(tree, path, ".")) for path, entry in missing.items()
    ]
    of_project = len(existing) + sum(item.past is not None for item in missing_entries)
    is_known = existing and len(existing) + deleted >= _KNOWN
    share = of_project / (len(existing) + len(missing)) if is_known else 0.0
    return _Placed(missing_entries, existing, share)


def _names_to_fill_in(project: Project, paths: list[str]) -> set[str]:
    """Return those of ``paths`` that end with a name in brackets and do not exist: ``x/[name]``.

    An existing one is the parameter of a route.
    """
    bracketed = (path for path in paths if "[" in posixpath.basename(path))
    return {path for path in bracketed if not _exists(project, path)}


def _exists(project: Project, path: str) -> bool:
    """Return whether ``path`` exists, perhaps without the scope of a package's name.

    Of ``libs/@shop/cart``, that is ``libs/cart``: a tree may list packages by their names.
    """
    tree = project.tree
    return tree.has(path) or ("@" in path and tree.has(_SCOPE.sub("", path)))


def _is_plan(file: MemoryFile, line: int) -> bool:
    """Return whether the heading or the text above the tree says that it need not exist.

    Nor need a tree of a comparison exist. ``line`` is that of the first entry of the tree.
    """
    if any(says((name, _heading_above(file, line))) for name in PLANS):
        return True
    if _is_comparison(file, line):
        return True
    text = _text_above(file, line).lower()
    hedged = any(word_list(name).search(text) for name in ("path_hedges", "gone"))
    is_demand = bool(re.search(r"\bmust\b", text))  # "A plugin must have this layout:"
    return hedged or is_demand


def _is_comparison(file: MemoryFile, line: int) -> bool:
    """Return whether the fence of ``line`` has a line "Before" and one "After"."""
    fences = file.markdown.fences
    fence = fences[bisect_left(fences, line, key=lambda fence: fence.open) - 1]
    code = file.lines[fence.open + 1 : fence.code_end]
    return all(any(map(word.match, code)) for word in _BEFORE_AND_AFTER)


def _is_of_relations(file: MemoryFile, tree: list[TreeEntry]) -> bool:
    """Return whether the heading or the text above says that ``tree`` shows what depends on what.

    Then its entries are the names of packages, classes or calls: none has a slash or a period.
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
    """Return the line of prose above ``line``, which is in a fence; '' for none."""
    while line >= 0 and not file.markdown.is_prose(line):
        line -= 1  # the rest of the fence, and blank lines
    return file.lines[line] if line >= 0 else ""


def _is_planned(entry: TreeEntry) -> bool:
    """Return whether ``entry`` is a folder whose note says that what is in it comes later."""
    return entry.is_folder and bool(_PLANNED.search(entry.note))


def _is_unsure(project: Project, missing: _Missing, near: Similar | None) -> bool:
    """Return whether a missing entry may be right: a folder that git, if it is known, never had.

    Git has no empty folders, so a program may make it. Or the line is no folder, but a part of a
    drawing of calls or dependencies. A file ``near`` it shows that it was one.
    """
    git_never_had_it = project.tree.deleted.is_known and not missing.past
    return git_never_had_it and near is None and _is_folder(missing)


def _is_folder(missing: _Missing) -> bool:
    """Return whether the entry is one of a folder; trees often leave out the slash at its end."""
    return missing.entry.is_folder or "." not in posixpath.basename(missing.path)


def _is_meant(file: MemoryFile, project: Project, missing: _Missing) -> bool:
    """Return whether the project should have the entry: not an output, a plan or a placeholder."""
    path, entry, past = missing
    claim = PathClaim(path, entry.note.lower(), _is_folder(missing), is_noted=True)
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


def _is_of_data(project: Project, missing: _Missing, placed: _Placed) -> bool:
    """Return whether the existing entries beside ``missing`` have files of data or text only."""
    listing, folder = project.tree.listing, posixpath.dirname(missing.path)
    if listing is None or not folder:
        return False
    around = (folder, *(path for path in placed.existing if path.startswith(f"{folder}/")))
    files = [file for path in around for file in listing.files_of(path)]
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
