"""AM202: a value that its name makes a secret, such as ``DB_PASSWORD=...``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.model import Severity
from agent_memory.rules.base import LineHit, Rule
from agent_memory.rules.secret_report import line_hits
from agent_memory.secrets import Group

if TYPE_CHECKING:
    from collections.abc import Iterator


def check(line: str) -> Iterator[LineHit]:
    """Report each random-looking value of ``line`` behind a telling name."""
    return line_hits(line, Group.CONTEXT)


RULE = Rule(
    "AM202",
    "secret-contextual",
    Severity.WARNING,
    "A random value that is named as a secret",
    line=check,
)
