"""AM102: a folder, FIFO, device or symlink loop in place of a memory file."""

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

_MESSAGES = {
    Failure.DIRECTORY: untranslated(
        "{0} is a folder, not a file\n{1} Move it away, or put a file in its place."
    ),
    Failure.SPECIAL: untranslated(
        "{0} is a FIFO, socket or device, not a regular file\n"
        "{1} Move it away, or put a file in its place."
    ),
    Failure.LOOP: untranslated(
        "{0} is a symlink that leads back to itself\n{1} Move it away, or put a file in its place."
    ),
}
"""By the failure of reading: the message, with the file's name and the effect of the failure."""


def check(file: MemoryFile, project: Project) -> Iterator[Hit]:
    """Report a path that is not a regular file; other failures have rules of their own."""
    message = _MESSAGES.get(file.content.failure) if file.content.failure else None
    if message:
        yield Hit(file.head, t(message, file.path.name, project.effect(file)))


RULE = FileRule(
    "AM102",
    "not-a-file",
    Severity.ERROR,
    "A memory file that is not a regular file",
    check=check,
    needs_text=False,
    varies=True,
)
