"""Where a path in a memory file may be: from the root, beside the file, or by its end."""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.fs.file_index import FileIndex
    from agent_memory.fs.listing import Listing

_COMPILED = {".js": (".ts", ".tsx"), ".mjs": (".mts",), ".cjs": (".cts",)}
"""By the extension of a compiled file: those of its source. Imports name the compiled one."""


class PathLookup:
    """Where a path of a memory file is looked up.

    ``tree`` has the files of the project. ``base`` is the folder of the memory file, relative to
    the root of ``tree``; '.' is the root itself. ``layouts`` is the cache of
    :mod:`agent_memory.lint.shared.paths.layout_lists`.
    """

    def __init__(self, tree: FileIndex, base: str) -> None:
        self.tree = tree
        self.base = base
        self.layouts: dict[tuple[int, int], Any] = {}

    def has(self, path: str) -> bool:
        """Return whether the project has ``path``, from the root or from the folder of the file."""
        here = posixpath.normpath(posixpath.join(self.base, path))
        return self.tree.has(path) or (not here.startswith("..") and self.tree.has(here))

    def may_have(self, path: str, *, is_folder: bool = False) -> bool:
        """Return whether ``path`` may exist: True if it does, or cannot be looked up.

        One of these is enough:

        - The root or the folder of the file has it. Unless it is written as a folder
          (``is_folder``), the text may leave out the extension.
        - It begins with the name of the root, which has the rest.
        - It is in another project, which cannot be looked up.
        """
        here = posixpath.normpath(posixpath.join(self.base, path))
        if self.tree.has(path) or self.tree.has(here):
            return True
        if not is_folder and (self._is_module(path) or self._is_module(here)):
            return True
        return self._is_of_other_project(path) or self._begins_with_root(path)

    def _is_module(self, path: str) -> bool:
        """Return whether ``path`` is that of a file without its extension: ``src/lib/utils``."""
        folder, _, name = path.rpartition("/")
        if "." in name:
            return False  # it has an extension
        listing = self.tree.listing
        files = listing.files_of(folder) if listing else ()
        return any(file.startswith(f"{path}.") for file in files)

    def _is_of_other_project(self, path: str) -> bool:
        """Return whether ``path``, such as ``../x/a.md``, counts as one of another project.

        It does if ``../x`` does not exist. False for a path that does not begin with ``../``.
        """
        above = re.match(r"(?:\.\./)+[^/]+", path)
        if above is None:
            return False
        return not self.tree.has(posixpath.normpath(posixpath.join(self.base, above[0])))

    def _begins_with_root(self, path: str) -> bool:
        """Return whether ``path`` exists after the name of the root: ``app/docs/a.md`` in app."""
        top, _, rest = path.partition("/")
        is_root = top.casefold() == self.tree.root.name.casefold()
        return bool(rest) and is_root and self.tree.has(rest)

    def is_of_package(self, path: str) -> bool:
        """Return whether ``path`` is meant in the folder of the file, and not in another package.

        It is if that folder has the folder of ``path``, such as ``src``. False for a file at the
        root. False if a folder below or above the file's folder has ``path``: that path is meant.
        """
        folder = posixpath.dirname(path)
        listing = self.tree.listing
        ending = existing_paths(listing, path) if listing else ()
        is_below_file = any(existing.startswith(f"{self.base}/") for existing in ending)
        has_folder = bool(folder) and self.tree.has(posixpath.join(self.base, folder))
        if self.base == "." or not has_folder or is_below_file:
            return False
        return not any(self.tree.has(f"{above}/{path}") for above in _folders_above(self.base))


def _folders_above(folder: str) -> Iterator[str]:
    """Yield the folders above ``folder``, without the root: ``a/b``, then ``a`` for ``a/b/c``."""
    while "/" in folder:
        folder = posixpath.dirname(folder)
        yield folder


def existing_paths(listing: Listing, tail: str) -> list[str]:
    """Return the existing paths that end with ``tail``, or with the source of ``tail``.

    The source of ``a.js`` may be ``a.ts``: imports name the file that is compiled from it.
    """
    stem, dot, extension = tail.rpartition(".")
    sources = _COMPILED.get(dot + extension, ())
    candidates = (tail, *(stem + source for source in sources))
    return [path for candidate in candidates for path in listing.ending(candidate)]


def folder_of(path: str) -> str:
    """Return the folder above ``path``, '' for none."""
    return posixpath.dirname(path.rstrip("/"))
