"""Which lines of a file are shown as an example, also where CommonMark takes them for text.

In a fence for markdown that holds further fences, the first bare fence ends the outer one. What
its author shows is then text of the file, with headings, items and paths that are about nothing
in this project.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.base.lazy_regex import lazy_compile

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from agent_memory.markdown.model import Markdown

_FENCE = lazy_compile(r"\s*(?:`{3,}|~{3,})[ \t]*([^`\s]*)")


def example_lines(lines: Sequence[str], scan: Markdown) -> frozenset[int]:
    """Return the lines inside fences, paired as people read them: a name opens, a bare one ends.

    Empty for files without a fence for markdown, where CommonMark and people agree.
    """
    return frozenset(_inside(lines, scan))


def _inside(lines: Sequence[str], scan: Markdown) -> Iterator[int]:
    if not any(fence.info.lower().startswith(("markdown", "md")) for fence in scan.fences):
        return
    open_ones = 0
    for number, line in enumerate(lines):
        fence = _FENCE.match(line)
        if fence:
            open_ones += 1 if fence[1] or not open_ones else -1
        if open_ones:
            yield number
