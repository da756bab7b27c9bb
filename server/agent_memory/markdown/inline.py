"""Inline Markdown: text that cannot change the meaning of the lines after it."""

from __future__ import annotations

import re

from agent_memory.markdown.references import CODE_SPAN

_BACKTICKS = re.compile(r"`{3,}")


def without_markup(line: str) -> str:
    """Return ``line`` with unclosed comments and long backtick runs made harmless."""
    out, at = [], 0
    for span in CODE_SPAN.finditer(line):
        out += [_defused(line[at : span.start()], line[span.end() :]), span[0]]
        at = span.end()
    return "".join([*out, _defused(line[at:], "")])


def _defused(text: str, rest: str) -> str:
    """Return ``text``, which is outside code spans and followed by ``rest``, made harmless."""
    opened = text.rfind("<!--")
    if opened >= 0 and "-->" not in text[opened:] + rest:
        text = text.replace("<!--", "&lt;!--")
    return _BACKTICKS.sub("``", text)
