"""A set of paths, looked up by name, by folder and by their end."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True)
class Listing:
    """Files of a project, as paths with slashes, relative to its root: all, or the deleted ones."""

    files: frozenset[str]

    @cached_property
    def folders(self) -> frozenset[str]:
        """The folders of the files, without the root."""
        folders: set[str] = set()
        for path in self.files:
            folder = path.rpartition("/")[0]
            while folder and folder not in folders:
                folders.add(folder)
                folder = folder.rpartition("/")[0]
        return frozenset(folders)

    @cached_property
    def by_name(self) -> Mapping[str, list[str]]:
        """The files and folders by their last path component."""
        out: dict[str, list[str]] = defaultdict(list)
        for path in sorted(self.files | self.folders):
            out[path.rpartition("/")[2]].append(path)
        return out

    @cached_property
    def by_folded_name(self) -> Mapping[str, list[str]]:
        """The files and folders by their last path component, regardless of letter case."""
        out: dict[str, list[str]] = defaultdict(list)
        for name, paths in self.by_name.items():
            out[name.casefold()] += paths
        return out

    def files_of(self, folder: str) -> list[str]:
        """Return the sorted files directly in ``folder`` ('': the root); [] if it has none."""
        return self._by_folder.get(folder, [])

    @cached_property
    def _by_folder(self) -> Mapping[str, list[str]]:
        """The sorted files by the folder that they are directly in; '' for the root."""
        out: dict[str, list[str]] = defaultdict(list)
        for path in sorted(self.files):
            out[path.rpartition("/")[0]].append(path)
        return out

    @cached_property
    def nearest(self) -> dict[str, Any]:
        """Cache of did-you-mean results, by missing path; the search for similar files fills it."""
        return {}

    @cached_property
    def matched(self) -> dict[tuple[str, ...], bool]:
        """Cache of whether any file matches, by (folder, pattern, pattern, ...).

        The rule ``rule-never-matches`` fills it.
        """
        return {}

    def ending(self, tail: str) -> list[str]:
        """Return the files and folders whose path is ``tail`` or ends with ``/tail``, sorted."""
        folder, _, name = tail.rpartition("/")
        named = self.by_name.get(name, [])
        if not folder:
            return named
        return [path for path in named if path == tail or path.endswith("/" + tail)]
