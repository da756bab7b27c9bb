"""The memory that Claude Code writes itself: what it sends of MEMORY.md."""

from __future__ import annotations

import unicodedata
from typing import NamedTuple

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.runtimes.agents.javascript import SPACE

MAX_LINES = 200
MAX_LENGTH = 25_000  # characters
_NEWLINE = lazy_compile("\r\n?|[\u2028\u2029]")
"""A newline of JavaScript other than a line feed."""
_JOINERS = "\u200c\u200d\ufe0e\ufe0f"
"""Invisible characters that change how their neighbors look, and are sent."""
_INVISIBLE = lazy_compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0d\uffa0\U000e0000-\U000e0fff]"
)
"""Characters without a shape of their own that the categories in ``_is_shown`` do not all cover."""


class SentMemory(NamedTuple):
    """The part of MEMORY.md that Claude Code sends, and whether that is not the whole text."""

    text: str
    is_cut: bool


def sent(text: str) -> SentMemory:
    """Return the part of ``text`` that Claude Code sends, at most ``MAX_LINES``/``MAX_LENGTH``.

    Characters that nobody sees are dropped, and each newline becomes a line feed. Both do not count
    as a cut.
    """
    whole = text.strip(SPACE)
    kept = "\n".join(whole.split("\n")[:MAX_LINES])
    if len(kept) > MAX_LENGTH:
        last_newline = kept.rfind("\n", 0, MAX_LENGTH + 1)
        # only whole lines, unless the first one exceeds the limit
        kept = kept[: last_newline if last_newline > 0 else MAX_LENGTH]
    shown = "".join(filter(_is_shown, _NEWLINE.sub("\n", kept)))
    return SentMemory(shown, is_cut=kept != whole)


def _is_shown(char: str) -> bool:
    """Whether ``char`` is sent: it is visible, a tab, a newline or a joiner."""
    if char in "\t\n" or char in _JOINERS:
        return True
    is_hidden = unicodedata.category(char) in ("Cc", "Cf", "Co", "Cn", "Cs")
    return not is_hidden and not _INVISIBLE.match(char)
