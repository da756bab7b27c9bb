"""AM103: a file that cannot be read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.base.model import Severity
from agent_memory.fs.reader import SIZE_CAP, Failure
from agent_memory.l10n import t
from agent_memory.lint.rule import FileRule, Hit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lint.project import Project


def check(file: MemoryFile, project: Project) -> Iterator[Hit]:
    """Report a file that cannot be read or is too large; other failures have rules of their own."""
    failure = file.content.failure
    if failure is Failure.DENIED:
        yield Hit(
            file.head,
            t(
                "The current user may not read {0}\n{1} Add the read permission (chmod u+r).",
                file.path.name,
                project.effect(file),
            ),
        )
    elif failure is Failure.IO:
        yield Hit(
            file.head,
            t(
                "{0} cannot be read: the system reports an input/output error\n{1}",
                file.path.name,
                project.effect(file),
            ),
        )
    elif failure is Failure.TOO_LARGE:
        yield Hit(
            file.head,
            t(
                "{0} has {1:,} bytes; files over {2:,} bytes are not checked\n"
                "An agent that reads all of it exceeds the context of most models. Split it.",
                file.path.name,
                file.content.size,
                SIZE_CAP,
            ),
        )


def check_others(project: Project) -> Iterator[Hit]:
    """Report a file of the runtime, such as its configuration, that has no effect as it is."""
    memory = {source.path for source in project.prompt.sources}
    for problem in project.prompt.problems:
        path = problem.path
        is_info = problem.severity is Severity.INFO
        # Other rules report problems of memory. A file with a problem of INFO has an effect.
        if path and path not in memory and path.is_file() and not is_info:
            yield Hit(project.head(path), problem.message, severity=problem.severity, path=path)


RULE = FileRule(
    "AM103",
    "unreadable",
    Severity.ERROR,
    "A file that cannot be read",
    check=check,
    in_project=check_others,
    needs_text=False,
    varies=True,
)
