"""Lines of a file that show an example, including those that are text in CommonMark.

If a Markdown fence contains further fences, the first fence without a name ends the outer one. The
rest of the example is then text of the file, with headings, items and paths that do not concern
this project.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.base.lazy_regex import lazy_compile

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from agent_memory.markdown.model import Markdown

_FENCE = lazy_compile(r"\s*(?:`{3,}|~{3,})[ \t]*([^`\s]*)")


def example_lines(lines: Sequence[str], scan: Markdown) -> frozenset[int]:
    """Return the lines inside fences if each fence with a name opens one and each other ends one.

    Empty for files without a Markdown fence, where the result is that of CommonMark.
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
