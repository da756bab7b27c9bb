"""Paths and file names in plain text, where the sentence says that they are a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.base.text import Span, without_newline
from agent_memory.base.text_cache import text_cache
from agent_memory.markdown.code_spans import without_code_spans
from agent_memory.markdown.references import Reference, sentence

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from agent_memory.markdown.model import Markdown

# A path with a folder and an extension, such as "src/app.py".
_PATH = r"(?:\./)?[\w-]+(?:/[\w.-]+)+\.[A-Za-z][A-Za-z0-9]{0,5}"
_END = r"(?![\w/`*~]|-\w|\.\w)"  # the path does not go on after it
_READ = r"[Ss]ee|[Rr]ead|[Cc]onsult|[Ff]ollow|[Rr]efer to"
# After a word such as "see", where a name in capitals or of a rule (.mdc) needs no folder, alone on
# a line, or at the start of an item, before a colon or a dash, also in bold. One group of each
# match is the path.
_NAMED = lazy_compile(
    rf"\b(?:{_READ}|[Cc]heck|[Oo]pen|[Ii]n|[Uu]pdate|[Ee]dit)\s+(?:also\s+|the\s+)?"
    rf"({_PATH}){_END}"
    rf"|\b(?:{_READ})\s+(?:also\s+|the\s+)?"
    rf"([A-Z][A-Z0-9_-]+\.md|[\w-]+\.mdc){_END}"
    rf"|\A/?({_PATH})\Z"
    rf"|\A\s*(?:[-*+]|\d+[.)])\s+({_PATH})(?=\s*(?::|\s[-–—]\s))"  # noqa: RUF001
    rf"|\A\s*(?:[-*+]|\d+[.)])\s+\*\*({_PATH})(?=(?::\*\*|\*\*\s*(?::|\s[-–—]\s)))",  # noqa: RUF001
)
_LINE_MAX = 2000
"""Characters of a line that are searched."""


def plain_paths_of(
    lines: Sequence[str], scan: Markdown, examples: Collection[int]
) -> Iterator[Reference]:
    """Yield the paths after words such as "see", alone on a line, or at the start of an item.

    At the start of an item, a colon or a dash follows. ``examples`` are the line numbers to skip.
    """
    for number, paths in _paths_in.found_in(lines):  # of the lines with a path
        if number in examples or not scan.is_prose(number):
            continue
        for path, start in paths:
            end = start + len(path)
            text = sentence(lines, scan, number, (start, end))
            yield Reference(path, Span.on_line(number, start, end), text)


def _may_have_path(text: str) -> bool:
    """Return whether ``text`` may have a path, False is certain: the prefilter."""
    return "." in text and ("/" in text or ".md" in text)


@text_cache(_may_have_path)
def _paths_in(line: str) -> tuple[tuple[str, int], ...]:
    """Return (path, column) for each path of ``line`` outside of code spans."""
    if not _may_have_path(line):  # `found_in` applies the prefilter only to all lines together
        return ()
    parts = line.split("`")
    if len(parts) % 2 and "``" not in line:  # pairs of backticks: every second part is a code span
        parts = parts[::2]
    if not any("/" in text or ".md" in text for text in parts):  # the prefilter again
        return ()
    plain = without_code_spans(without_newline(line)[:_LINE_MAX])
    # `lastindex` is the one group of the match that is the path; it is never None.
    matches = ((match, match.lastindex or 0) for match in _NAMED.finditer(plain))
    return tuple((match[group], match.start(group)) for match, group in matches)
