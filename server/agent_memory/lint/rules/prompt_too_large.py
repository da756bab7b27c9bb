"""AM302: a composed prompt near or over its token budget."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.base.model import Severity
from agent_memory.l10n import t, untranslated
from agent_memory.lint.rule import Hit, ProjectRule

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from agent_memory.lint.project import Project

_TIMES = 3
"""From this multiple of the budget on, the message names the multiple instead of a percentage."""


def check(project: Project) -> Iterator[Hit]:
    """Report a prompt over the budget, or over 80 % of it, on the largest file."""
    budget = project.ctx.settings.budget_tokens
    if not budget:
        return
    total = project.prompt.tokens
    if total * 10 <= budget * 8:
        return
    parts = _parts(project)
    if sum(count for path, count in parts if path) * 3 < budget:
        return  # the runtime's own text fills the budget, and shorter memory would not help
    largest = next((path for path, _ in parts if path in project.files), None)
    if largest is None:
        return
    named = ", ".join(t("{0} {1:,}", _label(path), count) for path, count in parts[:3])
    yield Hit(
        project.files[largest].head,
        t(
            _message(total, budget),
            project.choice.runtime.id,
            total,
            budget,
            _share(total, budget),
            named,
        ),
        path=largest,
        severity=None if total > budget else Severity.INFO,
    )


def _message(total: int, budget: int) -> str:
    if total <= budget:
        return untranslated(
            "The prompt of {0} takes about {1:,} tokens, {3} % of the budget of {2:,}, with every "
            "request, so it is almost full. The largest parts are {4}. Shorten them, or raise "
            "`budget.tokens`"
        )
    if total < _TIMES * budget:
        return untranslated(
            "The prompt of {0} takes about {1:,} tokens, {3} % of the budget of {2:,}, with every "
            "request. The largest parts are {4}. Shorten them, or raise `budget.tokens`"
        )
    return untranslated(
        "The prompt of {0} takes about {1:,} tokens, {3} times the budget of {2:,}, with every "
        "request. The largest parts are {4}. Shorten them, or raise `budget.tokens`"
    )


def _share(total: int, budget: int) -> int:
    """Return the share of the budget in percent, or as a multiple where that is easier to read."""
    return total * 100 // budget if total < _TIMES * budget else round(total / budget)


def _parts(project: Project) -> list[tuple[Path | None, int]]:
    """Return (file, estimated tokens) pairs, largest first; None stands for the runtime's text."""
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
    "A prompt over its token budget",
    check=check,
)
