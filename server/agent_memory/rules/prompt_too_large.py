"""AM302: a composed prompt near or over the budget."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.model import Severity
from agent_memory.rules.base import Hit, Project, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


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
    named = ", ".join(f"{_label(path)} {count:,}" for path, count in parts[:3])
    over = total > budget
    advice = "Shorten the largest" if over else "There is room for little more"
    yield Hit(
        project.files[largest].head,
        f"The prompt of {project.choice.runtime.id} takes about {total:,} tokens, "
        f"{total * 100 // budget} % of the budget of {budget:,}, with every request; most of it: "
        f"{named}. {advice}, or raise `budget.tokens`",
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
    return f"{path.parent.name}/{path.name}" if path else "the runtime's own text"


RULE = Rule(
    "AM302",
    "prompt-too-large",
    Severity.WARNING,
    "A prompt over its budget of tokens",
    project=check,
)
