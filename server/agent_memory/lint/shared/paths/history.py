"""What git says about a path that does not exist: whether the project had it, and where it went."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING, NamedTuple

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.lint.shared.word_lists import word_list, words_of

if TYPE_CHECKING:
    from agent_memory.fs.file_index import FileIndex

SHORT_COMMIT = 7
"""Characters of a commit's id that are shown."""
_FEW = 3
"""Maximum number of deleted files with one path at their end, of which the text may mean any."""
_BESIDE = 3
"""Minimum number of files of a folder that a text names with another one of that folder."""
_NAME = lazy_compile(r"`([\w.-]+)`")
"""A code span with a name, which may be that of a file: ``prices.yml``."""
_CHARACTERS = 2000
"""Characters of a line that are searched for such names."""
_IN_DOCUMENT = lazy_compile(r"(?:word|xl|ppt|docProps)/(?:[\w.-]+/)*[\w.-]+\.(?:xml|rels)\Z")
"""A part of an Office document, which is an archive: ``word/document.xml``."""


class Past(NamedTuple):
    """A path that git deleted: where it was, in which commit, and where it is now.

    ``moved_to`` is None if it was not moved, or if its new place does not exist either.
    """

    path: str
    commit: str
    """The first seven characters of its id."""
    moved_to: str | None
    is_exact: bool = True
    """False if ``moved_to`` is only a file of the same name, which the commit added."""


def past_of(tree: FileIndex, written: str, base: str) -> Past | None:
    """Return the deletion of ``written``, a path in a file of the folder ``base``.

    The path is relative to ``base`` or to the root. If it has a folder, it may also leave out its
    first folders (:func:`_past_of_end`). None if git never had the path, if it exists again, or if
    it is a folder that builds and tools fill. None for a name that any project has, such as
    README.md, if ``base`` is the root: it may be that of any folder.
    """
    deleted = tree.deleted
    if not deleted.files:
        return None
    path = posixpath.normpath(written)
    if "/" not in path and base == "." and _is_common(path):
        return None
    from_base = posixpath.normpath(posixpath.join(base, path))
    for candidate in (from_base, path):  # both are equal for a file at the root
        if candidate in deleted.files:
            return _past(tree, candidate)
        if candidate in deleted.listing.folders:
            # A folder of data or output comes again with use.
            return None if _is_filled_by_use(candidate) else _past(tree, candidate)
    return _past_of_end(tree, path)


def _past_of_end(tree: FileIndex, path: str) -> Past | None:
    """Return the deletion of the first deleted file that ends with ``path``.

    None if many end with it, or if ``path`` says little: it has no folder, its name is one that any
    project has, or it is a part of an Office document.
    """
    if "/" not in path or _is_common(path) or _IN_DOCUMENT.match(path):
        return None
    deleted = tree.deleted
    found = [each for each in deleted.listing.ending(path) if each in deleted.files]
    return _past(tree, found[0]) if 1 <= len(found) <= _FEW else None


def _is_common(path: str) -> bool:
    """Return whether any project may have a file with the name of ``path``, such as README.md."""
    return bool(word_list("common_names").match(posixpath.basename(path).lower()))


def past_of_folder(tree: FileIndex, written: str) -> Past | None:
    """Return the deletion of the only deleted folder that ends with ``written``: ``shop/readers``.

    None for a folder without a parent, which many projects have, and for one that is in a folder
    which builds fill, or is such a folder.
    """
    path, deleted = posixpath.normpath(written), tree.deleted.listing
    if "/" not in path or not tree.deleted.files:
        return None
    found = [folder for folder in deleted.ending(path) if folder in deleted.folders]
    if len(found) != 1:
        return None
    is_built = not words_of("build_folders").keys().isdisjoint(found[0].split("/"))
    return None if is_built else _past(tree, found[0])


def past_of_name(tree: FileIndex, name: str) -> Past | None:
    """Return the deletion of the only deleted file called ``name``, in any folder.

    A file that exists again does not count. None if there is no such file, or several, or if many
    projects have files of this name.
    """
    if _is_common(name):
        return None
    deleted = tree.deleted
    named = [
        path
        for path in deleted.listing.by_name.get(name, ())
        if path in deleted.files and not tree.has(path)
    ]
    return _past(tree, named[0]) if len(named) == 1 else None


def past_beside(tree: FileIndex, name: str, lines: list[str]) -> Past | None:
    """Return the deletion of ``name`` in a folder with :data:`_BESIDE` files that ``lines`` name.

    None if there is no such folder, or if more than a few deleted files have the name.
    """
    deleted_paths = tree.deleted.listing.by_name.get(name, ())
    if not 1 <= len(deleted_paths) <= _FEW:
        return None
    named = {other for line in lines for other in _NAME.findall(line[:_CHARACTERS])}
    for path in deleted_paths:
        folder = path.removesuffix(name)  # with a slash at its end
        existing = sum(tree.has(folder + other) for other in named)
        if existing >= _BESIDE and path in tree.deleted.files:
            return _past(tree, path)
    return None


def _is_filled_by_use(folder: str) -> bool:
    """Return whether builds and tools create the files of ``folder``: its first part says so."""
    return folder.lower().partition("/")[0] in words_of("build_folders")


def _past(tree: FileIndex, path: str) -> Past | None:
    """Return the past of ``path``; None if it exists again."""
    if tree.has(path):
        return None
    moved = tree.deleted.moved_to(path)
    commit = tree.deleted.commit_of(path)[:SHORT_COMMIT]
    is_exact = tree.deleted.is_exact_move(path)
    # Another index.ts or README.md is not the same file.
    is_other_file = not is_exact and _is_common(path)
    if moved and (is_other_file or not tree.has(moved)):
        moved = None
    return Past(path, commit, moved, is_exact)
