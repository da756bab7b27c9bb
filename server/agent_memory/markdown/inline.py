"""Inline Markdown: text that cannot change the meaning of the text around it."""

from __future__ import annotations

import re

from agent_memory.markdown.code_spans import code_spans

_BACKTICKS = re.compile(r"`{3,}")
"""Enough backticks to open a fence."""
_SPECIAL = re.compile(r"[\\`*_{}\[\]()<>#|~&]")
"""Characters that can be part of Markdown or HTML."""


def literal(text: str) -> str:
    """Return Markdown that shows the line ``text`` unchanged: its Markdown and HTML is escaped."""
    return _SPECIAL.sub(_literal, text)


def _literal(match: re.Match[str]) -> str:
    r"""Return the matched character as a reference (``&#60;``) or after a backslash (``\*``)."""
    char = match[0]
    return f"&#{ord(char)};" if char in "<>&|" else f"\\{char}"


def without_open_blocks(line: str) -> str:
    """Return ``line`` so that no comment or fence begins in it that continues on the next line.

    Outside of code spans, three or more backticks become two. In each part around code spans, all
    starts of comments are escaped if the last one is not closed on the line.
    """
    out, at, last_closing = [], 0, line.rfind("-->")
    for span in code_spans(line):
        closed = last_closing >= span.end
        out += [_escaped(line[at : span.first], closed=closed), line[span.first : span.end]]
        at = span.end
    return "".join([*out, _escaped(line[at:], closed=False)])  # nothing follows this part


def _escaped(text: str, *, closed: bool) -> str:
    """Return ``text``, a part of a line outside code spans, so that it leaves no block open.

    ``closed``: a ``-->`` follows on the line, so a comment that ``text`` opens ends there.
    Otherwise all starts of comments are escaped if the last one is not closed in ``text``.
    """
    last_opening = text.rfind("<!--")
    if last_opening >= 0 and not closed and "-->" not in text[last_opening:]:
        text = text.replace("<!--", "&lt;!--")
    return _BACKTICKS.sub("``", text)
