"""AM201: a token of a known vendor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.base.model import Severity
from agent_memory.lint.rule import LineHit, LineRule
from agent_memory.lint.shared.secrets import line_hits
from agent_memory.secrets import Group, has_secret

if TYPE_CHECKING:
    from collections.abc import Iterator


def check(line: str) -> Iterator[LineHit]:
    """Report each secret of ``line`` that has the form of a vendor's tokens."""
    return line_hits(line, Group.TOKEN)


RULE = LineRule(
    "AM201",
    "secret-token",
    Severity.ERROR,
    "A token of a known vendor",
    check=check,
    prefilter=has_secret,
)
