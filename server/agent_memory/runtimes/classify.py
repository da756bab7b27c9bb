"""What a path is to the runtimes, by its name and location alone: role, agent, project, user."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from agent_memory.base.model import Role, Scope, Source, Status
from agent_memory.config.agent_id import AGENT_ID
from agent_memory.config.context import AGENT_FOLDERS
from agent_memory.config.project_root import find_root, has_git
from agent_memory.l10n import t
from agent_memory.runtimes import RUNTIMES
from agent_memory.runtimes.base import Runtime
from agent_memory.runtimes.instruction_files import agent_of_instructions

if TYPE_CHECKING:
    from pathlib import Path

    from agent_memory.config.context import Context

MEMORY_NAMES = frozenset(name for item in RUNTIMES for name in item.memory_names)
"""File names that are memory in any folder. The case counts: ``agents.md`` is a page about agents
in many projects, and no runtime reads it (AM108 reports one where a runtime looks for AGENTS.md).
"""
PROJECT_FOLDERS = tuple(dict.fromkeys(name for item in RUNTIMES for name in item.folders))
"""Folders of a project that hold memory."""
USER_FOLDERS = tuple(dict.fromkeys(name for item in RUNTIMES for name in item.user_folders))
"""Folders of the home with a folder of user memory per agent. The user's files of other agents,
such as ``~/.claude/CLAUDE.md``, are not in these.
"""
_USER_FOLDER_NAMES = frozenset(name.partition("/")[0] for name in AGENT_FOLDERS)
"""A path without such a name is in no folder of the user: a fast check for most paths."""
FOLDER_NAMES = frozenset(
    name.partition("/")[0] for item in RUNTIMES for name in (*item.folders, *item.skill_folders)
)
"""Names of folders right in a project that belong to runtimes."""
_PAGE_FOLDERS = frozenset(
    {
        *("docs", "doc", "documentation", "content", "pages", "wiki", "website"),
        *("guide", "guides", "concepts", "reference", "api", "tutorials"),
        *("notes", "plans", "specs"),
    }
)
"""Names of folders with documentation, in lower case."""
_COPILOT = "copilot-instructions.md"
_ROLE_FUNCTIONS = tuple({item.role_of for item in RUNTIMES} - {Runtime.role_of})
"""``role_of`` of each runtime that recognizes files by their folder or by a pattern."""
_CACHED = 1024
"""How many paths are cached: the same ones are looked at again with each keystroke."""
_PRECEDENCE = (Role.MEMORY, Role.INSTRUCTIONS, Role.ENTRY, Role.NOTE)
"""Which role counts if runtimes differ."""


def classify(path: Path, ctx: Context) -> Source:
    """Return ``path``, which the chosen runtime does not read, as an ignored source.

    Its role is that to other runtimes and agents. A file without a role counts as a note.
    """
    scope = Scope.USER if is_user_file(path, ctx.home) else Scope.PROJECT
    role = role_of(path)
    agent = agent_of_instructions(path)
    reason = (
        t("{0} reads this file, but the chosen runtime does not", agent)
        if agent
        else t("the chosen runtime does not read this file")
    )
    return Source(path, scope, role or Role.NOTE, Status.IGNORED, reason, str(path))


@lru_cache(maxsize=_CACHED)
def role_of(path: Path) -> Role | None:
    """Return the role of ``path`` to any runtime or other agent, None without a role.

    The role does not depend on the chosen runtime.
    """
    if path.name in MEMORY_NAMES and not _is_other_use_of_name(path):
        return Role.MEMORY
    if path.name.lower() == "skill.md":
        return Role.SKILL
    roles = {runtime_role_of(path) for runtime_role_of in _ROLE_FUNCTIONS}
    for role in _PRECEDENCE:
        if role in roles:
            return role
    return Role.INSTRUCTIONS if agent_of_instructions(path) else None


def _is_other_use_of_name(path: Path) -> bool:
    """Whether the file has a name of memory by chance."""
    return _is_page_about_agents(path) or _is_copilot_name_elsewhere(path)


def _is_page_about_agents(path: Path) -> bool:
    """Whether the file is a page about agents, not memory: ``docs/agent.md``, ``docs/x/agent.md``.

    A file in a folder of memory such as ``docs/.deepagents`` is memory. So is a file with another
    name of memory such as AGENTS.md, because pages seldom have such a name.
    """
    if path.name != "agent.md" or path.parent.name in PROJECT_FOLDERS:
        return False
    nearest_folders = {parent.name.lower() for parent in list(path.parents)[:2]}
    return not nearest_folders.isdisjoint(_PAGE_FOLDERS)


def _is_copilot_name_elsewhere(path: Path) -> bool:
    """Whether the file has the name of Copilot's instructions, but is in another folder."""
    return path.name == _COPILOT and path.parent.name not in (".github", ".copilot")


def owner_of(path: Path, home: Path) -> str:
    """Return the agent that ``path`` is the memory of, '' for none; the first runtime decides."""
    return next(filter(None, (runtime.owner_of(path, home) for runtime in RUNTIMES)), "")


def agent_of_user_file(path: Path, home: Path) -> str | None:
    """Return the agent whose folder in one of ``USER_FOLDERS`` contains ``path``.

    None if ``path`` is in no such folder, or if the name of the folder is not a valid id.
    """
    name = owner_of(path, home) if _is_in_user_folders(path, home) else ""
    return name if AGENT_ID.fullmatch(name) else None


def is_user_file(path: Path, home: Path) -> bool:
    """Whether ``path`` is in a folder of the home in which any agent keeps the user's memory.

    A repository inside of such a folder is a project, such as one in ``~/.codex/worktrees``, except
    in one of ``USER_FOLDERS``.
    """
    user_folder = _agent_folder_of(path, home)
    if user_folder is None:
        return False
    if _is_in_user_folders(path, home):
        return True
    root = find_root(path, has_git)  # not cached: a repository can be created later
    # `user_folder`, or the home above it, may be a repository itself.
    is_inside = root is not None and root != user_folder and root.is_relative_to(user_folder)
    return not is_inside


@lru_cache(maxsize=_CACHED)
def _agent_folder_of(path: Path, home: Path) -> Path | None:
    """Return the folder of ``AGENT_FOLDERS`` that ``path`` is in, None if it is in none."""
    if _USER_FOLDER_NAMES.isdisjoint(path.parts):
        return None
    folders = (home / name for name in AGENT_FOLDERS)
    return next((folder for folder in folders if path.is_relative_to(folder)), None)


def _is_in_user_folders(path: Path, home: Path) -> bool:
    """Whether ``path`` is in one of ``USER_FOLDERS``."""
    return any(path.is_relative_to(home / name) for name in USER_FOLDERS)


def project_of(folder: Path) -> Path:
    """Return the folder in which an agent must be started to read the memory in ``folder``.

    It is ``app`` for ``app/.claude`` and ``app/.claude/rules``, because ``.claude`` is a folder of
    a runtime; for other folders it is ``folder``.
    """
    for parent in (folder, *folder.parents):
        if parent.name in FOLDER_NAMES:
            return parent.parent
    return folder
