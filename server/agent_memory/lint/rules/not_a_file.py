"""AM102: a folder, a FIFO, a device or a symlink loop where a memory file should be."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.base.model import Severity
from agent_memory.fs.reader import Failure
from agent_memory.l10n import t, untranslated
from agent_memory.lint.rule import FileRule, Hit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lint.project import Project

_WHAT = {
    Failure.DIRECTORY: untranslated("a folder"),
    Failure.SPECIAL: untranslated("a FIFO, socket or device"),
    Failure.LOOP: untranslated("a symlink that leads back to itself"),
}


def check(file: MemoryFile, project: Project) -> Iterator[Hit]:
    """Report what stands where a file should be."""
    what = _WHAT.get(file.content.failure) if file.content.failure else None
    if what:
        yield Hit(
            file.head,
            t(
                "{0} is {1}, not a file. {2} Move it away, or put a file in its place",
                file.path.name,
                t(what),
                project.fate(file),
            ),
        )


RULE = FileRule(
    "AM102",
    "not-a-file",
    Severity.ERROR,
    "Something else where a memory file should be",
    check=check,
    readable=False,
    varies=True,
)
