"""The folders that may be written to: the project, the user's memory, what the user configured."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from agent_memory.config.context import AGENT_FOLDERS
from agent_memory.config.project_root import find_root, has_git, has_git_folder
from agent_memory.fs.write_roots import WriteRoot, WriteRoots, real_path

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.config.context import Context


def write_roots(ctx: Context, root: Path | None = None) -> WriteRoots:
    """Return the folders that may be written to in ``ctx``.

    These are the project, the user's memory, the folders of the user's settings, and the requested
    folder of entries. ``root`` is the project's root by the rule of a runtime, None without one.
    """
    user = [WriteRoot(path, real_path(path), user=True) for path in _user_folders(ctx.home)]
    # `load_user` adds the folders that other settings of the user name, such as `sources`.
    in_settings = [_expanded(name, ctx.home) for name in ctx.settings.write_folders]
    configured = [WriteRoot(path, real_path(path)) for path in in_settings]
    roots = WriteRoots(
        (*_projects(ctx.cwd, root), *user, *configured),
        allowed=tuple(map(real_path, in_settings)),  # a symlink of a project may lead there, too
    )
    return roots.including(ctx.entries) if ctx.entries else roots


def with_project_of(roots: WriteRoots, path: Path) -> WriteRoots:
    """Return ``roots`` with the project of the file ``path``, which the user has named.

    The project is the nearest folder with ``.git``, else the folder of ``path``. A folder that is a
    symlink is not taken for a project, because a repository can contain such a symlink.
    """
    path = Path(os.path.abspath(path))  # noqa: PTH100 -- keeps symlinks
    with_git = (folder for folder in path.parents if has_git(folder))
    projects = (folder for folder in with_git if not os.path.islink(folder))  # noqa: PTH114
    return roots.including(next(projects, path.parent))


def is_user_path(path: Path, home: Path) -> bool:
    """Whether ``path`` is in a folder of the user's memory, or leads into one by symlinks."""
    for base in _user_folders(home):
        if path.is_relative_to(base) or real_path(path).is_relative_to(real_path(base)):
            return True
    return False


def _projects(cwd: Path, root: Path | None) -> Iterator[WriteRoot]:
    """Yield the projects of ``cwd`` by the rules of the runtimes, else ``cwd`` itself.

    ``root`` is the project by the rule of one runtime. The rules differ in a submodule: by one the
    submodule is the project, by another the repository around it.
    """
    real_cwd = real_path(cwd)
    by_rule = [find_root(real_cwd, has_git), find_root(real_cwd, has_git_folder)]
    if root:
        by_rule.append(real_path(root))
    projects = [folder for folder in dict.fromkeys(by_rule) if folder] or [real_cwd]
    for folder in projects:
        yield WriteRoot(_spelled_like(cwd, folder), folder)


def _spelled_like(cwd: Path, root: Path) -> Path:
    """Return ``root``, a path without symlinks, in the spelling of ``cwd``, which can have some.

    ``root`` is returned unchanged if ``cwd`` is not in it.
    """
    for folder in (cwd, *cwd.parents):
        if real_path(folder) == root:
            return folder
    return root


def _user_folders(home: Path) -> Iterator[Path]:
    """Yield the folders of the user's memory; they may be missing."""
    for name in AGENT_FOLDERS:
        yield home / name


def _expanded(name: str, home: Path) -> Path:
    """Return the path that ``name`` in the user's settings means.

    Relative paths and those with `~` begin at ``home``. The home folder of another user, `~name`,
    is not expanded.
    """
    starts_at_home = name == "~" or name.startswith(("~/", "~\\"))
    return home / name[1:].lstrip("/\\") if starts_at_home else home / name
