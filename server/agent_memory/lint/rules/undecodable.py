"""AM101: a file that is not UTF-8."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.base.model import Severity
from agent_memory.base.text import Span, split_lines
from agent_memory.fs.reader import Failure
from agent_memory.l10n import t
from agent_memory.lint.rule import FileRule, Hit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lint.project import Project


def check(file: MemoryFile, project: Project) -> Iterator[Hit]:
    """Report the first byte that is not UTF-8, and its effect in the runtime.

    UTF-16 is reported as well if all of its bytes are valid UTF-8: its NULs are characters there.
    """
    content = file.content
    if content.ok and content.is_utf16:
        yield Hit(Span(0, 0, 0, 0), _message_of_nuls())
    if content.failure is not Failure.UNDECODABLE:
        return
    # Latin-1 decodes every byte, with the same newlines; the NULs of UTF-16 would divide them.
    before = content.raw[: content.bad_offset].decode("latin-1").replace("\0", "")
    line = len(split_lines(f"{before}x")) - 1
    byte = content.raw[content.bad_offset]
    effect = project.effect(file)
    message = (
        t(
            "This file is not UTF-8 but probably {0}\n"
            "Byte 0x{1:02X} on line {2} is invalid. {3} Save the file as UTF-8.",
            "UTF-16",
            byte,
            line + 1,
            effect,
        )
        if content.is_utf16
        else t(
            "This file is not UTF-8: byte 0x{0:02X} on line {1}\n{2} Save it as UTF-8.",
            byte,
            line + 1,
            effect,
        )
    )
    yield Hit(Span(line, 0, line, 0), message)


def _message_of_nuls() -> str:
    """Return the message about UTF-16 that is valid UTF-8."""
    return t(
        "This file is not UTF-8 but probably {0}\n"
        "The agent reads a NUL character with every letter. Save the file as UTF-8.",
        "UTF-16",
    )


RULE = FileRule(
    "AM101",
    "undecodable",
    Severity.ERROR,
    "A file that is not UTF-8",
    check=check,
    needs_text=False,
    varies=True,
)
