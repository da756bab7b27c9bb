"""AM113: an instruction in an HTML comment that the runtime removes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.base.model import Severity
from agent_memory.l10n import t
from agent_memory.lint.rule import MEMORY_ROLES, FileRule, Hit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lint.project import Project

_ORDER = lazy_compile(
    r"(?:\A|[.!?:\n][^\S\n]*|[-*]\s+)(?:please\s+)?(?:always|never|must|do not|don't|make sure"
    r"|prefer|avoid|remember|use|run|keep|write|follow|ask|check|ensure|only)\b",
    re.IGNORECASE,
)
"""A verb at the start of a sentence or a line: ``Always run the tests``, ``- never commit``."""
_TOOL = lazy_compile(
    r"\s*(?:agent-memory|prettier|markdownlint|vale|textlint|toc|todo|begin|end|start|eslint|cspell"
    r"|generated|auto-?generated|last updated|spdx|copyright|updated|version)\b",
    re.IGNORECASE,
)
"""The first word of a comment for a program, or of a note about the text: ``prettier-ignore``."""
# Notes to editors of this file: that a tool generates a part, or how to maintain it.
_EDITOR_NOTE = lazy_compile(
    r"\b(?:do not|don['’]t|never|not to) (?:edit|modify|change|touch|remove|delete|move)"  # noqa: RUF001
    r"(?:\W*\Z|\s*[.,:;!(-]"
    r"|\s+(?:this|these|it|by hand|manually|directly|here|below|above|between|anything"
    r"|the (?:\w+ )?(?:section|comment|list|table|block|lines?|markers?|text)\b))"
    r"|\bkeep (?:\w+ )?in sync\b"
    r"|\bkeep (?:it |them )?(?:sorted|ordered|alphabeti\w+|up[- ]to[- ]date)"
    r"|\b(?:keep|update|use|edit|sort|extend|copy|fill in|replace|append to|add to|delete|remove)"
    r" (?:\w+ )?(?:this|these)\b|\bre-?(?:run|generate)\b|\bwhen (?:editing|updating) this\b",
    re.IGNORECASE,
)
_SENTENCE = lazy_compile(r"(?<=[.!?])\s+|\n(?=[^\S\n]*(?:[-*+] |\n))")
_WORDS_MIN = 4
"""Words of a comment; a shorter one is a label."""


def check(file: MemoryFile, project: Project) -> Iterator[Hit]:
    """Report comments with an instruction, in files from which the runtime removes comments."""
    runtime = project.choice.runtime
    if not runtime.strips_comments or not file.in_prompt:
        return
    for comment in file.markdown.comments:
        if comment.closed and is_instruction(comment.text):
            yield Hit(
                comment.span,
                t(
                    "{0} removes HTML comments: the agent never sees this instruction\n"
                    "Move it out of the comment if the agent should follow it.",
                    runtime.id,
                ),
            )


def is_instruction(comment: str) -> bool:
    """Whether the text of a comment tells the agent what to do."""
    text = comment.strip()
    if _TOOL.match(text) or len(text.split()) < _WORDS_MIN:
        return False
    return any(
        _ORDER.search(sentence) and not _EDITOR_NOTE.search(sentence)
        for sentence in _SENTENCE.split(text)
    )


RULE = FileRule(
    "AM113",
    "comment-invisible",
    Severity.INFO,
    "An instruction the agent never sees",
    check=check,
    per_runtime=True,
    roles=MEMORY_ROLES,
    varies=True,
)
