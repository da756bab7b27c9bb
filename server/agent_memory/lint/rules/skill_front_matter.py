"""AM701: a SKILL.md whose front matter the runtime does not find."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from agent_memory.base.model import (
    Edit,
    Fix,
    Role,
    Severity,
)
from agent_memory.base.text import BOM, Span, newline_of
from agent_memory.l10n import t
from agent_memory.lint.rule import FileRule, Hit
from agent_memory.lint.shared.skills import (
    codex_reader,
    is_claude_code_only,
    is_in_agent_folder,
    is_loaded_by_agents,
    is_skill,
    lenient_severity,
    not_loaded,
    parsed,
    strict_reader,
)
from agent_memory.skills.skill_file import Trouble

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lint.project import Project


_BEFORE = BOM + " \t\r\n"
"""Invisible characters that may be before the front matter, where it is not found."""


def check(file: MemoryFile, project: Project) -> Iterator[Hit]:
    """Report why the runtime does not find the front matter."""
    why = parsed(file)
    if not is_loaded_by_agents(file, project):
        return  # an application that has skills elsewhere has its own loader
    # `about` is '' if the front matter is not found; other rules report invalid YAML or a key.
    if not is_skill(file) or not isinstance(why, Trouble) or why.about:
        return
    has_fence = file.content.text.lstrip(_BEFORE).startswith("---")
    # Claude Code needs no front matter.
    in_agent_folder = is_in_agent_folder(file, project) and not is_claude_code_only(file)
    if not (has_fence or in_agent_folder or _is_at_root(file, project)):
        return  # a guide without front matter
    skipped_by = strict_reader(file, project) or codex_reader(file)  # '' if unknown
    if skipped_by:
        severity = None  # that of the rule
    elif has_fence:
        severity = Severity.WARNING  # an opening --- shows that front matter was meant
    elif in_agent_folder:
        severity = lenient_severity(file)
    else:
        severity = Severity.INFO  # the project can have a loader of its own
    advice = t("Begin the file with ---, name, description and ---.")
    message = f"{not_loaded(skipped_by, why)}\n{advice}"
    yield Hit(file.head, message, _fixes(file), severity=severity)


def _is_at_root(file: MemoryFile, project: Project) -> bool:
    """Return whether the file is in ``skills`` of the root, where it may be a skill or a guide.

    False for a skill that only Claude Code reads, which needs no front matter.
    """
    skills = file.path.parent.parent
    at_root = skills.name == "skills" and project.folder_from_root(skills) == "."
    return at_root and not is_claude_code_only(file)


def _fixes(file: MemoryFile) -> tuple[Fix, ...]:
    """Return the fix for white space or a byte order mark before the front matter.

    Else the fix for a missing last newline: the closing ``---`` of front matter needs one after it.
    () if neither is the reason.
    """
    text, lines = file.content.text, file.lines
    from_fence = text.lstrip(_BEFORE)
    if from_fence.startswith("---") and from_fence != text:
        number = next(number for number, line in enumerate(lines) if line.strip(_BEFORE))
        column = len(lines[number]) - len(lines[number].lstrip(_BEFORE))
        edit = Edit(file.path, Span(0, 0, number, column), "")
        return (Fix(t("Remove text before the front matter"), (edit,), safe=False),)
    last = len(lines) - 1
    if last > 0 and re.fullmatch(r"---[ \t]*", lines[last]):  # the closing one, without newline
        end = Span.on_line(last, len(lines[last]), len(lines[last]))
        edit = Edit(file.path, end, newline_of(lines))
        return (Fix(t("Add a newline at the end"), (edit,), safe=False),)
    return ()


RULE = FileRule(
    "AM701",
    "skill-front-matter",
    Severity.ERROR,
    "A skill whose front matter is not found",
    check=check,
    roles=frozenset({Role.SKILL}),
)
