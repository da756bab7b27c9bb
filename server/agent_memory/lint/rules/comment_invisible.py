"""AM113: an instruction in an HTML comment that the runtime removes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.base.model import Severity
from agent_memory.l10n import t
from agent_memory.language.similarity import gist
from agent_memory.lint.rule import MEMORY_ROLES, FileRule, Hit
from agent_memory.markdown.model import LineKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lint.project import Project
    from agent_memory.markdown.model import Comment

_ORDER = lazy_compile(
    r"(?:\A|[.!?:\n][^\S\n]*|[-*]\s+)(?:please\s+)?(?P<order>always|never|must|do not|don't"
    r"|make sure|prefer|avoid|remember|use|run|keep|write|follow|ask|check|ensure|only)\b",
    re.IGNORECASE,
)
"""The start of an order, in a sentence or a line: ``Always run the tests``, ``- never commit``."""
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
    r"|\bkeep (?:\w+ )?in sync\b|\bkeep (?:\w+ ){0,3}(?:sections|headings)\b"
    r"|\bkeep (?:it |them )?(?:sorted|ordered|alphabeti\w+|up[- ]to[- ]date)"
    r"|\b(?:keep|update|use|edit|sort|extend|copy|fill in|replace|append to|add to|delete|remove)"
    r" (?:\w+ )?(?:this|these)\b|\bre-?(?:run|generate)\b|\bwhen (?:editing|updating) this\b",
    re.IGNORECASE,
)
_SENTENCE = lazy_compile(r"(?<=[.!?])\s+|\n(?=[^\S\n]*(?:[-*+] |\n))")
"""What is between two sentences, items or paragraphs."""
_WORDS_MIN = 4
"""Words of a comment; a shorter one is a label."""
_SAME = 0.8
"""The least share of the words of an instruction in a line that says the same."""
_LINE_MAX = 500
"""Characters of such a line; a longer one has many words by chance."""


def check(file: MemoryFile, project: Project) -> Iterator[Hit]:
    """Report comments with an instruction, in files from which the runtime removes comments.

    An unclosed comment is not removed.
    """
    runtime = project.choice.runtime
    if not runtime.strips_comments or not file.in_prompt:
        return
    for comment in file.markdown.comments:
        if comment.closed and has_unseen_instruction(comment, file):
            yield Hit(
                comment.span,
                t(
                    "{0} removes HTML comments: the agent never sees this instruction\n"
                    "Move it out of the comment if the agent should follow it.",
                    runtime.id,
                ),
            )


def has_unseen_instruction(comment: Comment, file: MemoryFile) -> bool:
    """Return whether ``comment`` has an instruction that neither line next to it also says."""
    instructions = _instructions(comment.text)
    if not instructions:
        return False
    beside = list(_lines_beside(comment, file))
    are_visible = [any(_says(line, text) for line in beside) for text in instructions]
    return not all(are_visible)


def _instructions(comment: str) -> list[str]:
    """Return each order to the agent in the text of a comment, without the words before it.

    [] for a comment that is meant for a program, or too short. A note to editors is left out.
    """
    text = comment.strip()
    if _TOOL.match(text) or len(text.split()) < _WORDS_MIN:
        return []
    orders = (
        (sentence, _ORDER.search(sentence))
        for sentence in _SENTENCE.split(text)
        if not _EDITOR_NOTE.search(sentence)
    )
    return [sentence[order.start("order") :] for sentence, order in orders if order]


def _lines_beside(comment: Comment, file: MemoryFile) -> Iterator[str]:
    """Yield the nearest line above the comment and the nearest below it, skipping blank lines.

    A line that is not prose is left out, and so is one that is too long to compare.
    """
    kinds = file.markdown.kinds
    above, below = comment.span.line - 1, comment.span.end_line + 1
    while above >= 0 and kinds[above] is LineKind.BLANK:
        above -= 1
    while below < len(kinds) and kinds[below] is LineKind.BLANK:
        below += 1
    for number in (above, below):
        if not 0 <= number < len(kinds) or not file.markdown.is_prose(number):
            continue
        if len(file.lines[number]) <= _LINE_MAX:
            yield file.lines[number]


def _says(line: str, instruction: str) -> bool:
    """Return whether ``line`` says the same as ``instruction``.

    It has most of its words, all of its numbers and the same negations.
    """
    seen, said = gist(line), gist(instruction)
    if seen.negations != said.negations or not {*seen.numbers} >= {*said.numbers}:
        return False
    return len(seen.words & said.words) >= _SAME * len(said.words)


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
