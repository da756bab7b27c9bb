"""Whether a file is written for its project alone, so that what it says is about this project."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.base.model import Role

if TYPE_CHECKING:
    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lint.project import Project

_FIRST = 20
"""Lines at the top of a file that are searched for what it is about."""
_REPOSITORY = lazy_compile(
    r"\W*(?:repo|repository)\W{1,8}https?://(?:github|gitlab)\.com/[\w.-]+/([\w.-]*\w)",
    re.IGNORECASE,
)
"""A line such as ``**Repo:** https://github.com/me/shop.git``; the group is ``shop.git``."""
_TO_BE_COPIED = lazy_compile(
    r"\b(?:copy|download|drop|place|put) this (?:file|template)\b.{0,40}"
    r"\b(?:to|into?) (?:your|the root of your|any|a new) (?:own )?(?:project|repo)",
    re.IGNORECASE,
)
"""``Copy this file into your project``, ``Drop this template to the root of your repo``."""
_MEMORY = frozenset({"AGENTS.md", "CLAUDE.md", "GEMINI.md", "agent.md", "copilot-instructions.md"})
"""Files that are memory of their project in a hidden folder too: ``.claude/CLAUDE.md``."""


def is_of_other_repository(file: MemoryFile, project: Project) -> bool:
    """Return whether the file says at its top that it is of another repository: ``Repo: https://…``.

    Also True if it says to copy it to other projects. False if the name of the repository is part
    of the name of the project's folder (``shop`` of ``shop-main``), or is in the project's git
    settings.
    """
    if file.content.once(_is_to_be_copied, file):
        return True
    name = file.content.once(_repository_of, file)
    if not name or name in project.tree.root.name.lower():
        return False
    settings = project.ctx.store.read(project.tree.root / ".git" / "config")
    return not (settings.ok and f"/{name}" in settings.text.lower())


def _is_to_be_copied(file: MemoryFile) -> bool:
    """Return whether the top of the text says to copy the file to another project."""
    return bool(_TO_BE_COPIED.search("".join(file.lines[:_FIRST])))


def _repository_of(file: MemoryFile) -> str:
    """Return the first repository that the top of the text names, in lower case; '' for none.

    The result is ``shop`` for ``Repo: https://github.com/me/shop.git``.
    """
    for line in file.lines[:_FIRST]:
        match = _REPOSITORY.match(line) if "://" in line else None
        if match:
            return match[1].removesuffix(".git").lower()
    return ""


def is_own_memory(file: MemoryFile, base: str) -> bool:
    """Return whether ``file``, in the folder ``base`` below the root, is memory of this project.

    Several projects often share skills, rules, prompts and instructions. Therefore False for a
    skill, and for a file in a hidden folder, except for one of :data:`_MEMORY` outside of a folder
    ``skills``.
    """
    if file.source.role is Role.SKILL:
        return False
    folders = base.split("/")
    is_hidden = any(folder.startswith(".") for folder in folders if folder != ".")
    if not is_hidden:
        return True
    return file.path.name in _MEMORY and "skills" not in folders
