"""AM804: feedback or a project fact without the lines that say why and how to apply it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.base.model import Role, Severity
from agent_memory.l10n import t
from agent_memory.lint.rule import FileRule, Hit
from agent_memory.lint.rules.entry_skipped import read

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lint.project import Project

_WHY = lazy_compile(r"^why:", re.IGNORECASE | re.MULTILINE)
_HOW = lazy_compile(r"^how to apply:", re.IGNORECASE | re.MULTILINE)
"""The line of a body with the reason, and the one that says when it applies."""


def check(file: MemoryFile, project: Project) -> Iterator[Hit]:  # noqa: ARG001 -- one signature
    """Report that feedback or a project fact lacks the line *Why*, *How to apply* or both."""
    entry = read(file)
    if isinstance(entry, str) or entry.kind not in ("feedback", "project"):
        return  # drover skips the file (another rule says why), or the kind needs no reason
    text = entry.body.replace("*", "")  # `**Why:**` and `**Why**:`
    message = _missing(why=bool(_WHY.search(text)), how=bool(_HOW.search(text)))
    if message:
        yield Hit(file.line_span(_first_line(file.lines)), message)


def _first_line(lines: Sequence[str]) -> int:
    """Return the line (from 0) with which the body begins; of an empty body the closing `---`.

    ``lines`` are those of an entry. As for drover, the body may begin right after the closing
    `---`, on its line.
    """
    below_first = range(1, len(lines))
    closing = next((number for number in below_first if lines[number].startswith("---")), 0)
    if lines[closing].removeprefix("---").strip():
        return closing
    below = range(closing + 1, len(lines))
    return next((number for number in below if lines[number].strip()), closing)


def _missing(*, why: bool, how: bool) -> str:
    """Return the message if the entry lacks the line *Why*, *How to apply* or both, else ''.

    ``why`` and ``how``: the entry has the line.
    """
    if why and how:
        return ""
    if why:
        return t(
            "The entry has no line 'How to apply:'\n"
            "An agent cannot tell when it applies. Write the rule first, then why and how to "
            "apply it."
        )
    if how:
        return t(
            "The entry has no line 'Why:'\n"
            "An agent cannot tell when it applies. Write the rule first, then why and how to "
            "apply it."
        )
    return t(
        "The entry has no lines 'Why:' and 'How to apply:'\n"
        "An agent cannot tell when it applies. Write the rule first, then why and how to apply "
        "it."
    )


RULE = FileRule(
    "AM804",
    "entry-reason",
    Severity.INFO,
    "An entry that does not say why",
    check=check,
    roles=frozenset({Role.ENTRY}),
)
