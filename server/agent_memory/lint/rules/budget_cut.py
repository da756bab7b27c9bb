"""AM134: the budget of all files together cuts the most specific one.

Codex reads 32,768 bytes of AGENTS.md files, the root's first, and says nothing in the prompt
(openai/codex, issues 7138, 13386 and 43075; measured in 0.169.0).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.base.model import Role, Severity, Status
from agent_memory.l10n import t
from agent_memory.lint.rule import Hit, ProjectRule
from agent_memory.lint.rules.file_too_large import line_over_limit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.base.model import Source
    from agent_memory.base.text import Span
    from agent_memory.lint.project import Project


def check(project: Project) -> Iterator[Hit]:
    """Report each memory file that the budget cuts or leaves out."""
    if project.choice.runtime.max_file_bytes is not None:
        return  # this runtime cuts each file at that limit, which AM303 reports
    for source in project.sources:
        is_cut = source.status is Status.TRUNCATED
        if source.role is not Role.MEMORY or not (is_cut or source.left_out):
            continue
        title = t(project.choice.runtime.title)
        if is_cut:
            message = t(
                "From this line on, the agent does not get the file: {0}",
                project.shown_in(source.reason),
            )
            place = _cut_line(project, source)
        else:
            message = t("{0} does not read this file: {1}", title, project.shown_in(source.reason))
            place = project.head(source.path)
        yield Hit(place, f"{message}\n{source.action}", path=source.path)


def _cut_line(project: Project, source: Source) -> Span:
    """Return the line with the first byte of ``source`` that the prompt does not contain."""
    sent = "".join(part.text for part in project.prompt.segments if part.path == source.path)
    size = len(sent.encode("utf-8", "surrogatepass"))
    file = project.files[source.path]
    return file.line_span(line_over_limit(file.lines, size))


RULE = ProjectRule(
    "AM134",
    "budget-cut",
    Severity.WARNING,
    "A file that the budget of all files cuts",
    check=check,
    per_runtime=True,
    replaces=("AM304", "AM109", "AM301"),
    varies=True,
)
