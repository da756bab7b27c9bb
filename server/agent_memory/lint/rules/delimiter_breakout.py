"""AM106: text with the tag in which the runtime wraps memory.

None of the tested runtimes escapes memory or parses its Markdown, so the tag works in code spans
and fences too. Tags in HTML comments do not count where the runtime removes comments.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import lru_cache
from itertools import accumulate
from operator import itemgetter
from typing import TYPE_CHECKING

from agent_memory.base.model import Edit, Fix, Severity
from agent_memory.base.text import Span
from agent_memory.l10n import t
from agent_memory.lint.rule import MEMORY_ROLES, FileRule, Hit
from agent_memory.runtimes.segments import comments_in

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lint.project import Project


def check(file: MemoryFile, project: Project) -> Iterator[Hit]:
    """Report each tag of the runtime in the text, in the letter case of the runtime."""
    runtime, text = project.choice.runtime, file.content.text
    if not file.in_prompt or not any(tag in text for tag in runtime.container_tags):
        return
    removed_comments = list(comments_in(text)) if runtime.strips_comments else []
    starts = [0, *accumulate(map(len, file.lines))]  # the offset of each line
    for match in _tags(runtime.container_tags).finditer(text):
        if _is_in_comment(match.start(), removed_comments):
            continue
        line = bisect_right(starts, match.start()) - 1
        span = Span.on_line(line, match.start() - starts[line], match.end() - starts[line])
        tag, slash, name = match[0], match[1], match[2]
        title = t("Write {0} without angle brackets", name)
        fix = Fix(title, (Edit(file.path, span, name),), safe=False)
        yield Hit(span, _message(tag, runtime.id, closes=bool(slash)), (fix,))


def _is_in_comment(offset: int, comments: list[tuple[int, int]]) -> bool:
    """Return whether ``offset`` is in one of ``comments``: (start, end) offsets, in order."""
    started = bisect_right(comments, offset, key=itemgetter(0))  # the number of them up to here
    if not started:
        return False
    _, end = comments[started - 1]
    return offset < end


def _message(tag: str, runtime_id: str, *, closes: bool) -> str:
    """Return the message about ``tag``, one of the runtime; ``closes``: it is a closing tag."""
    if closes:
        return t(
            "{0} ends the block that {1} wraps memory in\n"
            "Nothing is escaped, so the agent does not take the rest as memory. Write the tag "
            "name without angle brackets.",
            tag,
            runtime_id,
        )
    return t(
        "{0} opens another block like the one {1} wraps memory in\n"
        "Nothing is escaped, so the agent may not take the rest as memory. Write the tag name "
        "without angle brackets.",
        tag,
        runtime_id,
    )


def tags_in(text: str, names: tuple[str, ...]) -> list[str]:
    """Return the opening and closing tags of ``names`` in ``text``."""
    return [match[0] for match in _tags(names).finditer(text)]


@lru_cache(maxsize=16)
def _tags(names: tuple[str, ...]) -> re.Pattern[str]:
    """Return the expression of ``<name>`` and ``</name>``; groups: slash ('' or '/') and name."""
    return re.compile(rf"<(/?)({'|'.join(map(re.escape, names))})[ \t]*>")


RULE = FileRule(
    "AM106",
    "delimiter-breakout",
    Severity.ERROR,
    "Text that breaks out of the memory block",
    check=check,
    per_runtime=True,
    roles=MEMORY_ROLES,
    varies=True,
)
