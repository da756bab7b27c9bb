"""AM112: front matter in memory, which the agent gets as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.base.model import Edit, Fix, Severity
from agent_memory.base.text import Span
from agent_memory.l10n import t
from agent_memory.language import token_estimate
from agent_memory.lint.rule import MEMORY_ROLES, FileRule, Hit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lint.project import Project


def check(file: MemoryFile, project: Project) -> Iterator[Hit]:
    """Report front matter of a file in the prompt.

    Agents differ in what they do with it, so there is no finding for a guessed runtime.
    """
    front = file.markdown.front_matter  # the lines of its two fences; the first is line 0
    if front is None or not file.in_prompt or not project.is_runtime_sure:
        return
    if 0 not in project.prompt.lines_of(file.path):
        return  # such as Claude Code, which drops it
    count = front[1] + 1
    tokens = token_estimate.count_lines(line.rstrip("\r\n") for line in file.lines[:count])
    end = count  # the fix also removes the blank lines below
    while end < len(file.lines) and not file.lines[end].strip():
        end += 1
    yield Hit(
        file.head,
        t(
            "{0} sends the front matter as text: {1} lines, about {2} tokens\n"
            "It does not read front matter in memory. Remove it, or write it as Markdown.",
            project.choice.runtime.id,
            count,
            tokens,
        ),
        (
            Fix(
                t("Remove the front matter"), (Edit(file.path, Span(0, 0, end, 0), ""),), safe=False
            ),
        ),
    )


RULE = FileRule(
    "AM112",
    "front-matter-in-memory",
    Severity.INFO,
    "Front matter that the agent gets as text",
    check=check,
    roles=MEMORY_ROLES,
    varies=True,
)
