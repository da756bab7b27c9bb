"""Shared by the rules for skills: the parsed file, and positions in its front matter."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.base.model import Edit, Fix, Severity, Status
from agent_memory.base.text import Span, without_newline
from agent_memory.l10n import t
from agent_memory.runtimes.agents.codex import Codex
from agent_memory.skills.skill_file import SkillFile, Trouble, parse

if TYPE_CHECKING:
    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lint.project import Project

_VALUE = lazy_compile(r"([A-Za-z][\w-]*:[ \t]+)((?:[^\s\"'|>#{\[]|\[[^\[\]]*\][ \t]*[^\s#]).*)\Z")
"""A key and a value in one line, without quotes and not a list or a mapping.

``[file] [number]`` begins as a list does, but is not one. The groups are the key with its colon,
and the value.
"""
_QUOTED_MAX = 2000
"""Characters of a line that may get quotes; a longer one is parsed slowly."""


def parsed(file: MemoryFile) -> SkillFile | Trouble:
    """Return the skill as a runtime reads it, or the reason for not loading it."""
    return file.content.once(parse, file.content)


def is_skill(file: MemoryFile) -> bool:
    """Return whether the file is a skill by its name, or by its place: ``skills/x/any.md``."""
    path = file.path
    return path.name == "SKILL.md" or path.parent.parent.name == "skills"


def is_claude_code_only(file: MemoryFile) -> bool:
    """Return whether only Claude Code reads the skill: the chosen runtime does not search there.

    In ``.claude/skills`` the front matter is optional, and the name of the folder is the default
    of ``name`` (Claude Code's page on skills).
    """
    return file.source.status is Status.IGNORED and file.path.parts[-4:-2] == (".claude", "skills")


def is_installed_as_is(file: MemoryFile) -> bool:
    """Return whether the skill is in a folder of skills, where its folder counts as its name.

    The source of a packaged skill is elsewhere, such as ``src/tool/skill/SKILL.md``, and gets its
    folder when it is installed.
    """
    return file.path.parent.parent.name == "skills"


def _is_yaml(line: str) -> bool:
    """Return whether ``line`` alone is valid YAML."""
    import yaml  # noqa: PLC0415 -- few projects have skills

    try:
        yaml.safe_load(line)
    except (yaml.YAMLError, ValueError, RecursionError):
        return False
    return True


def is_in_agent_folder(file: MemoryFile, project: Project) -> bool:
    """Return whether some agent searches the folder of this skill: ``.x/skills``, or a plugin's."""
    skills = file.path.parent.parent
    if skills.name != "skills":
        return False
    # From the project's root: a checkout may be below a folder called `skills`.
    folders_above_parent = Path(project.shown(skills)).parts[:-2]
    if "skills" in folders_above_parent:
        return False  # in the folder of another skill, and part of it
    if skills.parent.name.startswith("."):
        return True
    base = project.folder_from_root(skills)  # the folder that has `skills`: that of a plugin
    places = (f"{base}/.claude-plugin", ".claude-plugin") if base is not None else ()
    return any(project.tree.has(place.removeprefix("./")) for place in places)


def is_loaded_by_agents(file: MemoryFile, project: Project) -> bool:
    """Return whether agents load this skill by its position; then it needs name and description.

    They load it from the folders that the runtime reads, those of other agents, and a collection of
    skills. That is the project itself, or a folder ``pack/`` with ``pack/x/SKILL.md`` at the root
    or in ``skills/``. A skill outside of the project counts as one of a collection. An application
    that has skills elsewhere has its own loader.
    """
    if file.source.status is not Status.IGNORED or is_in_agent_folder(file, project):
        return True
    collection = file.path.parent.parent
    parent = project.folder_from_root(collection)
    if parent is None:  # the collection is the project itself, or outside of it
        return True
    return parent in (".", "skills")


def is_guide(file: MemoryFile, project: Project) -> bool:
    """Return whether the file only has the name of a skill, such as a page ``docs/SKILL.md``.

    It has no front matter, and it is not in a folder of skills or one that the runtime reads.
    """
    if file.markdown.front_matter or file.source.status is not Status.IGNORED:
        return False
    return not (is_in_agent_folder(file, project) or is_installed_as_is(file))


def strict_reader(file: MemoryFile, project: Project) -> str:
    """Return the id of the runtime that reads the skill and skips it if malformed, '' if unknown.

    Several agents read ``.agents/skills`` and ``.claude/skills``, and only some of them are strict.
    In these folders, the runtime must be more than a guess (``is_runtime_sure``).
    """
    if file.source.status is Status.IGNORED:
        return ""  # the runtime does not read it
    is_shared = _folder_around_skills(file) in (".agents", ".claude")
    if is_shared and not project.is_runtime_sure:
        return ""
    return project.choice.runtime.id


def codex_reader(file: MemoryFile) -> str:
    """Return the id of Codex for a skill in ``.agents/skills``, '' elsewhere.

    Codex 0.169.0 skips a skill without front matter or description; it takes the name of the
    folder for a missing name, and accepts values with a colon.
    """
    return Codex.id if _folder_around_skills(file) == ".agents" else ""


def not_loaded(reader: str, why: str) -> str:
    """Return the sentence that ``reader`` does not load the skill; '' stands for some agents."""
    if reader:
        return t("{0} does not load this skill: {1}", reader, why)
    return t("Some agents do not load this skill: {0}", why)


def lenient_severity(file: MemoryFile) -> Severity:
    """Return the severity of a finding about a skill that no known agent skips.

    It is information in ``.claude/skills``, else a warning. Claude Code 2.1.330 loads a skill
    without a name, a description or front matter, and takes the first line of the text as its
    description.
    """
    return Severity.INFO if _folder_around_skills(file) == ".claude" else Severity.WARNING


def _folder_around_skills(file: MemoryFile) -> str:
    """Return the name of the folder that has the folder ``skills`` of ``file``: ``.claude``.

    The path of ``file`` is ``.claude/skills/x/SKILL.md``; of any other path, the result is the name
    of the third folder from its end.
    """
    return file.path.parent.parent.parent.name


def trouble_span(file: MemoryFile, why: Trouble) -> Span:
    """Return the span of the line of ``why``, or of the last line if the file has fewer lines."""
    return file.line_span(min(why.line, max(0, len(file.lines) - 1)))


def key_span(file: MemoryFile, key: str) -> Span:
    """Return the span of the line of ``key`` in the front matter, else of the first line."""
    front = file.markdown.front_matter  # the lines of its two fences
    last_fence = front[1] if front else 0
    for number in range(1, last_fence):
        if file.lines[number].startswith(f"{key}:"):
            return file.line_span(number)
    return file.head


def quoting(file: MemoryFile, line: int) -> tuple[Fix, ...]:
    """Return the fix that quotes the value on ``line``, if the line alone is invalid YAML.

    The value may have a colon and a space, or be ``[file] [number]``. () if the line is valid, is
    not a key with a plain value, or is too long.
    """
    text = without_newline(file.lines[line]) if line < len(file.lines) else ""
    match = _VALUE.match(text)
    if not match or len(text) > _QUOTED_MAX or _is_yaml(text):
        return ()
    value = match[2].rstrip(" \t").replace("\\", "\\\\").replace('"', '\\"')
    edit = Edit(file.path, Span.on_line(line, len(match[1]), len(text)), f'"{value}"')
    return (Fix(t("Put the value in quotes"), (edit,), safe=False),)
