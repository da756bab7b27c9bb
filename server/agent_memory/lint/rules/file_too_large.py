"""AM301: a memory file near or over its size limit."""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.base.model import Role, Severity, Status
from agent_memory.base.text import Span
from agent_memory.l10n import t, untranslated
from agent_memory.lint.rule import FileRule, Hit
from agent_memory.lint.shared.task_prompts import is_task_prompt

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lint.project import Project

_SENT = untranslated(
    "This file has {0:,} bytes, {1} % of the limit\n"
    "It exceeds the limit of {2:,} bytes on this line. {3} still sends all of it with every "
    "request."
)
"""For a file that the runtime sends with every request."""
_LARGE = untranslated(
    "This file has {0:,} bytes, {1} % of the limit\n"
    "It exceeds the limit of {2:,} bytes on this line. Shorten it, or raise `budget.fileBytes`."
)
"""For a file that the runtime does not send with every request."""
_TEMPLATES = lazy_compile(
    r"(?:^|/)[\w.-]*(?:templates?|skeletons?|scaffold(?:s|ing)?|boilerplates?|cookiecutter)[\w.-]*/",
    re.IGNORECASE,
)
"""A folder of templates in a path: ``templates/``, ``my-skeleton/``."""
_CUT = ("AGENTS.md", "AGENTS.override.md")
"""The files of which Codex reads 32 KiB. For others the default limit is advice."""

_NEAR = 80
"""Percent of a limit that the user chose, above which a file is almost full."""
_NEAR_DEFAULT = 95
"""The same of the default limit: nobody plans with it, and far below it there is nothing to do."""


def check(file: MemoryFile, project: Project) -> Iterator[Hit]:
    """Report a file over the limit, or almost at it unless the limit is only advice."""
    limit = project.ctx.settings.file_bytes
    is_default = project.ctx.settings.is_default("file_bytes")
    size = file.content.size
    if not limit:  # 0 switches the rule off
        return
    share = size * 100 // limit
    is_near = size * 100 > limit * (_NEAR_DEFAULT if is_default else _NEAR)
    if not is_near or file.source.status is Status.TRUNCATED:
        return  # another rule reports cut files
    if is_read_elsewhere(file.path, project) or is_task_prompt(file):
        return  # not read with others: a page of a skill, a template, or the prompt of a task
    is_advice = is_default and file.path.name not in _CUT
    if size > limit:
        yield _over_limit(file, project, Severity.INFO if is_advice else None)
    elif not is_advice:
        message = t("This file is almost full: {0:,} of {1:,} bytes ({2} %)", size, limit, share)
        yield Hit(Span(0, 0, 0, 0), message, severity=Severity.INFO)


def _over_limit(file: MemoryFile, project: Project, severity: Severity | None) -> Hit:
    """Return the hit on the first line over the limit; ``severity`` None: that of the rule."""
    size, limit = file.content.size, project.ctx.settings.file_bytes
    number = line_over_limit(file.lines, limit)
    in_prompt = file.source.status is Status.LOADED
    text = _SENT if in_prompt else _LARGE
    return Hit(
        Span(number, 0, number, len(file.lines[number].rstrip("\r\n"))),
        t(text, size, size * 100 // limit, limit, project.choice.runtime.id),
        severity=severity,
    )


def is_read_elsewhere(path: Path, project: Project) -> bool:
    """Return whether agents do not read the file ``path`` together with those of the folders above.

    That is so next to a SKILL.md, as for a page of a skill, and below a folder of templates, from
    which it is copied to other projects. False at the root and outside of the project.
    """
    base = project.folder_from_root(path)
    if base in (None, "."):
        return False
    return is_template(path, project) or project.tree.has(f"{base}/SKILL.md")


def is_template(path: Path, project: Project) -> bool:
    """Return whether ``path`` is below a folder of templates in the project."""
    return bool(_TEMPLATES.search(f"{project.folder_from_root(path) or ''}/"))


def line_over_limit(lines: list[str], limit: int) -> int:
    """Return the line (from 0) with the first byte over ``limit``.

    If the file has no more than ``limit`` bytes, it is the last line; 0 without any line.
    """
    if all(map(str.isascii, lines)):  # 64 KB in 0.05 ms in place of 0.25, with each keystroke
        sizes: Iterable[int] = map(len, lines)
    else:
        sizes = (len(line.encode("utf-8", "surrogatepass")) for line in lines)
    ends = list(accumulate(sizes))  # the offset in bytes at which each line ends
    last = max(0, len(lines) - 1)
    return min(bisect_right(ends, limit), last)


RULE = FileRule(
    "AM301",
    "file-too-large",
    Severity.WARNING,
    "A memory file over its size limit",
    check=check,
    roles=frozenset({Role.MEMORY, Role.INSTRUCTIONS}),
    varies=True,
)
