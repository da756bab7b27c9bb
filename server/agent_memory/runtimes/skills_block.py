"""The list of skills in a prompt, as deepagents and deepagents-cli write it."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

from agent_memory.base.model import Segment, Status
from agent_memory.secrets import cut
from agent_memory.skills.skill_file import MAX_COMPATIBILITY, MAX_DESCRIPTION

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agent_memory.skills.discovery import Skill, SkillFolder

KIND = "skills"
"""The kind of the segments."""
_MAX_WARNINGS = 20  # in a prompt; the SDK leaves out the others
_MAX_WARNING = 1000  # characters
_CUT = "... [truncated]"

Fields = dict[str, "str | Sequence[Segment]"]
"""What to fill into a template: a text or segments for each placeholder."""


def sdk_fields(
    folders: Sequence[SkillFolder], skills: Sequence[Skill], heading: Sequence[str]
) -> Fields:
    """Return the fields of the template of the SDK, 0.6.5 and later.

    ``heading`` are the lines above the warnings, which are part of the runtime's wording.
    """
    locations = [f"**{folder.label} Skills**: `{folder.display}`" for folder in folders]
    if locations:
        locations[-1] += " (higher priority)"
    return {
        "skills_locations": _segments("\n".join(locations)),
        "skills_load_warnings": _segments(_warnings(folders, heading)),
        "skills_list": _sdk_list(folders, [skill for skill in skills if _is_listed(skill)]),
    }


def cli_fields(folders: Sequence[SkillFolder], skills: Sequence[Skill]) -> Fields:
    """Return the fields of the template of deepagents-cli.

    ``folders`` are the user's and, in a project, the project's.
    """
    user, *project = folders
    locations = [f"**User Skills**: `{user.display}`"]
    locations += [
        f"**Project Skills**: `{folder.display}` (overrides user skills)" for folder in project
    ]
    listed = [skill for skill in skills if _is_listed(skill)]
    return {
        "skills_locations": _segments("\n".join(locations)),
        "skills_list": _cli_list(folders, listed),
    }


def _is_listed(skill: Skill) -> bool:
    """Whether the prompt lists ``skill``."""
    return skill.status is Status.LISTED


def _segments(text: str) -> list[Segment]:
    """Return ``text`` as the only segment of a list."""
    return [Segment(text, KIND)]


def _none_yet(places: Sequence[str]) -> list[Segment]:
    """Return the sentence that no skills exist; ``places`` are where they can be created."""
    return _segments(f"(No skills available yet. You can create skills in {' or '.join(places)})")


def _sdk_list(folders: Sequence[SkillFolder], skills: Sequence[Skill]) -> list[Segment]:
    """Return the items of ``skills``, which are listed, or the sentence that none exist."""
    if not skills:
        return _none_yet([folder.display for folder in folders])
    out: list[Segment] = []
    for skill in skills:
        details = f"\n  -> Read `{skill.path}` for full instructions"
        if skill.file.tools:
            details = f"\n  -> Allowed tools: {', '.join(skill.file.tools)}{details}"
        out += _list_item(skill, _annotations(skill), details, first=not out)
    return out


def _list_item(skill: Skill, notes: str, details: str, *, first: bool) -> list[Segment]:
    """Return the item of ``skill``, after a newline unless it is the ``first`` text of the list.

    The line with name, description and ``notes`` has the path and the line of the description; the
    lines ``details`` follow. A description that is too long is cut as the runtime cuts it.
    """
    head = f"- **{skill.name}**: {cut(skill.file.description, MAX_DESCRIPTION)}{notes}"
    newline = [] if first else [Segment("\n", KIND)]
    item = Segment(head, KIND, skill.path, skill.file.line, skill.name)
    return [*newline, item, Segment(details, KIND)]


def _annotations(skill: Skill) -> str:
    """Return license and compatibility in parentheses, '' if the skill has neither."""
    parts = []
    if skill.file.license:
        parts.append(f"License: {skill.file.license}")
    if skill.file.compatibility:
        parts.append(f"Compatibility: {cut(skill.file.compatibility, MAX_COMPATIBILITY)}")
    return f" ({', '.join(parts)})" if parts else ""


def _cli_list(folders: Sequence[SkillFolder], skills: Sequence[Skill]) -> list[Segment]:
    """Return the items of ``skills``, which are listed, below a heading for each folder.

    Without skills, return the sentence that none exist.
    """
    if not skills:
        return _none_yet([f"{folder.display}/" for folder in folders])
    out: list[Segment] = []
    for folder in folders:
        members = [skill for skill in skills if skill.folder == folder]
        if not members:
            continue
        newline = "\n" if out else ""
        out.append(Segment(f"{newline}**{folder.label} Skills:**", KIND))
        for skill in members:
            details = f"\n  \u2192 Read `{skill.path}` for full instructions"
            out += _list_item(skill, "", details, first=False)
        if folder is folders[0]:  # the user's skills end with a blank line
            out.append(Segment("\n", KIND))
    return out


def _warnings(folders: Sequence[SkillFolder], heading: Sequence[str]) -> str:
    """Return the warnings about missing folders below ``heading``, '' without a warning.

    Only folders with ``warns_if_missing`` count. There are at most ``_MAX_WARNINGS`` warnings.
    """
    checked = [folder for folder in folders if folder.warns_if_missing]
    errors = [error for folder in checked for error in _folder_errors(folder)]
    if not errors:
        return ""
    lines = [*heading, *map(_quoted, errors[:_MAX_WARNINGS]), "</skill_load_warnings>"]
    return "\n".join(lines)


def _folder_errors(folder: SkillFolder) -> list[str]:
    """Return [the SDK's message] if ``folder`` is missing or a file, else []."""
    path = folder.path
    if os.path.isdir(path):  # noqa: PTH112 -- Path.is_dir may raise
        return []
    what = "not_a_directory" if os.path.exists(path) else "path_not_found"  # noqa: PTH110
    return [f"Cannot load skills from '{folder.display}': Path '{folder.display}': {what}"]


def _quoted(error: str) -> str:
    """Return a list item with ``error`` truncated and escaped as the SDK does it."""
    import html  # noqa: PLC0415 -- 1 ms, and few projects have skills

    if len(error) > _MAX_WARNING:
        error = error[: _MAX_WARNING - len(_CUT)] + _CUT
    return f"- {html.escape(json.dumps(error), quote=True)}"
