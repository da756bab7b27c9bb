"""AM102: a folder, a FIFO, a device or a symlink loop where a memory file should be."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.files import Failure
from agent_memory.model import Severity
from agent_memory.rules.base import Hit, MemoryFile, Project, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

_WHAT = {
    Failure.DIRECTORY: "a folder",
    Failure.SPECIAL: "a FIFO, socket or device",
    Failure.LOOP: "a symlink that leads back to itself",
}


def check(file: MemoryFile, project: Project) -> Iterator[Hit]:
    """Report what stands where a file should be."""
    what = _WHAT.get(file.content.failure) if file.content.failure else None
    if what:
        yield Hit(
            file.head,
            f"{file.path.name} is {what}, not a file. {project.fate(file)} "
            "Move it away, or put a file in its place",
        )


RULE = Rule(
    "AM102",
    "not-a-file",
    Severity.ERROR,
    "Something else where a memory file should be",
    file=check,
    readable=False,
    varies=True,
)
