"""AM202: a value identified as a secret by its name, such as ``DB_PASSWORD=...``, or by a table."""

from __future__ import annotations

import bisect
from itertools import accumulate
from typing import TYPE_CHECKING

from agent_memory.base.model import Edit, Fix, Severity
from agent_memory.base.text import Span
from agent_memory.lint.rule import Hit, LineHit, LineRule
from agent_memory.lint.shared.secrets import (
    data,
    fix_title,
    line_hits,
    message,
    reference,
)
from agent_memory.secrets import Group, find_line, has_secret, tables

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lint.project import Project


def check(line: str) -> Iterator[LineHit]:
    """Report each random-looking value of ``line`` after the name of a secret."""
    return line_hits(line, Group.CONTEXT)


def in_tables(file: MemoryFile, _: Project) -> Iterator[Hit]:
    """Report each value below the name of a secret in the head of a table.

    A value that is found as a secret in its line alone is left to the rule that reports it.
    """
    starts: list[int] = []  # the offset of each line, computed for the first secret
    for secret in tables.find(file.content.text):
        starts = starts or [0, *accumulate(map(len, file.lines))]
        number = bisect.bisect_right(starts, secret.start) - 1
        start, end = secret.start - starts[number], secret.end - starts[number]
        of_line = find_line(file.lines[number])
        if any(other.start < end and start < other.end for other in of_line):
            continue
        span = Span.on_line(number, start, end)
        edit = Edit(file.path, span, reference(secret))
        fix = Fix(fix_title(secret), (edit,), safe=False)
        yield Hit(span, message(secret), (fix,), data=data(secret))


RULE = LineRule(
    "AM202",
    "secret-contextual",
    Severity.WARNING,
    "A random value with the name of a secret",
    check=check,
    prefilter=has_secret,
    in_file=in_tables,
)
