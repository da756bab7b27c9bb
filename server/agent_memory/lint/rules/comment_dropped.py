"""AM137: an instruction in an HTML comment that one agent drops and another one sends.

Claude Code drops comments that are blocks of their own; Codex, Gemini CLI and opencode send them
(measured). AM113 is about runtimes that remove every comment.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.base.model import Severity
from agent_memory.l10n import t
from agent_memory.lint.rule import Hit, ProjectRule
from agent_memory.lint.rules.comment_invisible import has_unseen_instruction

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.lint.project import Project


def check(project: Project) -> Iterator[Hit]:
    """Report comments with an instruction that an agent removes from a loaded file."""
    runtime = project.choice.runtime
    if runtime.strips_comments or not runtime.program:
        # AM113 is for runtimes that remove all comments. Only agents that are programs, such as
        # Claude Code, are known to remove some and to send the others.
        return
    for source in project.sources:
        file = project.files.get(source.path)
        is_loaded = source.order is not None
        if not is_loaded or file is None or "<!--" not in file.content.text:
            continue
        # An agent sends a comment that is not closed.
        instructions = [
            comment
            for comment in file.markdown.comments
            if comment.closed and has_unseen_instruction(comment, file)
        ]
        sent = project.prompt.lines_of(file.path) if instructions else frozenset()
        for comment in instructions:
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


RULE = ProjectRule(
    "AM137",
    "comment-dropped",
    Severity.INFO,
    "An instruction in a comment that one agent drops",
    check=check,
    per_runtime=True,
    varies=True,
)
