"""AM407: a line that is too long to edit easily."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.base.model import Severity
from agent_memory.l10n import t
from agent_memory.lint.rule import MEMORY_ROLES, LineHit, LineRule

if TYPE_CHECKING:
    from collections.abc import Iterator

_MAX = 4000
"""Characters of a line."""


def is_long(line: str) -> bool:
    """Return whether ``line`` may be too long: the prefilter. Only False is certain.

    The length counts the newline and the spaces before it, which :func:`check` does not.
    """
    return len(line) > _MAX


def check(line: str) -> Iterator[LineHit]:
    """Report a line of prose over the limit."""
    length = len(line.rstrip())
    is_prose = line.count(" ", 0, _MAX) > _MAX // 50  # more than a space per 50 characters
    if length > _MAX and is_prose:  # and not a long value such as a hash or a data URL
        yield LineHit(
            _MAX,
            length,
            t(
                "This line has {0:,} characters\n"
                "Agents edit memory by replacing text they quote exactly, and reviewers read "
                "changes line by line. Split it into several items.",
                length,
            ),
        )


RULE = LineRule(
    "AM407",
    "overlong-line",
    Severity.INFO,
    "A line that is hard to change",
    check=check,
    prefilter=is_long,
    roles=MEMORY_ROLES,
)
