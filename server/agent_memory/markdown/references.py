"""What a memory file refers to: paths in code spans, links, with the line they stand on."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from agent_memory.base.lazy_regex import late
from agent_memory.base.text import Span, body
from agent_memory.markdown.example_lines import example_lines
from agent_memory.markdown.model import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.lint.rule import MemoryFile

CODE_SPAN = late(r"(?<!`)(`+)(?!`)[ ]?(.+?)[ ]?(?<!`)\1(?!`)")
_PATH = late(
    r"(?:\./|(?:\.\./)+)?[\w@.+-]+(?:/[\w@.+\-\[\]()]+)+\.[A-Za-z][A-Za-z0-9]{0,9}"
    r"(?=(?::\d+(?:[-:]\d+)?)?\Z)"
)
_LINK = late(
    r"(?<![\\!])\[(?:[^\[\]\n]|\[[^\[\]\n]*\])*\]\(\s*(<[^>\n]+>|[^()\s]+)(?:\s+\"[^\"]*\")?\s*\)"
)

SENTENCE_MAX = 4
"""Lines before and behind a reference's own that are searched for the rest of its sentence."""


class Reference(NamedTuple):
    """A path as it is written, and where."""

    path: str
    span: Span
    text: str
    """What is said about the path, lower case, with a space in its place: its line and sentence."""


def paths_of(file: MemoryFile) -> list[Reference]:
    """Return the paths with a slash and an extension that are alone in a code span."""
    return file.content.once("paths", lambda: list(_paths(file)))


def links_of(file: MemoryFile) -> list[Reference]:
    """Return the targets of inline links."""
    return file.content.once("links", lambda: list(_links(file)))


def _paths(file: MemoryFile) -> Iterator[Reference]:
    shown = example_lines(file)
    for number, line in enumerate(file.lines):
        if number in shown:
            continue
        if "`" in line and "/" in line and file.markdown.is_prose(number):
            for path, start in _paths_in(line):
                end = start + len(path)
                said = sentence(file, number, start, end)
                yield Reference(path, Span.on_line(number, start, end), said)


def _links(file: MemoryFile) -> Iterator[Reference]:
    shown = example_lines(file)
    for number, line in enumerate(file.lines):
        if "](" in line and number not in shown and file.markdown.is_prose(number):
            for target, start in _links_in(body(line)):
                end = start + len(target)
                said = sentence(file, number, start, end)
                yield Reference(target, Span.on_line(number, start, end), said)


@lru_cache(maxsize=1 << 14)
def _paths_in(line: str) -> tuple[tuple[str, int], ...]:
    """Return (path, column) for each path of ``line``."""
    found = ((_PATH.match(span[2]), span.start(2)) for span in CODE_SPAN.finditer(line))
    return tuple((path[0], start) for path, start in found if path)


@lru_cache(maxsize=1 << 14)
def _links_in(line: str) -> tuple[tuple[str, int], ...]:
    """Return (target, column) for each link of ``line``."""
    plain = CODE_SPAN.sub(lambda span: "\0" * len(span[0]), line)
    out = []
    for link in _LINK.finditer(plain):
        target = link[1].strip("<>")
        if "\0" not in target:
            start = link.start(1) + (link[1][0] == "<")
            out.append((target, start))
    return tuple(out)


def sentence(file: MemoryFile, number: int, start: int, end: int) -> str:
    """Return the line around a place and the rest of its sentence, lower case, without the place.

    The sentence may begin on lines before and go on behind; a space stands for the place.
    """
    lines = file.lines
    said = [f"{body(lines[number][:start])} {body(lines[number][end:])}"]
    line, rest = number, lines[number][:start]
    while number - line < SENTENCE_MAX and _goes_on(file, line) and ". " not in rest:
        line -= 1
        rest = body(lines[line])
        said.insert(0, rest.rpartition(". ")[2])
    line, rest = number, lines[number][end:]
    while line - number < SENTENCE_MAX and _goes_on(file, line + 1) and ". " not in rest:
        line += 1
        rest = body(lines[line])
        said.append(rest.partition(". ")[0])
    return " ".join(" ".join(said).lower().split())


def _goes_on(file: MemoryFile, number: int) -> bool:
    """Whether the line ``number`` goes on with the text of the one before it."""
    kinds = file.markdown.kinds
    return (
        0 < number < len(kinds)
        and kinds[number] is Kind.TEXT
        and kinds[number - 1] in (Kind.TEXT, Kind.ITEM)
        and not file.lines[number].lstrip().startswith("|")  # a row of a table is for itself
    )
