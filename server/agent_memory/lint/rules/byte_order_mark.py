"""AM114: a byte order mark at the start of a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.base.model import Edit, Fix, Severity
from agent_memory.base.text import BOM, Span
from agent_memory.l10n import t
from agent_memory.lint.rule import MEMORY_ROLES, FileRule, Hit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lint.project import Project


def check(file: MemoryFile, project: Project) -> Iterator[Hit]:
    """Report a mark in the prompt; most agents written in JavaScript drop it.

    Skills and entries, which it makes unreadable, have their own rules.
    """
    if file.content.text.startswith(BOM) and project.prompt.has_mark_of(file.path):
        span = Span.on_line(0, 0, 1)
        yield Hit(
            span,
            t(
                "The file begins with a byte order mark (U+FEFF)\n"
                "{0} sends it as an invisible character. Save the file as UTF-8 without the mark.",
                t(project.choice.runtime.title),
            ),
            (Fix(t("Remove the byte order mark"), (Edit(file.path, span, ""),)),),
        )


RULE = FileRule(
    "AM114",
    "byte-order-mark",
    Severity.INFO,
    "An invisible mark at the start of the file",
    check=check,
    roles=MEMORY_ROLES,
    per_runtime=True,
    varies=True,
)
