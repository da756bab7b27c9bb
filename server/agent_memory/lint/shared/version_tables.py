"""Tables of packages with their versions: ``| `tokio` | 1.40 | runtime |``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.base.text_cache import text_cache
from agent_memory.lint.shared.framework_versions import Named
from agent_memory.lint.shared.manifest_versions import numbers

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.lint.memory_file import MemoryFile

_ROW = lazy_compile(
    r"\s*\|\s*[*`]*(?P<name>@?[A-Za-z.][\w@/. -]{0,60}?)[*`]*\s*\|\s*[*`]*[\^~]?v?"
    r"(?P<version>\d{1,4}(?:\.\d{1,4}){0,2})(?:\.x)*(?P<more>\+)?[*`]*\s*\|"
)
"""A row whose first cell is a name, and whose second cell is only a version."""
_HEAD = lazy_compile(r"\|[^|]*\|[^|]*\bvers", re.IGNORECASE)
"""A head whose second column has versions, also in other languages: *Versión*, *Versão*."""
_BARS = 3
"""The bars of two cells."""
_ROWS = 200
"""Rows above a row that are searched for the head of the table."""


def versions_in_tables(file: MemoryFile) -> Iterator[tuple[int, Named]]:
    """Yield (line, package) of each row with a version in a table with a column of versions."""
    for number, (named,) in _named_in_row.found_in(file.lines):
        if file.markdown.is_prose(number) and _HEAD.match(_head(file, number)):
            yield number, named


def _may_be_row(text: str) -> bool:
    """Return whether ``text`` may have a row with two cells: the prefilter. Only False is certain.

    The cells of a row are between bars.
    """
    return text.count("|") >= _BARS


@text_cache(_may_be_row)
def _named_in_row(line: str) -> tuple[Named, ...]:
    """Return the package with its version if ``line`` matches :data:`_ROW`, else ()."""
    row = _ROW.match(line)
    if row is None:
        return ()
    stated, is_least = numbers(row["version"]), bool(row["more"])
    return (Named(row["name"], stated, *row.span("version"), is_least),)


def _head(file: MemoryFile, line: int) -> str:
    """Return the first row of the table that ``line`` is in, at most ``_ROWS`` rows above it."""
    top = line
    while top > max(0, line - _ROWS) and file.lines[top - 1].lstrip().startswith("|"):
        top -= 1
    return file.lines[top].strip()
