"""AM203: a private key in PEM armor, over several lines or in one string."""

from __future__ import annotations

import bisect
from itertools import accumulate
from typing import TYPE_CHECKING

from agent_memory.base.model import Edit, Fix, Severity
from agent_memory.base.text import Span
from agent_memory.lint.rule import FileRule, Hit
from agent_memory.lint.shared.secrets import (
    data,
    fix_title,
    message,
    reference,
)
from agent_memory.secrets.private_keys import find

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lint.project import Project


def check(file: MemoryFile, _: Project) -> Iterator[Hit]:
    """Report each private key of the file; it may have several lines."""
    for secret in find(file.content.text):
        starts = [0, *accumulate(map(len, file.lines))]  # the offset of each line
        line = bisect.bisect_right(starts, secret.start) - 1
        end_line = bisect.bisect_right(starts, secret.end - 1) - 1
        span = Span(line, secret.start - starts[line], end_line, secret.end - starts[end_line])
        edit = Edit(file.path, span, reference(secret))
        yield Hit(
            span,
            message(secret),
            (Fix(fix_title(secret), (edit,), safe=False),),
            data=data(secret),
        )


RULE = FileRule("AM203", "private-key", Severity.ERROR, "A private key", check=check)
