"""AM103: a file that may not or cannot be read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.files import SIZE_CAP, Failure
from agent_memory.model import Severity
from agent_memory.rules.base import Hit, MemoryFile, Project, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator


def check(file: MemoryFile, project: Project) -> Iterator[Hit]:
    """Report a file whose bytes could not be had."""
    failure = file.content.failure
    if failure is Failure.DENIED:
        yield Hit(
            file.head,
            f"{file.path.name} may not be read by this user. {project.fate(file)} "
            "Give yourself permission to read it (chmod u+r)",
        )
    elif failure is Failure.IO:
        yield Hit(
            file.head,
            f"{file.path.name} could not be read: the system reports an input or output error. "
            f"{project.fate(file)}",
        )
    elif failure is Failure.TOO_LARGE:
        yield Hit(
            file.head,
            f"{file.path.name} has {file.content.size:,} bytes; files over {SIZE_CAP:,} are not "
            f"checked, and {project.choice.runtime.id} has no such limit: it would send all "
            "of it with every request. Split it",
        )


RULE = Rule(
    "AM103",
    "unreadable",
    Severity.ERROR,
    "A file that cannot be read",
    file=check,
    readable=False,
    varies=True,
)
