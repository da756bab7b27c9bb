"""Tables and items with the version of a package: ``| `tokio` | 1.40 |``, ``- **Nx**: 22.4``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.base.text_cache import text_cache
from agent_memory.lint.shared.framework_versions import FRAMEWORKS, Named, stated_version

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.lint.memory_file import MemoryFile

_ROW = lazy_compile(
    r"\s*\|\s*[*`]*(?P<name>@?[A-Za-z.][\w@/. -]{0,60}?)[*`]*\s*\|\s*[*`]*(?P<range>[\^~])?v?"
    r"(?P<version>\d{1,4}(?:\.\d{1,4}){0,2})(?:\.x)*(?P<more>\+)?[*`]*\s*\|"
)
"""A row whose first cell is a name, and whose second cell is only a version."""
_ITEM = lazy_compile(
    r"\s*[-*+]\s+[*`]*(?P<name>[A-Za-z.][\w. -]{0,40}?)[*`]*:[*`]*\s+[*`]*(?P<range>[\^~])?v?"
    r"(?P<version>\d{1,3}(?:\.\d{1,4}){0,2})(?:\.x)*(?P<more>\+)?[*`]*\s*"
    r"(?:\Z|[;(—–]|-\s|,(?!\s*v?\d))"  # noqa: RUF001
)
"""An item that begins with a name, a colon and a version, and not with several versions."""
_LABELED = lazy_compile(r":[*`]*\s+[*`]*[\^~]?v?\d")
"""Part of every match of :data:`_ITEM`: the colon and the start of the version."""
_HEAD = lazy_compile(r"\|[^|]*\|[^|]*\bvers", re.IGNORECASE)
"""A head whose second column has versions, also in other languages: *Versión*, *Versão*."""
_BARS = 3
"""The bars of two cells."""
_ROWS = 200
"""Rows above a row that are searched for the head of the table."""


def labeled_versions(file: MemoryFile) -> Iterator[tuple[int, Named]]:
    """Yield (line, package) for each item or row with the version of a package.

    A row must be one of a table whose second column has versions. Of items, only those of
    frameworks count.
    """
    for number, (named,) in _labeled_version.found_in(file.lines):
        if not file.markdown.is_prose(number):
            continue
        is_row = file.lines[number].lstrip().startswith("|")
        if not is_row or _HEAD.match(_first_row(file, number)):
            yield number, named


def _may_be_labeled(text: str) -> bool:
    """Return whether ``text`` may have a row or an item with a version: the prefilter.

    Only False is certain.
    """
    return text.count("|") >= _BARS or _LABELED.search(text) is not None


@text_cache(_may_be_labeled)
def _labeled_version(line: str) -> tuple[Named, ...]:
    """Return the package that ``line``, a row or an item, gives a version; else ().

    Of items, only those of frameworks count.
    """
    row = _ROW.match(line)
    found = row or _ITEM.match(line)
    if found is None:
        return ()
    if not row and found["name"].lower() not in FRAMEWORKS:
        return ()
    version, span = stated_version(found), found.span("version")
    return (Named(found["name"], version, *span, bool(found["more"])),)


def _first_row(file: MemoryFile, line: int) -> str:
    """Return the first row of the table that ``line`` is in, at most ``_ROWS`` rows above it."""
    first = line
    while first > max(0, line - _ROWS) and file.lines[first - 1].lstrip().startswith("|"):
        first -= 1
    return file.lines[first].strip()
