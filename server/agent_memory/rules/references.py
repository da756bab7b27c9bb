"""What a memory file refers to: paths in code spans, links, with the line they stand on."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from agent_memory.text import Span, body

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.rules.base import MemoryFile

CODE_SPAN = re.compile(r"(?<!`)(`+)(?!`)[ ]?(.+?)[ ]?(?<!`)\1(?!`)")
_PATH = re.compile(
    r"(?:\./|(?:\.\./)+)?[\w@.+-]+(?:/[\w@.+\-\[\]()]+)+\.[A-Za-z][A-Za-z0-9]{0,9}"
    r"(?=(?::\d+(?:[-:]\d+)?)?\Z)"
)
_LINK = re.compile(
    r"(?<![\\!])\[(?:[^\[\]\n]|\[[^\[\]\n]*\])*\]\(\s*(<[^>\n]+>|[^()\s]+)(?:\s+\"[^\"]*\")?\s*\)"
)


class Reference(NamedTuple):
    """A path as it is written, and where."""

    path: str
    span: Span
    text: str  # the rest of the line, lower case: what is said about the path


def paths_of(file: MemoryFile) -> list[Reference]:
    """Return the paths with a slash and an extension that are alone in a code span."""
    return file.content.once("paths", lambda: list(_paths(file)))


def links_of(file: MemoryFile) -> list[Reference]:
    """Return the targets of inline links."""
    return file.content.once("links", lambda: list(_links(file)))


def _paths(file: MemoryFile) -> Iterator[Reference]:
    for number, line in enumerate(file.lines):
        if "`" not in line or "/" not in line or not file.markdown.is_prose(number):
            continue
        for span in CODE_SPAN.finditer(line):
            path = _PATH.match(span[2])
            if path:
                start = span.start(2)
                end = start + len(path[0])
                yield Reference(
                    path[0], Span.on_line(number, start, end), _around(line, start, end)
                )


def _links(file: MemoryFile) -> Iterator[Reference]:
    for number, line in enumerate(file.lines):
        if "](" not in line or not file.markdown.is_prose(number):
            continue
        plain = CODE_SPAN.sub(lambda span: "\0" * len(span[0]), body(line))
        for link in _LINK.finditer(plain):
            target = link[1].strip("<>")
            if "\0" not in target:
                start = link.start(1) + (link[1][0] == "<")
                end = start + len(target)
                yield Reference(target, Span.on_line(number, start, end), _around(line, start, end))


def _around(line: str, start: int, end: int) -> str:
    return f"{line[:start]} {line[end:]}".lower()
