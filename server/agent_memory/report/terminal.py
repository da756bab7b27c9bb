"""A stream to a terminal that shows control characters, which the terminal would execute.

Names of files and memory come with a repository: an escape code in them could hide lines, change
the title or set the clipboard.
"""

from __future__ import annotations

import re

from agent_memory.report import visible
from agent_memory.secrets import Exact, FilteredStream

_CONTROL = re.compile(
    r"(?P<color>\x1b\[(?:0|1|3[1346];1)m)"  # of reports
    r"|(?P<control>[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]|\r(?!\n))"
)


class Controls(Exact):
    """A text of the program itself that a terminal executes, such as to erase a line."""


class TerminalStream(FilteredStream):
    """A text stream to a terminal, with control characters as escapes (<U+001B>)."""

    def filtered(self, text: str) -> str:
        """Return ``text`` with escapes; :class:`Controls` and colors stay."""
        return text if isinstance(text, Controls) else _CONTROL.sub(_color_or_escape, text)


def _color_or_escape(match: re.Match[str]) -> str:
    """Return a matched color unchanged, and a matched control character as an escape.

    ``match`` is one of ``_CONTROL``.
    """
    return match["color"] or visible.char(match["control"])
