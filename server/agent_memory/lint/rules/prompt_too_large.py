"""AM302: a composed prompt near or over the budget."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.base.model import Severity
from agent_memory.l10n import t
from agent_memory.lint.rule import Hit, ProjectRule

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from agent_memory.lint.project import Project


def check(project: Project) -> Iterator[Hit]:
    """Report a prompt over the budget, or over 80 % of it, on the file that takes most."""
    budget = project.ctx.settings.budget_tokens
    if not budget:
        return
    total = project.prompt.tokens
    if total * 10 <= budget * 8:
        return
    parts = _parts(project)
    largest = next((path for path, _ in parts if path in project.files), None)
    if largest is None:
        return
    named = ", ".join(t("{0} {1:,}", _label(path), count) for path, count in parts[:3])
    over = total > budget
    advice = t("Shorten the largest") if over else t("There is room for little more")
    yield Hit(
        project.files[largest].head,
        t(
            "The prompt of {0} takes about {1:,} tokens, {2} % of the budget of {3:,}, "
            "with every request; most of it: {4}. {5}, or raise `budget.tokens`",
            project.choice.runtime.id,
            total,
            total * 100 // budget,
            budget,
            named,
            advice,
        ),
        path=largest,
        severity=None if over else Severity.INFO,
    )


def _parts(project: Project) -> list[tuple[Path | None, int]]:
    """Return (file or None for the runtime's own text, estimated tokens), largest first."""
    sums: dict[Path | None, int] = {}
    for segment, count in zip(project.prompt.segments, project.prompt.counts, strict=True):
        sums[segment.path] = sums.get(segment.path, 0) + count
    return sorted(sums.items(), key=lambda pair: -pair[1])


def _label(path: Path | None) -> str:
    return f"{path.parent.name}/{path.name}" if path else t("the runtime's own text")


RULE = ProjectRule(
    "AM302",
    "prompt-too-large",
    Severity.WARNING,
    "A prompt over its budget of tokens",
    check=check,
)
