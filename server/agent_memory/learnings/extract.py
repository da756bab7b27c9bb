"""Extract learnings from the output of Claude MPM's agents, and map each type to a section.

Blocks are parsed as Claude MPM 3.2.1 does: the marker in any case and anywhere on a line, also
inside code; of nested blocks the inner one; no block if its first line begins with ``#``; only
the first line of the content, without final punctuation, 6 to 100 characters; no duplicates.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

RECENT = "Recent Learnings"
"""The section of learnings without a known type."""
SECTION_OF = {
    "pattern": "Coding Patterns Learned",
    "architecture": "Project Architecture",
    "guideline": "Implementation Guidelines",
    "mistake": "Common Mistakes to Avoid",
    "strategy": "Effective Strategies",
    "integration": "Integration Points",
    "performance": "Performance Considerations",
    "context": "Current Technical Context",
    "domain": "Domain-Specific Knowledge",
}
"""The section of each learning type; any other section is named by its heading."""
_OF_BLOCKS = SECTION_OF.keys() - {"domain"}
"""The types of blocks; Claude MPM's own extraction ignores the others."""
CONTENT_MIN = 6
CONTENT_MAX = 100
"""Characters of a learning without the punctuation at its end."""
# Claude MPM finds a block with one expression, which takes cubic time: the marker, \s*\n(?!#), the
# shortest content without a marker, \n\s*#\s*$. Here its parts are found one after the other.
_MARKER = re.compile(r"#\s*(?:remember|memorize|add\s+to\s+memory):(\s*)", re.IGNORECASE)
_CLOSE = re.compile(r"^[^\S\n]*(#)[^\S\n]*$", re.MULTILINE)
_TYPE = re.compile(r"Type:\s*(\w+)", re.IGNORECASE)
_CONTENT = re.compile(r"Content:\s*(.+)", re.IGNORECASE)
"""The content of a block: the rest of the line, or the next line with text."""
_NATURAL = (
    (re.compile(r"discovered pattern:\s*(.+)", re.IGNORECASE), "pattern"),
    (re.compile(r"best practice:\s*(.+)", re.IGNORECASE), "guideline"),
    (re.compile(r"mistake:\s*(.+)", re.IGNORECASE), "mistake"),
    (re.compile(r"architecture(?: insight)?:\s*(.+)", re.IGNORECASE), "architecture"),
)
"""A phrase and the sentence after it, which is the learning, with the type of the learning."""


@dataclass(frozen=True, slots=True)
class Learning:
    """One learning; ``line`` is the first line of its block or sentence in the output, from 0."""

    type: str
    content: str
    line: int


def extract(text: str, *, natural: bool = False) -> list[Learning]:
    """Return the learnings in an agent's output, in order.

    Of several with the same content, in any letter case, only the first is returned. ``natural``
    also finds sentences such as ``Best practice: …``, inside and outside of blocks.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    learnings = list(_blocks(text))
    if natural:
        learnings = sorted([*learnings, *_sentences(text)], key=lambda learning: learning.line)
    by_content: dict[str, Learning] = {}
    for learning in learnings:
        by_content.setdefault(learning.content.lower(), learning)
    return list(by_content.values())


def _blocks(text: str) -> Iterator[Learning]:
    """Yield the learnings of the blocks of ``text``.

    A block begins with a marker and has its end before the next marker.
    """
    markers = list(_MARKER.finditer(text))
    next_markers = [*(marker.start() for marker in markers[1:]), len(text)]
    closes = [close.start(1) for close in _CLOSE.finditer(text)]
    line, counted = 0, 0  # `line` is the line at the offset `counted`
    end_of_block = 0  # the offset after the last block
    for marker, next_marker in zip(markers, next_markers, strict=False):
        if marker.start() < end_of_block:  # its "#" is the one that ends the last block
            continue
        close = _close_of(marker, text, closes)
        if close is None or close > next_marker:  # the block has no end
            continue
        line += text.count("\n", counted, marker.start())
        counted = marker.start()
        end_of_block = close + 1
        learning = _learning(text[marker.end() : close], line)
        if learning:
            yield learning


def _close_of(marker: re.Match[str], text: str, closes: Sequence[int]) -> int | None:
    """Return the offset of the ``#`` that ends the block of ``marker``.

    None without such a ``#``, or if the content does not begin below the marker's line. ``closes``
    are the offsets of each ``#`` alone on its line, in order.
    """
    first = marker.end()  # the first character after the marker that is not white space
    newlines = marker[1].count("\n")  # at which `\s*\n(?!#)` of Claude MPM's expression can end
    find_close = bisect_right  # the first close after `first`
    if text.startswith("#", first) and text.startswith("\n", first - 1):  # in the first column
        newlines -= 1  # the expression does not end directly above a "#"
        # If the line above the "#" has white space, that is the content and the "#" can end it.
        if text[first - 2] != "\n":  # the last character of that line
            find_close = bisect_left  # `first` itself, if it is a close
    number = find_close(closes, first)
    return closes[number] if newlines > 0 and number < len(closes) else None


def _learning(block: str, line: int) -> Learning | None:
    """Return the learning of ``block``; None without a type of ``_OF_BLOCKS`` or valid content."""
    type_line, content = _TYPE.search(block), _CONTENT.search(block)
    if not type_line or not content or type_line[1].lower() not in _OF_BLOCKS:
        return None
    return _checked(type_line[1].lower(), content[1], line)


def _sentences(text: str) -> Iterator[Learning]:
    """Yield the learnings of lines that begin with a phrase such as ``Best practice:``.

    Markers of lists and quotes and emphasis around the sentence are ignored.
    """
    for number, line in enumerate(text.split("\n")):
        sentence = line.strip().lstrip("-*+> ").strip("*_ ")
        for pattern, learning_type in _NATURAL:
            match = pattern.match(sentence)
            learning = _checked(learning_type, match[1], number) if match else None
            if learning:
                yield learning


def _checked(learning_type: str, content: str, line: int) -> Learning | None:
    """Return the learning ``content`` without punctuation at its end.

    None if it is then too short or too long.
    """
    content = content.strip().rstrip(".!?,;")
    if not CONTENT_MIN <= len(content) <= CONTENT_MAX:
        return None
    return Learning(learning_type, content, line)
