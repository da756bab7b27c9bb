"""References of a memory file: paths in code spans, and links, with their positions."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.base.text import Span, without_newline
from agent_memory.base.text_cache import TextCache, text_cache
from agent_memory.markdown.code_spans import code_spans, without_code_spans
from agent_memory.markdown.model import LineKind

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from agent_memory.markdown.model import Markdown

# Folders and a name with an extension, perhaps with line numbers, or with a slash at the end; or
# the folder of a package.
_PATH = lazy_compile(
    r"(?:[\w@.+-]+(?:/[\w@.+\-\[\]()]+)+|[\w@.+-]+(?:\\[\w@.+-]+)+)"
    r"(?:\.[A-Za-z][A-Za-z0-9]{0,9}(?=(?::\d+(?:[-:]\d+)?)?\Z)|/\Z)"
    r"|(?:packages|apps|libs|crates|services|src|pkg|internal|modules|plugins)(?:/[\w-]+){1,2}\Z"
)
_FOLDER = lazy_compile(
    r"\s*(?:(?:[-*+]|\d+[.)])\s+(?:\[[ xX]\]\s+)?|\|\s*|#+\s+)[*_]*`([\w@+-][\w@.+-]*/)`"
    r"(?=[*_]*\s*(?:[:|(（：—–]|-{1,2}[\s>]|\Z))"  # noqa: RUF001
)
"""A folder without a parent that an item, a row or a heading begins with, before a note or the end
of the line: ``- `docs/`: the manual`` or ``## `docs/` ``."""
_NAME = lazy_compile(r"\.?[\w@+-][\w.@+-]*\.[A-Za-z][A-Za-z0-9]{0,9}(?=(?::\d+(?:[-:]\d+)?)?\Z)")
"""A file name with an extension, perhaps before line numbers: ``app.py`` of ``app.py:12``.

It may begin with a period: ``.shop.yml``.
"""
_LINK = lazy_compile(
    r"(?<![\\!])\[(?:[^\[\]\n]|\[[^\[\]\n]*\])*\]\(\s*(<[^<>\n]+>|[^()\s]+)(?:\s+\"[^\"]*\")?\s*\)"
)
"""An inline link, no image; the group is its target: ``[text](docs/a.md "title")``."""

_END = lazy_compile(
    r"""(?<!\b\w)(?<!\betc)(?<!\bvs)[.!?]["')\]*_`]*\s+(?=[A-Z`*_\["'(])|[。！？]"""  # noqa: RUF001
)
"""The end of a sentence that another one follows on the line; not the period after *etc*, *vs* or a
single letter."""
_PERIOD = lazy_compile(r"(?<!\b\w)\. ")
"""A period and a space; not the period of *e.g.*"""
_ENDS = (*".!?。！？",)  # noqa: RUF001
"""Marks of which every sentence end contains one: the prefilter of ``_END``."""
_GOES_ON = lazy_compile(
    r"\W*(?:it|its|this|these|they|that|those|both|none|create|generate|add)\b", re.IGNORECASE
)
"""The start of a sentence that is about the same thing as the one before: ``It is generated`` or
``Create it first``."""

_EXAMPLE = lazy_compile(r"\W*(?:an )?example\b", re.IGNORECASE)
"""The start of a line whose sentences are all part of an example."""

SENTENCE_MAX = 4
"""Lines before and after a reference that are searched for the rest of its sentence."""
AROUND = 500
"""Characters before and after a reference on each of these lines; lines may be very long."""
PATH_MAX = 4096
"""Characters; no file system has longer paths."""

NAME_MAX = 255
"""Characters; no file system has longer names."""


class Reference(NamedTuple):
    """A path in its written form, with its position."""

    path: str
    span: Span
    text: str
    """The sentence around the path, in lower case, with a space in place of the path."""


def paths_of(
    lines: Sequence[str], scan: Markdown, examples: Collection[int]
) -> Iterator[Reference]:
    """Yield the paths of files and folders that are alone in a code span.

    A file has an extension. A folder has a slash at the end, unless it is the folder of a package,
    such as ``packages/web``.

    The text of a link is left out: its target says which file it is. Windows paths have
    backslashes in place of the slashes.

    ``examples`` are the line numbers to skip (:func:`~agent_memory.markdown.example_lines`). The
    text of a reference is '': most paths exist, and few sentences are needed.
    """
    yield from _alone_of(lines, scan, examples, are_paths=True)


def names_of(
    lines: Sequence[str], scan: Markdown, examples: Collection[int]
) -> Iterator[Reference]:
    """Yield the file names with an extension and no folder that are alone in a code span.

    The text of a link is left out: its target says which file it is. ``examples`` are the line
    numbers to skip. The text of a reference is '': most names exist, and few sentences are needed.
    """
    yield from _alone_of(lines, scan, examples, are_paths=False)


def folders_of(
    lines: Sequence[str], scan: Markdown, examples: Collection[int]
) -> Iterator[Reference]:
    """Yield the folders without a parent (``docs/``) that an item, a row or a heading begins with.

    Each is in a code span, before a note or the end of the line. ``examples`` are the line numbers
    to skip. The text of a reference is ''.
    """
    for number, line in enumerate(lines):
        if "/`" in line and number not in examples and scan.is_prose(number):
            folder = _FOLDER.match(line)
            if folder:
                yield Reference(folder[1], Span.on_line(number, *folder.span(1)), "")


def links_of(
    lines: Sequence[str], scan: Markdown, examples: Collection[int]
) -> Iterator[Reference]:
    """Yield the targets of inline links; ``examples`` are the line numbers to skip."""
    for number, line in enumerate(lines):
        if "](" in line and number not in examples and scan.is_prose(number):
            for target, start in _links_in(without_newline(line)):
                end = start + len(target)
                text = sentence(lines, scan, number, (start, end))
                yield Reference(target, Span.on_line(number, start, end), text)


def _alone_of(
    lines: Sequence[str], scan: Markdown, examples: Collection[int], *, are_paths: bool
) -> Iterator[Reference]:
    """Yield the paths, or file names (not ``are_paths``), that are alone in a code span.

    ``examples`` are the line numbers to skip.
    """
    for number, candidates in _alone_in_code.found_in(lines):  # of the lines with a candidate
        if number not in examples and scan.is_prose(number):
            for text, start, is_path in candidates:
                if is_path is are_paths:
                    yield Reference(text, Span.on_line(number, start, start + len(text)), "")


def _may_have_code(text: str) -> bool:
    """Return whether ``text`` may have a code span, False is certain: the prefilter."""
    return "`" in text


@text_cache(_may_have_code)
def _alone_in_code(line: str) -> tuple[tuple[str, int, bool], ...]:
    """Return (text, column, is_path) for each path and each file name of ``line``.

    A path that is the text of an inline link is left out. A name is left out before any ``]``,
    which may also end the text of a reference link.
    """
    out = []
    for span in code_spans(line):
        text = span.text
        is_path = "/" in text or "\\" in text
        if is_path:
            is_text_of_link = line.startswith("](", span.end)
            match = _PATH.match(text) if len(text) <= PATH_MAX and not is_text_of_link else None
        else:
            is_text_of_link = line.startswith("]", span.end)
            match = _NAME.match(text) if len(text) <= NAME_MAX and not is_text_of_link else None
        if match:
            out.append((match[0], span.start, is_path))
    return tuple(out)


@TextCache
def _links_in(line: str) -> tuple[tuple[str, int], ...]:
    """Return (target, column) for each link of ``line``."""
    plain = without_code_spans(line)
    out = []
    for link in _LINK.finditer(plain):
        target = link[1].strip("<>")
        # A NUL is in place of a code span: the target is then not a link.
        if "\0" not in target and len(target) <= PATH_MAX:
            length_of_bracket = 1 if link[1].startswith("<") else 0  # as in `[text](<a b.md>)`
            out.append((target, link.start(1) + length_of_bracket))
    return tuple(out)


def sentence(lines: Sequence[str], scan: Markdown, number: int, columns: tuple[int, int]) -> str:
    """Return the sentence around ``columns`` of line ``number``.

    The sentence is in lower case, with a space in place of the text between the columns. A next
    sentence about the same thing ("It is generated") counts as part of it; a row of a table is one
    sentence. The sentence may begin up to ``SENTENCE_MAX`` lines earlier and end as many lines
    later. Of a longer line, only the ``AROUND`` characters next to the columns, or next to the line
    with the columns, are examined.
    """
    start, end = columns
    is_alone = not (_continues(lines, scan, number) or _continues(lines, scan, number + 1))
    if is_alone and len(lines[number]) <= AROUND:
        # The same result as below, cached by the line: most references are in lines of their own.
        return _in_line((lines[number], start, end))
    before, after = lines[number][max(0, start - AROUND) : start], lines[number][end : end + AROUND]
    parts = [
        *_parts_above(lines, scan, number, before),
        _on_line(without_newline(before), without_newline(after)),
        *_parts_below(lines, scan, number, after),
    ]
    return " ".join(" ".join(parts).lower().split())


def _parts_above(lines: Sequence[str], scan: Markdown, number: int, before: str) -> list[str]:
    """Return the parts of a sentence on the lines above line ``number``, from top to bottom.

    ``before`` is the text of line ``number`` before the reference. Only a period and a space count
    as the end of the previous sentence: after a "?", for example, text of that sentence is
    included.
    """
    parts: list[str] = []
    line, text = number, before
    while number - line < SENTENCE_MAX and _continues(lines, scan, line) and not _has_end(text):
        line -= 1
        text = without_newline(lines[line][-AROUND:])
        parts.insert(0, _PERIOD.split(text)[-1])
    return parts


def _parts_below(lines: Sequence[str], scan: Markdown, number: int, after: str) -> list[str]:
    """Return the parts of a sentence on the lines below line ``number``, from top to bottom.

    ``after`` is the text of line ``number`` after the reference. As in :func:`_parts_above`, only a
    period and a space count as the end of the sentence.
    """
    parts: list[str] = []
    line, text = number, after
    while line - number < SENTENCE_MAX and _continues(lines, scan, line + 1) and not _has_end(text):
        line += 1
        text = without_newline(lines[line][:AROUND])
        parts.append(_PERIOD.split(text, 1)[0])
    return parts


def _has_end(text: str) -> bool:
    """Return whether ``text`` contains the end of a sentence: a period and a space."""
    return _PERIOD.search(text) is not None


@TextCache
def _in_line(place: tuple[str, int, int]) -> str:
    """Return the sentence of a line that no other continues; ``place`` is (line, start, end)."""
    line, start, end = place
    text = _on_line(line[:start], without_newline(line[end:]))
    return " ".join(text.lower().split())


def _on_line(before: str, after: str) -> str:
    """Return the end of ``before`` and the start of ``after`` that are one sentence.

    ``before`` and ``after`` are the text of a line around a path. All of a row of a table and all
    of an example counts as one sentence.
    """
    whole = f"{before} {after}"
    if not _may_end(whole) or before.lstrip().startswith("|"):
        return whole
    if _EXAMPLE.match(before):
        return whole
    begin = max((match.end() for match in _END.finditer(before)), default=0)
    # The first end after which the next sentence is about something else.
    ends = (match for match in _END.finditer(after) if not _GOES_ON.match(after, match.end()))
    end = next((match.start() for match in ends), len(after))
    return f"{before[begin:]} {after[:end]}"


def _may_end(text: str) -> bool:
    """Return whether a sentence may end in ``text``, False is certain: the prefilter."""
    return any(mark in text for mark in _ENDS)


def _continues(lines: Sequence[str], scan: Markdown, number: int) -> bool:
    """Whether line ``number`` continues the text of the previous line."""
    kinds = scan.kinds
    return (
        0 < number < len(kinds)
        and kinds[number] is LineKind.TEXT
        and kinds[number - 1] in (LineKind.TEXT, LineKind.ITEM)
        and not lines[number].lstrip().startswith("|")  # a table row is not part of a sentence
    )
