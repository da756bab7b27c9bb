"""What a comment selected in a program says, without the marks of its language."""

from __future__ import annotations

import re

_MARK = re.compile(
    r'\s*(#+!?|//[/!]?|--|;+|%+|\*+/|\*|/\*+|"""|\'\'\'|<!--|rem\b)(?:\s+|\Z)', re.IGNORECASE
)
_STARS = re.compile(r"(?:\A|\s+)\*+/\s*\Z")
_CLOSING = {
    '"""': re.compile(r'\s*"""\s*\Z'),
    "'''": re.compile(r"\s*'''\s*\Z"),
    "<!--": re.compile(r"\s*-->\s*\Z"),
}


def said_in(text: str, *, batch: bool = False) -> str:
    """Return what the comment ``text`` says, '' if a line of it is something else.

    Only the marks at the start of a line and the closing one of the same kind at its end go.
    ``batch`` says that it stands in a batch file, where ``rem`` begins a comment.
    """
    out = []
    for line in filter(str.strip, text.split("\n")):
        mark = _MARK.match(line)
        if not mark or (mark[1].lower() == "rem" and not batch):
            return ""
        closing = _STARS if "*" in mark[1] else _CLOSING.get(mark[1])
        said = line[mark.end() :]
        out.append(closing.sub("", said) if closing else said)
    return "\n".join(out)
