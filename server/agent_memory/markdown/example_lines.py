"""Lines of a file that show an example, including those that are text in CommonMark.

If a Markdown fence contains further fences, the first fence without a name ends the outer one. The
rest of the example is then text of the file, with headings, items and paths that do not concern
this project.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from agent_memory.base.lazy_regex import lazy_compile

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from agent_memory.markdown.model import Markdown

_TAG = lazy_compile(
    r"\s*<(/?)([\w-]*(?:example|sample|template)[\w-]*)(?:\s[^<>]*)?>", re.IGNORECASE
)
"""A tag at the start of a line, ``<bad_example>`` or ``</bad_example>``: its slash and its name."""
_FENCE = lazy_compile(r"\s*(?:`{3,}|~{3,})[ \t]*([^`\s]*)")
"""The line of a fence; the group is its name, '' without one."""


def example_lines(lines: Sequence[str], scan: Markdown) -> frozenset[int]:
    """Return the numbers of the lines inside nested fences, and of those inside example tags.

    Fences nest here: one with a name, such as ``sh``, opens a block, and one without a name ends
    the innermost block. In a file without a fence for Markdown, fences give no lines: there those
    of CommonMark are right. Tags are those of an element such as ``<bad_example>``, in any file.
    """
    return frozenset((*_lines_in_fences(lines, scan), *_lines_in_tags(lines)))


def _lines_in_fences(lines: Sequence[str], scan: Markdown) -> Iterator[int]:
    """Yield the numbers of the lines from an outermost opening fence up to its closing fence.

    The line of the closing fence is not included. Nothing is yielded in a file without a fence for
    Markdown.
    """
    if not any(fence.info.lower().startswith(("markdown", "md")) for fence in scan.fences):
        return
    depth = 0  # the number of open fences
    for number, line in enumerate(lines):
        fence = _FENCE.match(line)
        if fence:
            opens = bool(fence[1]) or not depth  # a fence with a name, or outside of all
            depth += 1 if opens else -1
        if depth:
            yield number


def _lines_in_tags(lines: Sequence[str]) -> Iterator[int]:
    """Yield the numbers of the lines from an opening tag at the start of a line to its closing tag.

    A tag that is closed on its line, or never, is ignored, such as the placeholder
    ``<template-name>``. So is one that is closed after the example around it.
    """
    opened: list[tuple[str, int]] = []  # name and line of the tags that are not closed yet
    counts: Counter[str] = Counter()  # of these names
    ranges: list[tuple[int, int]] = []  # first and last line of each example so far, none nested
    for number, line in enumerate(lines):
        if "<" not in line:
            continue
        tag = _TAG.match(line)
        if tag is None:
            continue
        is_closing, name = bool(tag[1]), tag[2].lower()
        if not is_closing:
            if f"</{name}>" not in line.lower():
                opened.append((name, number))
                counts[name] += 1
        elif counts[name]:
            first = _close(name, opened, counts)
            while ranges and ranges[-1][0] > first:  # an example inside this one
                ranges.pop()
            ranges.append((first, number))
    for first, last in ranges:
        yield from range(first, last + 1)


def _close(name: str, opened: list[tuple[str, int]], counts: Counter[str]) -> int:
    """Remove the last tag called ``name`` and those after it; return the line of that tag."""
    while True:
        last_name, line = opened.pop()
        counts[last_name] -= 1
        if last_name == name:
            return line
