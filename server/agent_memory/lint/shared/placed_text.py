"""The text of a memory file about one folder of the project: notes in trees, lines with a path."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING, NamedTuple

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.markdown.trees import trees_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lint.project import Project

_FIRST = lazy_compile(
    r"[ \t]*(?:[-*+|][ \t]+|\d+\.[ \t]+)?(?:\*\*)?`?(?:\./)?(?P<path>[\w@.-]+(?:/[\w@.-]+)*)/?`?"
    r"(?:\*\*)?[ \t]*(?:[:(|—–]|-[ \t])"  # noqa: RUF001
)
"""The path at the start of an item, a row or a sentence: ``- **`apps/web`** — React 19``."""


_MANIFESTS = (
    *("package.json", "go.mod", "pyproject.toml"),
    *("Cargo.toml", "composer.json", "mix.exs"),
)
"""Files of which a package has one in its folder."""


class Placed(NamedTuple):
    """A text in ``line`` from column ``start``, and the folder, from the root, that it is about.

    ``folder`` is '' for a text about no particular folder.
    """

    line: int
    start: int
    text: str
    folder: str


def tree_notes(file: MemoryFile, project: Project) -> Iterator[Placed]:
    """Yield the notes in trees about folders of the project that are packages."""
    base = project.folder_from_root(file.path)
    if base is None or not file.markdown.fences:
        return
    for tree in file.content.once(trees_of, file.lines, file.markdown):
        for entry in tree:
            folder = _package(entry.path, base, project) if entry.note else ""
            if folder:
                start = file.lines[entry.line].find(entry.note, entry.end)
                yield Placed(entry.line, start, entry.note, folder)


def folder_of_line(line: str, file: MemoryFile, project: Project) -> str:
    """Return the folder, from the root, of the package that ``line`` begins with; '' for none.

    For "- `apps/web`: React 19", it is ``apps/web``. Also '' if another path follows on ``line``,
    because the text may be about both.
    """
    base = project.folder_from_root(file.path)
    first = _FIRST.match(line)
    if first is None or base is None or "/" in line[first.end() :]:
        return ""
    return _package(first["path"], base, project)


def _package(path: str, base: str, project: Project) -> str:
    """Return the folder ``path``, relative to ``base`` or to the root; '' if it is not a package.

    The result is relative to the root. Also '' for the root: a text about it is about no particular
    folder.
    """
    for start in (base, "."):
        folder = posixpath.normpath(posixpath.join(start, path))
        has = project.tree.has
        if folder != "." and any(has(f"{folder}/{manifest}") for manifest in _MANIFESTS):
            return folder
    return ""
