"""AM401: a code fence that is never closed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.base.model import Edit, Fix, Severity
from agent_memory.base.text import Span, newline_of, without_newline
from agent_memory.l10n import t
from agent_memory.lint.rule import FileRule, Hit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lint.project import Project
    from agent_memory.markdown.model import Fence


def check(file: MemoryFile, project: Project) -> Iterator[Hit]:  # noqa: ARG001 -- one signature
    """Report the fence that runs to the end of the file."""
    for fence in file.markdown.fences:
        if fence.close is not None:
            continue
        lost = sum(1 for line in file.lines[fence.open + 1 :] if line.strip())
        if lost:  # else it was meant to close a fence
            message = (
                t(
                    "This code fence is never closed\n"
                    "The line after it reads as code. Close it with {0}.",
                    fence.marker,
                )
                if lost == 1
                else t(
                    "This code fence is never closed\n"
                    "The {0:,} lines after it read as code. Close it with {1}.",
                    lost,
                    fence.marker,
                )
            )
            yield Hit(
                file.line_span(fence.open),
                message,
                (Fix(t("Close the fence at the end of the file"), (_closing(file, fence),)),),
            )
        else:
            yield Hit(
                file.line_span(fence.open),
                t(
                    "This code fence closes nothing: all fences above are closed\n"
                    "Fences of the same length do not nest. Make the outer one longer, or remove "
                    "this one."
                ),
            )


def _closing(file: MemoryFile, fence: Fence) -> Edit:
    """Return the edit that closes ``fence``, with its indent, after the last line."""
    last = len(file.lines) - 1
    text = without_newline(file.lines[last])
    newline = newline_of(file.lines)
    opening = without_newline(file.lines[fence.open])
    indent = opening[: len(opening) - len(opening.lstrip())]
    if text == file.lines[last]:  # no newline at the end of the file
        return Edit(
            file.path, Span.on_line(last, len(text), len(text)), newline + indent + fence.marker
        )
    end = Span(last + 1, 0, last + 1, 0)
    return Edit(file.path, end, indent + fence.marker + newline)


RULE = FileRule(
    "AM401", "unclosed-fence", Severity.WARNING, "A code fence that is never closed", check=check
)
