"""Folders in a list, on one line (``backend in `cmd/` and `internal/` ``) or one per entry."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.base.text import Span
from agent_memory.base.text_cache import text_cache
from agent_memory.lint.shared.paths.evidence import section_of
from agent_memory.lint.shared.surroundings import outer_items
from agent_memory.markdown.code_spans import code_spans
from agent_memory.markdown.references import Reference

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lint.shared.paths.lookup import PathLookup

_FOLDER = lazy_compile(r"[A-Za-z][\w.-]*/\Z")
"""A folder without a parent: ``cmd/``."""
_MANY = 3
"""Minimum number of folders on a line, or of existing ones in a section, that are a list."""
_MOST = 0.7
"""Share of a section's folders that must exist beside the file: then it lists those beside it."""
_SHARE = 0.5
"""Share of the folders on a line that must exist, so that the line is about this project."""


def missing_folders(file: MemoryFile, lookup: PathLookup) -> Iterator[Reference]:
    """Yield the missing folders of lines that list folders, at least half of which exist.

    Only folders without a parent count, such as ``cmd/``. The references have no text.
    """
    for number, folders in _listed_folders.found_in(file.lines):
        missing = [(path, start) for path, start in folders if not lookup.has(path.rstrip("/"))]
        if not missing or number in file.example_lines or not file.markdown.is_prose(number):
            continue
        if len(folders) - len(missing) >= _SHARE * len(folders):
            for path, start in missing:
                yield Reference(path, Span.on_line(number, start, start + len(path)), "")


def missing_beside(file: MemoryFile, lookup: PathLookup) -> Iterator[Reference]:
    """Yield the missing folders in lists of what the folder of ``file`` contains.

    An item, a row or a heading begins with each. A section is such a list if most of its folders
    exist in the folder of ``file``. Items nested in another one do not count: they are about the
    folder of that one. Nothing is yielded for a file at the root.
    """
    if lookup.base == ".":
        return  # every path is looked up from the root anyway
    nested = file.content.once(outer_items, file)
    listed = (folder for folder in file.folder_references if folder.span.line not in nested)
    sections = groupby(listed, lambda folder: section_of(file, folder.span.line))
    for _, group in sections:
        folders = list(group)
        missing = [
            each
            for each in folders
            if not lookup.tree.has(f"{lookup.base}/{each.path.rstrip('/')}")
        ]
        existing = len(folders) - len(missing)
        if existing >= _MANY and existing >= _MOST * len(folders):
            yield from missing


def _has_folder(text: str) -> bool:
    """Return whether ``text`` may have a folder alone in a code span: the prefilter.

    Only False is certain.
    """
    return "/`" in text


@text_cache(_has_folder)
def _listed_folders(line: str) -> tuple[tuple[str, int], ...]:
    """Return (folder, column) of each folder without a parent in a code span of ``line``.

    () if they are fewer than :data:`_MANY`.
    """
    if line.count("/`") < _MANY:
        return ()
    spans = [(span.text, span.start) for span in code_spans(line) if _FOLDER.match(span.text)]
    return tuple(spans) if len(spans) >= _MANY else ()
