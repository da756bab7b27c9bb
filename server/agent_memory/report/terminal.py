"""A stream to a terminal that shows control characters, which the terminal would execute.

Names of files and memory come with a repository: an escape code in them could hide lines, change
the title or set the clipboard.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, TextIO

from agent_memory.report import visible
from agent_memory.secrets import Exact

if TYPE_CHECKING:
    from collections.abc import Iterable

_CONTROL = re.compile(
    r"(?P<color>\x1b\[(?:0|1|3[1346];1)m)"  # of reports
    r"|(?P<control>[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]|\r(?!\n))"
)


class Controls(Exact):
    """A text of the program itself that a terminal executes, such as to erase a line."""


class TerminalStream:
    """A text stream that writes to ``stream``, with control characters as escapes (<U+001B>)."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        """Write ``text``; return its length. :class:`Controls` and colors stay."""
        self._stream.write(text if isinstance(text, Controls) else _CONTROL.sub(_shown, text))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        """Write each of ``lines``."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        """Return any other attribute of the stream."""
        return getattr(self._stream, name)


def _shown(match: re.Match[str]) -> str:
    """Return what is written for a match of ``_CONTROL``."""
    return match["color"] or visible.char(match["control"])
