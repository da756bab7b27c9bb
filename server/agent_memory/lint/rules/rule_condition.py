"""AM136: the condition of a rule (a file of an agent's rules) is not what it looks like.

`paths: "**"` and an empty list load a rule always, `**/*` only after a read, and `globs` of other
editors count for nothing (measured in Claude Code 2.1.330).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.base.model import Severity
from agent_memory.lint.rule import Hit, ProjectRule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.lint.project import Project


def check(project: Project) -> Iterator[Hit]:
    """Report each condition of a rule that has another effect in the runtime than it seems to."""
    for source in project.sources:
        odd = project.choice.runtime.odd_condition(project.ctx, source)
        file = project.files.get(source.path)
        if odd and file:
            line, message = odd
            yield Hit(file.line_span(line), message, path=source.path)


RULE = ProjectRule(
    "AM136",
    "rule-condition",
    Severity.INFO,
    "A condition of a rule that is not what it looks like",
    check=check,
    per_runtime=True,
    varies=True,
)
