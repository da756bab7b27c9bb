"""AM110: agent.md and AGENTS.md in one folder; each runtime reads one of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.base.model import (
    Edit,
    Fix,
    Related,
    Severity,
)
from agent_memory.base.text import BOM, Span, full_span, newline_of, without_newline
from agent_memory.l10n import t
from agent_memory.lint.rule import Hit, ProjectRule
from agent_memory.prompt.unread_files import Why

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lint.project import Project
    from agent_memory.prompt.unread_files import UnreadFile


def check(project: Project) -> Iterator[Hit]:
    """Report each file that the runtime ignores because it reads the other one in its folder."""
    for unread in project.unread_files:
        if unread.why is not Why.BOTH or unread.source.path.name == "AGENT.md":
            continue  # another rule reports it, or it is AGENT.md, a file of other agents
        path, wanted = unread.source.path, unread.wanted
        yield Hit(
            project.head(path),
            t(
                "{0} ignores {2}: it reads {1} in the same folder\n"
                "Other runtimes do the opposite. Keep one of the two.",
                project.choice.runtime.id,
                wanted.name,
                path.name,
            ),
            _migration(project, unread),
            (Related(wanted, project.head(wanted), t("File that is read")),),
            path=path,
        )


def _migration(project: Project, unread: UnreadFile) -> tuple[Fix, ...]:
    """Return the fix that appends the text to the file that is read, and renames the ignored one.

    () if one of them is not checked or cannot be read, or if a file with the new name exists.
    """
    old, read = project.files.get(unread.source.path), project.files.get(unread.wanted)
    if old is None or read is None or not (old.content.ok and read.content.ok):
        return ()
    backup = old.path.with_name(old.path.name + ".migrated")
    if backup.name in project.ctx.store.names(old.path.parent):
        return ()
    return (
        Fix(
            t("Append it to {0} and keep this file as {1}", read.path.name, backup.name),
            (Edit(read.path, _end(read), _joined(read, old)),),
            renames=((old.path, backup),),
            safe=False,
        ),
    )


def _end(file: MemoryFile) -> Span:
    """Return the empty span after the last character of ``file``."""
    end = full_span(file.lines)
    return Span(end.end_line, end.end, end.end_line, end.end)


def _joined(read: MemoryFile, old: MemoryFile) -> str:
    """Return what to add to the end of ``read``: a blank line and the text of ``old``.

    It has the newlines of ``read``, and no BOM. There is no blank line if ``read`` is empty or ends
    with one.
    """
    newline = newline_of(read.lines)
    if not read.lines:
        gap = ""
    elif without_newline(read.lines[-1]) == read.lines[-1]:  # no newline at the end of the file
        gap = newline * 2
    else:
        gap = newline if without_newline(read.lines[-1]).strip() else ""
    added = newline.join(without_newline(line) for line in old.lines)
    return gap + added.removeprefix(BOM) + newline


RULE = ProjectRule(
    "AM110",
    "both-generations",
    Severity.WARNING,
    "agent.md and AGENTS.md side by side",
    check=check,
)
