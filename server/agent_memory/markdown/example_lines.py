"""Which lines of a file are shown as an example, also where CommonMark takes them for text.

In a fence for markdown that holds further fences, the first bare fence ends the outer one. What
its author shows is then text of the file, with headings, items and paths that are about nothing
in this project.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.base.lazy_regex import late

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.lint.rule import MemoryFile

_FENCE = late(r"\s*(?:`{3,}|~{3,})[ \t]*([^`\s]*)")


def example_lines(file: MemoryFile) -> frozenset[int]:
    """Return the lines inside fences, paired as people read them: a name opens, a bare one ends.

    Empty for files without a fence for markdown, where CommonMark and people agree.
    """
    return file.content.once("example lines", lambda: frozenset(_inside(file)))


def _inside(file: MemoryFile) -> Iterator[int]:
    if not any(fence.info.lower().startswith(("markdown", "md")) for fence in file.markdown.fences):
        return
    open_ones = 0
    for number, line in enumerate(file.lines):
        fence = _FENCE.match(line)
        if fence:
            open_ones += 1 if fence[1] or not open_ones else -1
        if open_ones:
            yield number
