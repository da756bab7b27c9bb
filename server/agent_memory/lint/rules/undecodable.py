"""AM101: a file that is not UTF-8."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.base.model import Severity
from agent_memory.base.text import Span
from agent_memory.fs.reader import Failure
from agent_memory.l10n import t
from agent_memory.lint.rule import FileRule, Hit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lint.project import Project

_MARKS = ((b"\xff\xfe", "UTF-16"), (b"\xfe\xff", "UTF-16"))
"""The byte order marks at the start of a file, with their encoding."""


def check(file: MemoryFile, project: Project) -> Iterator[Hit]:
    """Report the first byte that is not UTF-8, and its effect in the runtime."""
    content = file.content
    if content.failure is not Failure.UNDECODABLE:
        return
    line = content.raw.count(b"\n", 0, content.bad_offset)
    byte = content.raw[content.bad_offset]
    kind = next((name for mark, name in _MARKS if content.raw.startswith(mark)), "")
    effect = project.effect(file)
    message = (
        t(
            "This file is not UTF-8 but probably {0}\n"
            "Byte 0x{1:02X} on line {2} is invalid. {3} Save the file as UTF-8.",
            kind,
            byte,
            line + 1,
            effect,
        )
        if kind
        else t(
            "This file is not UTF-8: byte 0x{0:02X} on line {1}\n{2} Save it as UTF-8.",
            byte,
            line + 1,
            effect,
        )
    )
    yield Hit(Span(line, 0, line, 0), message)


RULE = FileRule(
    "AM101",
    "undecodable",
    Severity.ERROR,
    "A file that is not UTF-8",
    check=check,
    needs_text=False,
    varies=True,
)
