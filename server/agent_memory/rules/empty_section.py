"""AM405: a heading with nothing below it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from agent_memory.l10n import t
from agent_memory.late import late
from agent_memory.markdown import Kind
from agent_memory.model import Severity
from agent_memory.rules import mpm
from agent_memory.rules.base import MEMORY_ROLES, Hit, MemoryFile, Project, Rule
from agent_memory.rules.examples import example_lines

if TYPE_CHECKING:
    from collections.abc import Iterator

_SAYS = late(
    r"(?!(?:step|phase|part|stage|level|day|week)\b[^:]*:)[^:]*\w`?: +\S"
    r"|[\u2705\u2713\u2714\u2717\u2718\u274c\U0001f6ab]|(?:\S+ ){7}\S|.*\w[.!]\Z",
    re.IGNORECASE,
)
"""A heading that tells something by itself: "Language: Go", a sentence, what is ticked."""


def check(file: MemoryFile, project: Project) -> Iterator[Hit]:  # noqa: ARG001 -- one signature
    """Report sections without text and without sub-sections, if the file has any text."""
    markdown = file.markdown
    headings = markdown.headings
    if not any(kind not in (Kind.BLANK, Kind.HEADING, Kind.COMMENT) for kind in markdown.kinds):
        return  # the whole file is headings: another rule says so
    if mpm.is_memory(file):
        return  # its required sections wait for what the agent learns
    for number, heading in enumerate(headings):
        after = headings[number + 1] if number + 1 < len(headings) else None
        if (after and after.level > heading.level) or _SAYS.match(heading.text):
            continue
        if heading.line in example_lines(file):
            continue
        end = after.line if after else len(markdown.kinds)
        if all(kind is Kind.BLANK for kind in markdown.kinds[heading.line + 1 : end]):
            yield Hit(
                file.line_span(heading.line),
                t(
                    "Nothing is said below '{0}'. Fill the section or remove it; the agent "
                    "reads the heading all the same",
                    heading.text,
                ),
            )


RULE = Rule(
    "AM405",
    "empty-section",
    Severity.INFO,
    "A section with nothing in it",
    file=check,
    roles=MEMORY_ROLES,
)
