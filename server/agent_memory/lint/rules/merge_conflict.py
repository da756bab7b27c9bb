"""AM408: an unresolved merge conflict."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.base.model import Edit, Fix, Severity
from agent_memory.base.text import Span, full_span, without_newline
from agent_memory.l10n import t
from agent_memory.lint.rule import FileRule, Hit
from agent_memory.markdown.model import LineKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lint.project import Project

_OURS, _BASE, _THEIRS, _END = "<<<<<<< ", "||||||| ", "=======", ">>>>>>> "
"""The lines that git writes: the first side, its base (style ``diff3``), the second side, end."""


def check(file: MemoryFile, project: Project) -> Iterator[Hit]:  # noqa: ARG001 -- one signature
    """Report each conflict, but not an example of one in a code fence."""
    if _OURS not in file.content.text:
        return
    kinds = file.markdown.kinds
    start = base = theirs = -1  # the lines of the markers of one conflict; -1: not found yet
    for number, line in enumerate(file.lines):
        if line.startswith(_OURS):
            start, base, theirs = number, -1, -1
        elif start < 0:
            continue
        elif line.startswith(_BASE):
            base = number
        elif without_newline(line) == _THEIRS:
            theirs = number
        elif line.startswith(_END) and theirs >= 0:
            if kinds[start] is not LineKind.CODE:
                yield _hit(file, start, base, theirs, number)
            start = -1


def _hit(file: MemoryFile, start: int, base: int, theirs: int, end: int) -> Hit:
    """Return the report of the conflict with its markers on these lines; ``base`` may be -1."""
    first_end = theirs if base < 0 else base
    first = file.lines[start + 1 : first_end]
    second = file.lines[theirs + 1 : end]
    choices = (
        (t("Keep the first side of the conflict"), first),
        (t("Keep the second side of the conflict"), second),
        (t("Keep both sides of the conflict"), [*first, *second]),
    )
    to_marker = full_span(file.lines[: end + 1])  # with the newline of the last marker
    whole = Span(start, 0, to_marker.end_line, to_marker.end)
    fixes = tuple(
        Fix(title, (Edit(file.path, whole, "".join(lines)),), safe=False)
        for title, lines in choices
    )
    first_marker, last_marker = file.line_span(start), file.line_span(end)
    return Hit(
        Span(first_marker.line, first_marker.start, last_marker.end_line, last_marker.end),
        t(
            "Unresolved merge conflict\n"
            "The model receives both sides and the markers. Decide for one side, or keep both."
        ),
        fixes,
    )


RULE = FileRule(
    "AM408",
    "merge-conflict",
    Severity.ERROR,
    "An unresolved merge conflict",
    check=check,
)
