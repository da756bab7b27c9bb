"""The prose of a source code comment, without its comment markers."""

from __future__ import annotations

import re

_MARKER = re.compile(
    r'\s*(#+!?|//[/!]?|--|;+|%+|\*+/|\*|/\*+|"""|\'\'\'|<!--|rem\b)(?:\s+|\Z)', re.IGNORECASE
)
"""The marker that a line of a comment begins with; the group is the marker."""
_CLOSING = {'"""': '"""', "'''": "'''", "<!--": "-->"}
"""The end of a comment by its marker; for ``/*`` see :func:`_without_closing`."""


def comment_text(text: str, *, batch: bool = False) -> str:
    """Return the prose of the comment ``text``; '' if one of its lines has no comment marker.

    The marker at the start of each line, its closing counterpart at the end, and blank lines are
    removed. ``batch``: the text is from a batch file, where ``rem`` begins a comment.
    """
    out = []
    for line in filter(str.strip, text.split("\n")):
        marker = _MARKER.match(line)
        if not marker or (marker[1].lower() == "rem" and not batch):
            return ""
        out.append(_without_closing(line[marker.end() :], marker[1]))
    return "\n".join(out)


def _without_closing(text: str, marker: str) -> str:
    """Return ``text`` without the counterpart of ``marker`` at its end and the space before it.

    Text that does not end with the counterpart is returned unchanged.
    """
    stripped = text.rstrip()
    if "*" in marker:  # "/*", or "*" on a later line of the comment: "*/" or "**/" closes both
        body = stripped.removesuffix("/").rstrip("*")
        # Only after white space: in "see docs/*/" it is a path.
        closed = stripped.endswith("*/") and (not body or body[-1].isspace())
    else:
        closing = _CLOSING.get(marker)
        body = stripped.removesuffix(closing) if closing else stripped
        closed = body != stripped
    return body.rstrip() if closed else text
