"""AM801: a learned entry that drover silently skips."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.base.model import Role, Severity
from agent_memory.l10n import t
from agent_memory.lint.rule import FileRule, Hit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.entries.entry_file import Entry, EntryPlace
    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lint.project import Project


def read(file: MemoryFile) -> Entry | str:
    """Return the entry as drover reads it, or the reason for skipping the file."""
    return file.content.once(_read, file)


def _read(file: MemoryFile) -> Entry | str:
    """Return the entry as drover reads it, or the reason for skipping the file; uncached."""
    from agent_memory.entries.entry_file import Skipped, parse  # noqa: PLC0415 -- few have entries

    try:
        return parse(file.content.text, place_of(file), file.path)
    except Skipped as why:
        return str(why)


def place_of(file: MemoryFile) -> EntryPlace:
    """Return the scope and the owner that the folder of ``file`` is for.

    ``agents/<id>`` is for an agent, ``runs/<id>`` for a run, any other folder is global.
    """
    from agent_memory.entries.entry_file import EntryPlace  # noqa: PLC0415 -- few have entries

    folder = file.path.parent
    kind = folder.parent.name
    if kind == "agents":
        return EntryPlace("agent", agent=folder.name)
    return EntryPlace("run", run=folder.name) if kind == "runs" else EntryPlace("global")


def key_line(file: MemoryFile, key: str) -> int:
    """Return the line (from 0) of a front-matter key; 0 if the file lacks it or ``key`` is ''."""
    front = file.markdown.front_matter if key else None  # the lines of its two fences
    for number in range(1, front[1] if front else 0):
        if file.lines[number].startswith(f"{key}:"):
            return number
    return 0


def check(file: MemoryFile, project: Project) -> Iterator[Hit]:  # noqa: ARG001 -- one signature
    """Report why drover does not load the entry."""
    why = read(file)
    if isinstance(why, str):
        yield Hit(
            file.line_span(key_line(file, _wrong_key(file))),
            t(
                "drover silently skips this entry: {0}\n"
                "Until that is fixed, the agent neither lists nor finds it.",
                why,
            ),
        )


def _wrong_key(file: MemoryFile) -> str:
    """Return the key for which drover skips the entry, '' if the reason is not about a key.

    The file is parsed again: :func:`read` returns only the text of the reason.
    """
    from agent_memory.entries.entry_file import Skipped, parse  # noqa: PLC0415 -- few have entries

    try:
        parse(file.content.text, place_of(file), file.path)
    except Skipped as why:
        return why.key
    return ""


RULE = FileRule(
    "AM801",
    "entry-skipped",
    Severity.ERROR,
    "A learned entry that is never read",
    check=check,
    roles=frozenset({Role.ENTRY}),
)
