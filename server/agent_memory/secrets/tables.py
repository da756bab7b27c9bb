"""Secrets in a table, recognized by a column heading such as *Password*."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.l10n import on_language_change
from agent_memory.secrets.named_values import is_named_secret, is_secret_name, named_value

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from agent_memory.secrets.model import Secret

_RULE = lazy_compile(
    r"[ \t]*+\|?[ \t]*+:?-++:?[ \t]*+(?:\|[ \t]*+:?-++:?[ \t]*+)*\|?[ \t]*+\r?\n?\Z"
)
"""The line below the header of a table: ``|---|:--|``."""
_RULE_PART = lazy_compile(r"\|[ \t]*+:?-|-:?[ \t]*+\|")
"""Part of each match of :data:`_RULE` with a bar: a prefilter."""
_CELL = lazy_compile(r"(?:\\.|[^|\\\r\n])*")
"""The text of a cell; a bar after a backslash does not end it."""
_MARKS = "*_`\"' \t"
"""Emphasis, quotes and spaces around the text of a cell."""
_VALUE = lazy_compile(r"[^\s|]{8,200}")
"""A text that is long enough for a secret."""
CELLS_MAX = 100
"""Cells of a row that are examined."""


@lru_cache(maxsize=2)  # on a keystroke, several callers pass the same text
def find(text: str) -> tuple[Secret, ...]:
    """Return the secrets in the tables of ``text``, in order."""
    return tuple(_find(text)) if "|" in text and _RULE_PART.search(text) else ()


on_language_change(find.cache_clear)  # the title of a secret is a message


def _find(text: str) -> Iterator[Secret]:
    """Yield :func:`find` without its cache and prefilter."""
    line_start = 0
    line_above = ""  # it can be a header; '' if it is the line below a header
    names = dict[int, str]()  # of the secret columns of the table around the line, by number
    for line in text.splitlines(keepends=True):
        header, line_above = line_above, line
        if "|" not in line:
            names = {}
        elif _RULE.match(line):
            names, line_above = _secret_columns(header), ""
        elif names and _VALUE.search(line):
            yield from _in_row(line, line_start, names)
        line_start += len(line)


def _secret_columns(header: str) -> dict[int, str]:
    """Return the headings in the line ``header`` that name a secret, by column number from 0."""
    headings = [header[start:end].strip(_MARKS) for start, end in _cells(header)]
    return {number: name for number, name in enumerate(headings) if is_secret_name(name)}


def _in_row(row: str, row_start: int, names: dict[int, str]) -> Iterator[Secret]:
    """Yield the secrets of the line ``row`` in the columns ``names`` (by number from 0).

    ``row_start`` is its offset in the text.
    """
    cells = _cells(row)
    for number, name in names.items():
        if number >= len(cells):  # the row is shorter than the header
            continue
        start, end = cells[number]
        value = _without_marks(row[start:end].strip())
        if _VALUE.fullmatch(value) and is_named_secret(value, name):
            yield named_value(row_start + row.index(value, start), value, name)


def _without_marks(cell: str) -> str:
    """Return ``cell`` without the marks on both ends; a mark on one end belongs to the value."""
    while len(cell) > 1 and cell[0] == cell[-1] and cell[0] in _MARKS:
        cell = cell[1:-1].strip()
    return cell


def _cells(row: str) -> Sequence[tuple[int, int]]:
    """Return (start, end) of each cell of ``row``; a bar at either edge starts no cell.

    At most ``CELLS_MAX`` are returned.
    """
    indent = len(row) - len(row.lstrip())
    start = indent + 1 if row.startswith("|", indent) else indent
    cells: list[tuple[int, int]] = []
    while start < len(row) and len(cells) < CELLS_MAX:
        cell = _CELL.match(row, start)
        end = cell.end() if cell else start  # it always matches, if only an empty text
        cells.append((start, end))
        if not row.startswith("|", end):
            break
        start = end + 1
    return cells
