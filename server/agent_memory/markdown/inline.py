"""Inline Markdown: text that cannot change the meaning of the lines after it."""

from __future__ import annotations

import re

from agent_memory.markdown.references import CODE_SPAN

_BACKTICKS = re.compile(r"`{3,}")


def without_markup(line: str) -> str:
    """Return ``line`` with unclosed comments escaped and long runs of backticks shortened."""
    out, at = [], 0
    for span in CODE_SPAN.finditer(line):
        out += [_escaped(line[at : span.start()], line[span.end() :]), span[0]]
        at = span.end()
    return "".join([*out, _escaped(line[at:], "")])


def _escaped(text: str, rest: str) -> str:
    """Return ``text``, outside code spans and followed by ``rest``, without such markup."""
    opened = text.rfind("<!--")
    if opened >= 0 and "-->" not in text[opened:] + rest:
        text = text.replace("<!--", "&lt;!--")
    return _BACKTICKS.sub("``", text)
