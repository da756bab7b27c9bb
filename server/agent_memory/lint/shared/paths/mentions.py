"""The paths in a memory file that do not exist: where the text has them, and in which form."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING, NamedTuple

from agent_memory.lint.shared.paths.commands_run import command_paths
from agent_memory.lint.shared.paths.deleted import deleted_paths
from agent_memory.lint.shared.paths.folder_lists import missing_beside, missing_folders

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.fs.file_index import FileIndex
    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lint.shared.paths.lookup import PathLookup
    from agent_memory.markdown.references import Reference


class Mention(NamedTuple):
    """A path in the text, and what its form shows.

    ``reference`` has its sentence if ``is_used``. To the other ones, :func:`missing_mentions` adds
    it for missing paths only: most mentioned paths exist, and finding a sentence is slow.
    """

    reference: Reference
    is_of_project: bool = False
    """Whether its form alone says so: ``see x/y.md``, ``./run.sh``, one of a list of folders."""
    is_used: bool = False
    """Whether it is to be read or run, or is one that git deleted."""
    is_listed: bool = False
    """Whether it is in a list of the folders beside the file, so that no other folder is meant."""


def missing_mentions(file: MemoryFile, lookup: PathLookup) -> Iterator[tuple[Mention, str]]:
    """Yield (mention, its normalized path) for each missing path that has a folder or is one.

    File names in plain text are yielded too. Each position of the text is yielded once, and the
    reference of its mention has its text. A path that may exist (:meth:`PathLookup.may_have`) is
    left out.
    """
    seen: set[tuple[int, int]] = set()
    for mention in _missing(file, lookup):
        position = mention.reference.span.line, mention.reference.span.start
        if position in seen:
            continue
        seen.add(position)
        path = _normalized(mention.reference, lookup.tree)
        is_folder = mention.reference.path.endswith("/")
        if not path or lookup.may_have(path, is_folder=is_folder):
            continue  # the name of a package or an alias, or a path that may exist
        if mention.is_used:  # then the reference has its text
            yield mention, path
        else:
            yield mention._replace(reference=file.with_text(mention.reference)), path


def _missing(file: MemoryFile, lookup: PathLookup) -> Iterator[Mention]:
    """Yield the mentions of paths that, as they are written, do not exist from the root.

    A path can be yielded twice: first as one that is written, then as one that git deleted.
    """
    tree = lookup.tree
    for mention in (*_written_paths(file, lookup), *_used_paths(file)):
        if not tree.has(mention.reference.path):
            yield mention
    for reference in missing_folders(file, lookup):
        yield Mention(reference, is_of_project=True)
    for reference in deleted_paths(file, lookup):
        yield Mention(reference, is_used=True)


def _written_paths(file: MemoryFile, lookup: PathLookup) -> Iterator[Mention]:
    """Yield the paths in code spans, and missing folders that items, rows and headings begin with.

    Such a folder (``docs/``) is missing if the project has nothing of its name anywhere, or if it
    is in a list of the folders in the memory file's folder, and not there.
    """
    yield from map(Mention, file.path_references)
    listed = set(missing_beside(file, lookup))
    for reference in file.folder_references:
        if reference in listed:
            yield Mention(reference, is_of_project=True, is_listed=True)
        elif not _is_somewhere(lookup.tree, reference.path):
            yield Mention(reference)


def _used_paths(file: MemoryFile) -> Iterator[Mention]:
    """Yield the paths in plain text, and those with a folder that commands run.

    A path in plain text counts as one to be read, also if it is alone on its line.
    """
    for reference in file.plain_references:
        yield Mention(reference, is_of_project=True, is_used=True)
    for reference in command_paths(file):
        if "/" in reference.path:
            is_of_project = reference.path.startswith("./")
            yield Mention(reference, is_of_project=is_of_project, is_used=True)


def _normalized(reference: Reference, tree: FileIndex) -> str:
    """Return the path with slashes, normalized; '' for a name of a package or an alias.

    ``@docs/a.md`` is docs/a.md if the folder exists, ``@babel/core`` a package, ``@/lib`` an alias.
    """
    path = posixpath.normpath(reference.path.replace("\\", "/"))
    if not path.startswith("@"):
        return path
    imported = path[1:]
    scope = imported.partition("/")[0]
    if not scope or not tree.has(scope) or _is_file_of_package(imported, tree):
        return ""
    return imported


def _is_file_of_package(path: str, tree: FileIndex) -> bool:
    """Return whether ``path`` is that of an existing file in a package: scope, package, file.

    ``shop/core/src/cart.ts`` is packages/core/src/cart.ts if packages/core has a package.json.
    """
    _scope, _, below_scope = path.partition("/")  # core/src/cart.ts
    _package, _, below_package = below_scope.partition("/")  # src/cart.ts
    if not below_package or tree.listing is None:
        return False
    files = tree.listing.ending(below_scope)
    folders = (file.removesuffix(below_package) for file in files)  # packages/core/
    return any(tree.has(f"{folder}package.json") for folder in folders)


def _is_somewhere(tree: FileIndex, folder: str) -> bool:
    """Return whether any folder of the project has the name ``folder``.

    Also True if the project has too many files to tell.
    """
    return tree.listing is None or folder.rstrip("/") in tree.listing.by_name
