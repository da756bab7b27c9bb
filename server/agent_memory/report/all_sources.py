"""The table file x agent as text: every known memory file, and what each agent does with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.prompt.answer import FileOutcome
from agent_memory.serialize_explained import shown

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from agent_memory.prompt.answer import Answer
    from agent_memory.prompt.overview import Overview, Row

_EXPLAINED = (
    FileOutcome.CUT,
    FileOutcome.EMPTY,
    FileOutcome.NOT_FOLLOWED,
    FileOutcome.SHADOWED,
    FileOutcome.UNREADABLE,
)
"""Outcomes that are always explained below the table."""


def all_sources(table: Overview, home: Path) -> Iterator[str]:
    """Yield lines: why each agent is a column, the table, and notes on files not fully read.

    If the project was not searched completely, the last line says so. Paths are relative to the
    project or, with ``~``, to ``home``. The lines lack their last newline; a newline at the start
    or end of one makes a blank line.
    """
    if table.listed.note:  # no agent was found: the columns are those of assumed ones
        yield f"{table.listed.note}\n"
    else:
        for runtime in table.listed.runtimes:
            yield f"{runtime.title}: {table.listed.reasons[runtime.id]}"
        yield ""
    names = [shown(row.path, table.root, home) for row in table.rows]
    yield from _table(table, names)
    for name, row in zip(names, table.rows, strict=True):
        notes = list(_notes(row))
        if notes:
            yield f"\n{name}"
            yield from notes
    if not table.complete:
        yield "\nThis project has too many files to search all of it. Start in a subfolder"


def _table(table: Overview, names: list[str]) -> Iterator[str]:
    """Yield the header, then a line for each row: its name and what each agent does with the file.

    ``names`` are the paths of the rows in the form in which they are displayed.
    """
    titles = [runtime.title for runtime in table.listed.runtimes]
    cells = [[_cell(answer) for answer in row.answers] for row in table.rows]
    # Widths of the columns, in characters.
    name_width = max(map(len, ["file", *names]))
    widths = [max(map(len, column)) for column in zip(titles, *cells, strict=True)]
    for name, texts in [("file", titles), *zip(names, cells, strict=True)]:
        padded = [f"{text:<{width}}" for text, width in zip(texts, widths, strict=True)]
        yield f"{name:<{name_width}}  {'  '.join(padded)}".rstrip()


def _cell(answer: Answer) -> str:
    """Return the outcome, for a loaded file with its number first: ``2. loaded``, ``missing``."""
    return f"{answer.order}. {answer.outcome}" if answer.order else str(answer.outcome)


def _notes(row: Row) -> Iterator[str]:
    """Yield the reason and the action, if any, for each outcome that needs an explanation.

    These are the outcomes in ``_EXPLAINED``, and ``NOT_READ`` for a file that no listed agent
    reads, not even on demand. For such a file, the first line names the agent that it is made for,
    unless there are several or none.
    """
    is_on_demand = any(answer.outcome is FileOutcome.ON_DEMAND for answer in row.answers)
    is_unread = not row.read_by and not is_on_demand
    if is_unread and row.made_for:
        yield f"  made for {row.made_for}"
    explained = {*_EXPLAINED, FileOutcome.NOT_READ} if is_unread else _EXPLAINED
    for answer in row.answers:
        if answer.outcome in explained:
            yield f"  {answer.runtime.title}: {answer.reason}"
            if answer.action:
                yield f"    -> {answer.action.message}"
