"""AM302: the memory in a composed prompt is near or over its token budget."""

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
    """Report memory over the budget in tokens, or over 80 % of a budget that the user chose.

    It is information unless the user chose a budget and memory exceeds it. The runtime's own text
    does not count: shorter memory would not shrink it.
    """
    budget = project.ctx.settings.budget_tokens
    if not budget:  # 0 switches the rule off
        return
    is_own_budget = not project.ctx.settings.is_default("budget_tokens")
    parts = _parts(project)
    total = sum(count for _, count in parts)
    limit_percent = 80 if is_own_budget else 100
    if total * 100 <= budget * limit_percent:
        return
    # The finding is on the largest part that is checked.
    largest = next((path for path, _ in parts if path in project.files), None)
    if largest is None:
        return  # no file of the prompt is checked
    # A runtime that was only guessed from the files is not named.
    runtime = project.choice.runtime.id if project.is_runtime_sure else t("The agent")
    yield Hit(
        project.files[largest].head,
        t(
            _message(total, budget),
            runtime,
            total,
            budget,
            _share(total, budget),
            _largest(parts),
        ),
        path=largest,
        severity=None if is_own_budget and total > budget else Severity.INFO,
    )


def _message(total: int, budget: int) -> str:
    """Return the message about ``total`` of ``budget`` tokens.

    Its placeholders are the agent, total, budget, share (see :func:`_share`) and the sentence about
    the largest parts.
    """
    if total <= budget:
        return untranslated(
            "Memory takes about {1:,} tokens, {3} % of the budget of {2:,}\n"
            "The budget is almost used up. {0} sends memory with every request. {4} Shorten "
            "memory, or raise `budget.tokens`."
        )
    if total < _TIMES * budget:
        return untranslated(
            "Memory takes about {1:,} tokens, {3} % of the budget of {2:,}\n"
            "{0} sends it with every request. {4} Shorten memory, or raise `budget.tokens`."
        )
    return untranslated(
        "Memory takes about {1:,} tokens, {3} times the budget of {2:,}\n"
        "{0} sends it with every request. {4} Shorten memory, or raise `budget.tokens`."
    )


def _share(total: int, budget: int) -> int:
    """Return the share of the budget: in percent, or as a factor if it is ``_TIMES`` or more."""
    return total * 100 // budget if total < _TIMES * budget else round(total / budget)


def _largest(parts: list[tuple[Path, int]]) -> str:
    """Return the sentence that names the up to three largest of ``parts``, which are in order."""
    if len(parts) == 1:
        return t("All of it is in {0}.", _label(parts[0][0]))
    named = ", ".join(t("{0} {1:,}", _label(path), count) for path, count in parts[:3])
    return t("The largest parts are {0}.", named)


def _parts(project: Project) -> list[tuple[Path, int]]:
    """Return (file, estimated tokens) of each file in the prompt, the largest first."""
    sums: dict[Path, int] = {}
    for segment, count in zip(project.prompt.segments, project.prompt.counts, strict=True):
        if segment.path:
            sums[segment.path] = sums.get(segment.path, 0) + count
    return sorted(sums.items(), key=lambda pair: -pair[1])


def _label(path: Path) -> str:
    """Return the folder and the name of ``path``."""
    return f"{path.parent.name}/{path.name}"


RULE = ProjectRule(
    "AM302",
    "prompt-too-large",
    Severity.WARNING,
    "Memory over the token budget of a prompt",
    check=check,
)
