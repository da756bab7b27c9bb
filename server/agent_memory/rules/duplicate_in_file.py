"""AM403: the same item twice in one file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.model import Edit, Fix, Related, Severity
from agent_memory.rules.base import MEMORY_ROLES, Hit, MemoryFile, Project, Rule
from agent_memory.rules.items import Said, items_of
from agent_memory.text import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

_ELSEWHERE = 8
"""Words of an item that is a repetition in another section too: shorter ones depend on it."""


def check(file: MemoryFile, project: Project) -> Iterator[Hit]:  # noqa: ARG001 -- one signature
    """Report each item that says what one above it says in the same words."""
    seen: dict[str, Said] = {}
    for said in items_of(file):
        if said.item.marker[0].isdigit():
            continue  # a step belongs to its procedure, which may share steps with another
        first = seen.setdefault(said.key, said)
        if first is said or (said.section != first.section and said.words < _ELSEWHERE):
            continue
        item = said.item
        span = Span(item.line, item.indent, *file.line_span(item.end_line - 1)[2:])
        removal = Edit(file.path, Span(item.line, 0, item.end_line, 0), "")
        yield Hit(
            span,
            f"The same is said on line {first.item.line + 1}: the agent pays for it twice, and a "
            "later change to one leaves the other behind",
            (Fix("Remove this one", (removal,), safe=False),),
            (Related(file.path, file.line_span(first.item.line), "the first one"),),
            unnecessary=True,
        )


RULE = Rule(
    "AM403",
    "duplicate-in-file",
    Severity.INFO,
    "The same item twice in a file",
    file=check,
    roles=MEMORY_ROLES,
)
