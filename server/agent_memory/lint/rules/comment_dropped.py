"""AM137: an instruction in an HTML comment that one agent drops and another one sends.

Claude Code drops comments that are blocks of their own; Codex, Gemini CLI and opencode send them
(measured). AM113 is about runtimes that remove every comment.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.base.model import Severity
from agent_memory.l10n import t
from agent_memory.lint.rule import Hit, ProjectRule
from agent_memory.lint.rules.comment_invisible import is_instruction

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lint.project import Project


def check(project: Project) -> Iterator[Hit]:
    """Report comments with an instruction that the prompt does not contain."""
    runtime = project.choice.runtime
    if runtime.strips_comments or not runtime.program:
        return
    for source in project.sources:
        file = project.files.get(source.path)
        if source.order is None or file is None or "<!--" not in file.content.text:
            continue
        comments = file.markdown.comments
        orders = [item for item in comments if item.closed and is_instruction(item.text)]
        sent = _sent_lines(project, file) if orders else frozenset()
        for comment in orders:
            if comment.span.line not in sent:
                yield Hit(
                    comment.span,
                    t(
                        "{0} removes this comment with its instruction\n"
                        "The agent never gets it. Move it out of the comment if the agent should "
                        "follow it.",
                        t(runtime.title),
                    ),
                    path=source.path,
                )


def _sent_lines(project: Project, file: MemoryFile) -> frozenset[int]:
    """Return the lines of ``file`` (from 0) that the prompt contains."""
    found: set[int] = set()
    for part in project.prompt.segments:
        if part.path == file.path:
            count = part.text.count("\n") + (not part.text.endswith("\n"))
            found.update(range(part.line, part.line + count))
    return frozenset(found)


RULE = ProjectRule(
    "AM137",
    "comment-dropped",
    Severity.INFO,
    "An instruction in a comment that one agent drops",
    check=check,
    per_runtime=True,
    varies=True,
)
