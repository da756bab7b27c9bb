"""AM113: an instruction in an HTML comment that the runtime cuts out."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from agent_memory.l10n import t
from agent_memory.late import late
from agent_memory.model import Severity
from agent_memory.rules.base import MEMORY_ROLES, Hit, MemoryFile, Project, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

_ORDER = late(
    r"(?:\A|[.!?:\n]\s*|[-*]\s+)(?:please\s+)?(?:always|never|must|do not|don't|make sure|prefer"
    r"|avoid|remember|use|run|keep|write|follow|ask|check|ensure|only)\b",
    re.IGNORECASE,
)
_TOOL = late(
    r"\s*(?:agent-memory|prettier|markdownlint|vale|textlint|toc|todo|begin|end|start|eslint|cspell"
    r"|generated|auto-?generated|last updated|spdx|copyright|updated|version)\b",
    re.IGNORECASE,
)
_WORDS_MIN = 4


def check(file: MemoryFile, project: Project) -> Iterator[Hit]:
    """Report comments that tell somebody to do something."""
    runtime = project.choice.runtime
    if not runtime.strips_comments or not file.in_prompt:
        return
    for comment in file.markdown.comments:
        text = comment.text.strip()
        if not comment.closed or _TOOL.match(text) or len(text.split()) < _WORDS_MIN:
            continue
        if _ORDER.search(text):
            yield Hit(
                comment.span,
                t(
                    "{0} cuts HTML comments out, so the agent never sees this instruction. "
                    "Take it out of the comment, unless it is meant for people only",
                    runtime.id,
                ),
            )


RULE = Rule(
    "AM113",
    "comment-invisible",
    Severity.INFO,
    "An instruction the agent never sees",
    file=check,
    roles=MEMORY_ROLES,
    varies=True,
)
