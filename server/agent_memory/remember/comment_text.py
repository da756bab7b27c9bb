"""The prose of a source code comment, without its comment markers."""

from __future__ import annotations

import re

_MARKER = re.compile(
    r'\s*(#+!?|//[/!]?|--|;+|%+|\*+/|\*|/\*+|"""|\'\'\'|<!--|rem\b)(?:\s+|\Z)', re.IGNORECASE
)
_STARS = re.compile(r"(?:\A|\s+)\*+/\s*\Z")
_CLOSING = {
    '"""': re.compile(r'\s*"""\s*\Z'),
    "'''": re.compile(r"\s*'''\s*\Z"),
    "<!--": re.compile(r"\s*-->\s*\Z"),
}


def comment_text(text: str, *, batch: bool = False) -> str:
    """Return the prose of the comment ``text``, '' if one of its lines is not a comment.

    Only a marker at the start of a line and its closing counterpart at the end are removed.
    ``batch`` means that the text is from a batch file, where ``rem`` begins a comment.
    """
    out = []
    for line in filter(str.strip, text.split("\n")):
        marker = _MARKER.match(line)
        if not marker or (marker[1].lower() == "rem" and not batch):
            return ""
        closing = _STARS if "*" in marker[1] else _CLOSING.get(marker[1])
        rest = line[marker.end() :]
        out.append(closing.sub("", rest) if closing else rest)
    return "\n".join(out)
