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
_CELL = lazy_compile(r"(?:\\.|[^|\\\r\n])*")
_MARKS = "*_`\"' \t"
_VALUE = lazy_compile(r"[^\s|]{8,200}")
CELLS_MAX = 100
"""Cells of a row that are examined."""


@lru_cache(maxsize=2)  # on a keystroke, several parts ask for the same text
def find(text: str) -> tuple[Secret, ...]:
    """Return the secrets in the tables of ``text``, in order."""
    return tuple(_find(text)) if "|" in text and "-|" in text.replace(" ", "") else ()


on_language_change(find.cache_clear)  # the title of a secret is a message


def _find(text: str) -> Iterator[Secret]:
    """Yield :func:`find` without its cache and prefilter."""
    at = 0  # the offset of the line
    above = ""  # the line above, which can be a header; '' if it is the line below a header
    names = dict[int, str]()  # of the secret columns of the table around the line
    for line in text.splitlines(keepends=True):
        header, above = above, line
        if "|" not in line:
            names = {}
        elif _RULE.match(line):
            names, above = _secret_columns(header), ""
        elif names and _VALUE.search(line):
            yield from _in_row(line, at, names)
        at += len(line)


def _secret_columns(header: str) -> dict[int, str]:
    """Return the headings in ``header`` that name a secret, by column number."""
    names = ((n, header[start:end].strip(_MARKS)) for n, (start, end) in enumerate(_cells(header)))
    return {n: name for n, name in names if is_secret_name(name)}


def _in_row(row: str, at: int, names: dict[int, str]) -> Iterator[Secret]:
    """Yield the secrets of a ``row`` at offset ``at``, in the columns ``names`` (by number)."""
    cells = _cells(row)
    for number, name in names.items():
        start, end = cells[number] if number < len(cells) else (0, 0)
        value = _unmarked(row[start:end].strip())
        if _VALUE.fullmatch(value) and is_named_secret(value, name):
            yield named_value(at + row.index(value, start), value, name)


def _unmarked(cell: str) -> str:
    """Return ``cell`` without the marks on both ends; a mark on one end belongs to the value."""
    while len(cell) > 1 and cell[0] == cell[-1] and cell[0] in _MARKS:
        cell = cell[1:-1].strip()
    return cell


def _cells(row: str) -> Sequence[tuple[int, int]]:
    """Return (start, end) of each cell of ``row``; a bar at either edge starts no cell."""
    first = len(row) - len(row.lstrip())
    at = first + 1 if row.startswith("|", first) else first
    out: list[tuple[int, int]] = []
    while at < len(row) and len(out) < CELLS_MAX:
        found = _CELL.match(row, at)
        end = found.end() if found else at
        out.append((at, end))
        if not row.startswith("|", end):
            break
        at = end + 1
    return out
