"""AM801: a learned entry that drover skips without a word."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.entryfile import Entry, Place, Skipped, parse
from agent_memory.model import Role, Severity
from agent_memory.rules.base import Hit, MemoryFile, Project, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

_KEYS = {"its id": "id", "its kind": "kind", "its scope": "scope", "its summary": "summary"}
_KEYS["its createdAt"] = "createdAt"


def read(file: MemoryFile) -> Entry | str:
    """Return the entry as drover reads it, or in words why it skips the file."""
    return file.content.once("entry", lambda: _read(file))


def _read(file: MemoryFile) -> Entry | str:
    try:
        return parse(file.content.text, place_of(file), file.path)
    except Skipped as why:
        return str(why)


def place_of(file: MemoryFile) -> Place:
    """Return what the folder says about the entries in it."""
    folder = file.path.parent
    kind = folder.parent.name
    if kind == "agents":
        return Place("agent", agent=folder.name)
    return Place("run", run=folder.name) if kind == "runs" else Place("global")


def key_line(file: MemoryFile, key: str) -> int:
    """Return the line of a front-matter key, 0 where it is not there."""
    front = file.markdown.front_matter
    for number in range(1, front[1] if front else 0):
        if file.lines[number].startswith(f"{key}:"):
            return number
    return 0


def check(file: MemoryFile, project: Project) -> Iterator[Hit]:  # noqa: ARG001 -- one signature
    """Report why the file is no entry to drover."""
    why = read(file)
    if isinstance(why, str):
        key = next((key for start, key in _KEYS.items() if why.startswith(start)), "")
        yield Hit(
            file.line_span(key_line(file, key) if key else 0),
            f"drover passes over this entry without a word: {why}. The agent neither lists nor "
            "finds it until that is mended",
        )


RULE = Rule(
    "AM801",
    "entry-skipped",
    Severity.ERROR,
    "A learned entry that is never read",
    file=check,
    roles=frozenset({Role.ENTRY}),
)
