"""Distributes the files of a check over the projects they belong to.

A file is judged in its own project, from wherever it is named: the nearest folder with ``.git``
above it, with the settings, the baseline and the runtime of that project.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from agent_memory.cli import options
from agent_memory.config.project_root import find_root, has_git
from agent_memory.config.settings import Settings
from agent_memory.config.settings_files import load_project, load_user
from agent_memory.lint.known_names import KNOWN_NAMES
from agent_memory.runtimes.classify import is_user_file, project_of

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from agent_memory.config.context import Context


def by_project(ctx: Context, paths: Iterable[Path]) -> list[tuple[Context, list[Path]]]:
    """Return (context of a project, its files of ``paths``), in the order of the first files.

    Files of the project of ``ctx`` and of user memory are in the group of ``ctx``. The context of
    another project has its root as the working folder; problems of its settings go to standard
    error.
    """
    has_git_cached = cache(has_git)  # the files of a project have most folders above in common
    own_root = find_root(ctx.cwd, has_git_cached)

    @cache
    def other_root(folder: Path) -> Path | None:
        """Return the root of the project of ``folder``; None if the project is that of ``ctx``.

        None also for user memory, and for a folder without a known project.
        """
        if is_user_file(folder, ctx.home):
            return None
        root = find_root(folder, has_git_cached)
        if root is None:  # no git
            if folder.is_relative_to(ctx.cwd):
                return None
            root = project_of(folder)  # by the layout of the memory folders
        return None if root in (own_root, ctx.cwd) else root

    groups: dict[Path | None, list[Path]] = {}  # by root of another project
    for path in paths:
        groups.setdefault(other_root(path.parent), []).append(path)
    return [(_context(ctx, root) if root else ctx, files) for root, files in groups.items()]


def _context(ctx: Context, root: Path) -> Context:
    """Return the context of the project ``root``, with its settings over those of the user."""
    of_user, _ = load_user(ctx.home, Settings(), KNOWN_NAMES)  # its problems have been reported
    settings, problems = load_project(root, of_user, KNOWN_NAMES)
    for problem in dict.fromkeys(map(str, problems)):
        options.complain(problem)
    return ctx.with_(cwd=root, settings=settings)
