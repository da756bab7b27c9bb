"""Why a runtime leaves a skill out, sorted into the rules that report it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from agent_memory.base.model import Edit, Fix
from agent_memory.base.text import Span, body
from agent_memory.l10n import t
from agent_memory.skills.skill_file import SkillFile, Trouble, parse

if TYPE_CHECKING:
    from agent_memory.lint.memory_file import MemoryFile


def parsed(file: MemoryFile) -> SkillFile | Trouble:
    """Return what a runtime reads of the skill, or in words why it leaves it out."""
    return file.content.once(parse, file.content)


def is_skill(file: MemoryFile) -> bool:
    """Whether the file is meant as a skill: by its name, its folder, or its front matter."""
    path = file.path
    return path.name == "SKILL.md" or path.parent.parent.name == "skills"


def place(file: MemoryFile, why: Trouble) -> Span:
    """Return the line that ``why`` speaks of, else the first."""
    return file.line_span(min(why.line, max(0, len(file.lines) - 1)))


def key_span(file: MemoryFile, key: str) -> Span:
    """Return the line of ``key`` in the front matter, else the first line."""
    front = file.markdown.front_matter
    for number in range(1, front[1] if front else 0):
        if file.lines[number].startswith(f"{key}:"):
            return file.line_span(number)
    return file.head


def quoting(file: MemoryFile, line: int) -> tuple[Fix, ...]:
    """Return the fix that quotes the plain value on ``line``, where that is what is wrong."""
    if line >= len(file.lines):
        return ()
    text = body(file.lines[line])
    match = re.match(r"([A-Za-z][\w-]*:[ \t]+)([^\s\"'|>&*!%@`\[{#].*:.*?)[ \t]*\Z", text)
    if not match:
        return ()
    value = match[2].replace("\\", "\\\\").replace('"', '\\"')
    edit = Edit(file.path, Span.on_line(line, len(match[1]), len(text)), f'"{value}"')
    return (Fix(t("Put the value in quotes"), (edit,), safe=False),)
