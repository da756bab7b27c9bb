"""The project's files of given names: in the folders above a memory file, and in all others."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lint.project import Project

_FILES_MAX = 200
"""Files of one tool in a project; with more, its commands are not checked."""


def folders_up(base: str) -> Iterator[str]:
    """Yield the folder ``base`` below the root and those above it, '.' last."""
    folder = posixpath.normpath(base or ".")
    while folder != ".":
        yield folder
        folder = posixpath.dirname(folder) or "."
    yield folder


def texts_above(file: MemoryFile, project: Project, names: Sequence[str]) -> list[str]:
    """Return the texts of files in the folders from that of ``file`` up to the root, in this order.

    Of each folder, only the first file of ``names`` counts that exists, can be read and is not
    empty. For a ``file`` outside of the project, such as user memory, only the root is searched.
    """
    texts = []
    for folder in folders_up(project.folder_from_root(file.path) or "."):
        for name in names:
            path = name if folder == "." else f"{folder}/{name}"
            if not project.tree.has(path):
                continue
            content = project.ctx.store.read(project.tree.root / path)
            if content.ok and content.text:
                texts.append(content.text)
                break
    return texts


def paths_of(project: Project, names: Sequence[str]) -> list[str] | None:
    """Return the paths of all files with one of ``names``; [] if the project has no such file.

    None if they are more than ``_FILES_MAX``, or if the project has too many files to list.
    """
    listing = project.tree.listing
    if listing is None:
        return None
    paths = [path for name in names for path in listing.by_name.get(name, ())]
    return paths if len(paths) <= _FILES_MAX else None


def names_in_all(
    file: MemoryFile,
    project: Project,
    names: Sequence[str],
    parse_above: Callable[[str], frozenset[str] | None],
    parse_anywhere: Callable[[str], frozenset[str] | None],
) -> frozenset[str] | None:
    """Return the commands that the files called one of ``names`` define, in any folder.

    A sentence may name the folder that a command runs in, so a command of any folder counts.
    ``parse_above`` and ``parse_anywhere`` get the text of a file and return its commands, None if
    they are not all known. ``parse_above`` is called for the files from the folder of ``file`` up
    to the root (:func:`texts_above`), ``parse_anywhere`` for all files.

    None if the commands are unknown, so that none may be reported as missing: no file is from the
    folder of ``file`` up, ``parse_above`` returns None, there are too many files, or one cannot be
    read. A file for which ``parse_anywhere`` returns None adds no commands.
    """
    above = [parse_above(text) for text in texts_above(file, project, names)]
    paths = paths_of(project, names)
    if not above or None in above or paths is None:
        return None
    contents = [project.ctx.store.read(project.tree.root / path) for path in paths]
    if not all(content.ok for content in contents):
        return None
    anywhere = [parse_anywhere(content.text) for content in contents]
    return frozenset().union(*(commands for commands in (*above, *anywhere) if commands))
