"""AM204: a password in a URL."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.base.model import Severity
from agent_memory.lint.rule import LineHit, LineRule
from agent_memory.lint.shared.secrets import line_hits
from agent_memory.secrets import Group, has_secret

if TYPE_CHECKING:
    from collections.abc import Iterator


def check(line: str) -> Iterator[LineHit]:
    """Report each password in a URL of ``line``."""
    return line_hits(line, Group.URL)


RULE = LineRule(
    "AM204",
    "credentials-in-url",
    Severity.ERROR,
    "A password in a URL",
    check=check,
    prefilter=has_secret,
)
