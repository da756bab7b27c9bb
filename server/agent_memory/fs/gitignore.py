"""Paths that git ignores: .gitignore files and submodules, read without running git.

A repository can make git run programs of its choice, so git is never run in a project that was
only opened.
"""

from __future__ import annotations

import os
import re
from functools import cached_property
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.base.text_cache import TextCache
from agent_memory.fs.gitignore_pattern import Pattern, parse
from agent_memory.fs.reader import read_file

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

_SUBMODULE = lazy_compile(r"^[^\S\n]*path[^\S\n]*=[^\S\n]*(\S.*)$", re.MULTILINE)
"""The line of .gitmodules with the folder of a submodule: ``path = libs/core``."""
_SIZE_MAX = 100_000
"""Characters of a .gitignore file that are read."""


class Ignored:
    """What git ignores below ``root``.

    Each .gitignore file, and .gitmodules, is read once: later changes have no effect. A file that
    cannot be read counts as empty.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self._patterns: dict[str, list[Pattern]] = {}

    def covers(self, path: str) -> bool:
        """Whether ``path`` (relative to the root, with slashes; it may be missing) is ignored.

        A path below an ignored folder is ignored: no pattern can include it again. So is a path
        in a submodule, even through a symlink: the submodule need not be checked out. ``path``
        counts as a file, so `build/` in a .gitignore covers `build/x` but not `build`.
        """
        return self._leads_to_submodule(path) or self._covered(path)

    @cached_property
    def _covered(self) -> TextCache[str, bool]:
        """Cache of the results of :meth:`_covers`, by path."""
        return TextCache(self._covers)

    def _covers(self, path: str) -> bool:
        """Whether ``path`` or a folder above it is ignored or a submodule.

        The result is not cached, and symlinks in ``path`` are not resolved.
        """
        parts = PurePosixPath(path).parts
        for end in range(1, len(parts) + 1):  # each folder, then the path itself
            is_folder = end < len(parts)
            if "/".join(parts[:end]) in self.submodules:
                return True
            if self._is_ignored(parts[:end], folder=is_folder):
                return True
        return False

    def _leads_to_submodule(self, path: str) -> bool:
        """Whether ``path``, with its symlinks resolved, is below the folder of a submodule."""
        if not self.submodules:
            return False
        target = os.path.relpath(os.path.realpath(self.root / path), os.path.realpath(self.root))
        folders = PurePosixPath(target.replace(os.sep, "/")).parents
        return not self.submodules.isdisjoint(map(str, folders))

    def names(self, tail: str) -> bool:
        """Whether a line of the root's .gitignore ends with ``tail``, a path below some folder.

        The line `app/out/a.md` names `out/a.md` and `a.md`.
        """
        return f"/{tail.strip('/')}" in self._ends

    @cached_property
    def _ends(self) -> frozenset[str]:
        """Every end of a line that begins at a slash: `a/b/c` has /a/b/c, /b/c and /c."""
        ends: set[str] = set()
        for line in _read(self.root / ".gitignore").splitlines():
            parts = line.strip().strip("/").split("/")
            ends.update("/" + "/".join(parts[start:]) for start in range(len(parts)))
        return frozenset(ends)

    @cached_property
    def submodules(self) -> frozenset[str]:
        """The folders that other repositories are checked out into."""
        return frozenset(map(str.rstrip, _SUBMODULE.findall(_read(self.root / ".gitmodules"))))

    def _is_ignored(self, parts: Sequence[str], *, folder: bool) -> bool:
        """Whether the last pattern that matches the path ``parts`` ignores it: it has no ``!``.

        The .gitignore files of inner folders come after those of outer ones. ``folder``: the path
        is a folder, so patterns that end with a slash count too.
        """
        ignored = False
        for depth in range(len(parts)):  # the root, then each folder above the path
            for pattern in self._patterns_of("/".join(parts[:depth])):
                if (folder or not pattern.only_folders) and pattern.matches(parts[depth:]):
                    ignored = not pattern.negated
        return ignored

    def _patterns_of(self, folder: str) -> list[Pattern]:
        """Return the patterns of the .gitignore file in ``folder`` ('': the root), cached."""
        patterns = self._patterns.get(folder)
        if patterns is None:
            text = _read(self.root / folder / ".gitignore").removeprefix("\ufeff")
            parsed = map(parse, text.split("\n"))  # None for a comment, for example
            patterns = [pattern for pattern in parsed if pattern is not None]
            self._patterns[folder] = patterns
        return patterns


def _read(path: Path) -> str:
    """Return at most the first ``_SIZE_MAX`` characters of ``path``; '' if it cannot be read.

    In a file that is not UTF-8, which has its bytes in ``raw``, the invalid bytes are replaced.
    """
    content = read_file(path)
    return (content.text or content.raw.decode("utf-8", "replace"))[:_SIZE_MAX]
