"""AM111: a memory file that the runtime does not read because another one replaces it."""

from __future__ import annotations

import os
from collections import Counter
from typing import TYPE_CHECKING

from agent_memory.base.model import Role, Severity, Status
from agent_memory.base.text import Span
from agent_memory.l10n import t
from agent_memory.lint.rule import Hit, ProjectRule

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from agent_memory.base.model import Source
    from agent_memory.lint.project import Project

_HEADING_LINES = 3
"""Lines that a copy may have more: a heading or a note of the tool that copies."""
_POINTER_LINES = 10
"""Lines with text of a file that only says where the text is; with more, it says more."""


def check(project: Project) -> Iterator[Hit]:
    """Report each shadowed source, except a copy, or a text that the agent gets from elsewhere."""
    for source in project.sources:
        if source.status is not Status.SHADOWED:
            continue
        if _is_copy_for_another(source, project) or _is_parallel(source, project):
            continue
        if not (_is_mirror(source, project) or _is_read_as_another(source, project)):
            yield Hit(
                Span(0, 0, 0, 0),
                t(
                    "{0} does not read this file: {1}",
                    project.choice.runtime.id,
                    project.shown_in(source.reason),
                ),
                path=source.path,
                severity=_severity(source, project),
            )


def _severity(source: Source, project: Project) -> Severity | None:
    """Return INFO for another agent's file, else None: the severity of the rule."""
    return Severity.INFO if _is_of_another_agent(source, project) else None


def _is_of_another_agent(source: Source, project: Project) -> bool:
    """Return whether the file is another agent's, and no setting names the runtime.

    Each agent reads its own file, such as CLAUDE.md next to AGENTS.md. A file belongs to another
    agent if its name differs from that of the file that replaces it, apart from case; False if it
    is not known which file replaces it.
    """
    by = source.by
    has_other_name = by is not None and by.name.lower() != source.path.name.lower()
    return has_other_name and project.ctx.settings.is_default("runtime")


def _is_parallel(source: Source, project: Project) -> bool:
    """Return whether another agent's file mostly says what the file that replaces it says.

    At least half of the lines of both are then equal: somebody writes one for each agent.
    """
    if source.by is None or not _is_of_another_agent(source, project):
        return False
    lines = sum(_line_counts(project, path).total() for path in (source.path, source.by))
    return 2 * _differing(project, source.path, source.by) <= lines


def _is_copy_for_another(source: Source, project: Project) -> bool:
    """Return whether a skill is in a folder of another agent, and no setting names the runtime.

    Each agent reads its own copy of a skill, which may name its own tools.
    """
    if source.role is not Role.SKILL or not project.ctx.settings.is_default("runtime"):
        return False
    own_folders = {*project.choice.runtime.folders}
    return own_folders.isdisjoint(source.path.parts)


def _is_mirror(source: Source, project: Project) -> bool:
    """Return whether a skill says the same as the listed skill of its name, so nothing is lost.

    Projects keep one copy for each agent, such as ``.agents/skills`` and ``.claude/skills``. The
    tool that copies may add a heading.
    """
    if source.role is not Role.SKILL:
        return False
    listed = [
        other
        for other in project.sources
        if other.role is Role.SKILL and other.status is Status.LISTED
    ]
    of_same_name = (other.path for other in listed if other.name == source.name)
    path = next(of_same_name, None)
    return path is not None and _differing(project, source.path, path) <= _HEADING_LINES


def _is_read_as_another(source: Source, project: Project) -> bool:
    """Return whether the agent gets the text of ``source`` although it does not load the file.

    The file that it loads instead is imported by a short ``source``, which has no text of its own,
    or refers to ``source`` and has another name. Or a file in the prompt has the same text, as a
    copy or a symlink does.
    """
    text = project.ctx.store.read(source.path).text
    by = source.by  # the file that the agent loads instead
    if by and _is_import_of(by, source, project):
        return True
    if by and source.path.name != by.name and _refers(project.ctx.store.read(by).text, by, source):
        return True
    in_prompt = (Status.LOADED, Status.TRUNCATED)
    return any(
        item.status in in_prompt and project.ctx.store.read(item.path).text == text
        for item in project.sources
    )


def _is_import_of(path: Path, source: Source, project: Project) -> bool:
    """Return whether the file of ``source`` is short and has a line that imports ``path``."""
    target, lines = _path_in(source.path, path), _line_counts(project, source.path)
    has_import = f"@{target}" in lines or f"@./{target}" in lines
    return has_import and lines.total() <= _POINTER_LINES


def _path_in(file: Path, path: Path) -> str:
    """Return ``path`` as a link in ``file`` has it: relative to the folder of ``file``."""
    return os.path.relpath(path, file.parent).replace(os.sep, "/")


def _refers(text: str, path: Path, to: Source) -> bool:
    """Return whether ``text`` of the file ``path`` has a link to ``to``, or its path as code."""
    target = _path_in(path, to.path)
    return any(form in text for form in (f"`{target}`", f"({target})", f"(./{target})"))


def _differing(project: Project, one: Path, other: Path) -> int:
    """Return the number of lines that only one of the files has.

    Blank lines and the white space around lines do not count.
    """
    of_one, of_other = _line_counts(project, one), _line_counts(project, other)
    return ((of_one - of_other) + (of_other - of_one)).total()


def _line_counts(project: Project, path: Path) -> Counter[str]:
    """Return how often the file has each line, without white space around it or blank lines."""
    lines = Counter(map(str.strip, project.ctx.store.read(path).lines))
    del lines[""]  # a Counter raises no KeyError
    return lines


RULE = ProjectRule(
    "AM111",
    "shadowed",
    Severity.WARNING,
    "A memory file that another one replaces",
    check=check,
    per_runtime=True,
)
