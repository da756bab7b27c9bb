"""The root of a project: the nearest folder upwards that counts as one.

Runtimes differ in what counts, so each names its own rule.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from agent_memory.fs.reader import read_file

if TYPE_CHECKING:
    from collections.abc import Callable

    from agent_memory.config.context import Context

_POINTER_BYTES = 1 << 16
"""A larger file ``.git`` is not a pointer: it contains one path."""


def find_root(start: Path, is_root: Callable[[Path], bool | None]) -> Path | None:
    """Return the first folder from ``start`` upwards for which ``is_root`` returns True, or None.

    If ``is_root`` returns None, the search ends without a root (see :func:`has_live_git`). A folder
    that cannot be examined is not a root.
    """
    for folder in (start, *start.parents):
        try:
            verdict = is_root(folder)
        except OSError:
            continue
        if verdict is None:
            return None
        if verdict:
            return folder
    return None


def root_of(ctx: Context, is_root: Callable[[Path], bool | None]) -> Path | None:
    """Return the given root, else the one that ``is_root`` finds from ``cwd`` upwards, or None.

    In an editor, the result is cached for a short time, also None: a keystroke needs the root seven
    times.
    """
    key = ("root", is_root, ctx.cwd)
    return ctx.given_root or ctx.programs.recent(key, lambda: find_root(ctx.cwd.resolve(), is_root))


def has_git(folder: Path) -> bool:
    """Whether ``.git`` exists, as a folder or as the file of a worktree or submodule.

    The root of the file system counts too, as in deepagents-cli 0.0.10 to 0.0.12 and drover.
    """
    return (folder / ".git").exists()


def has_git_folder(folder: Path) -> bool:
    """Whether ``.git`` is a folder; worktrees and submodules do not count, as in deepagentsdk.

    The root of the file system never counts.
    """
    return folder != Path(folder.anchor) and (folder / ".git").is_dir()


def has_live_git(folder: Path) -> bool | None:
    """Whether ``.git`` is a folder, or a file that points to one, as in deepagents-code.

    None if the pointer is broken, which ends the search.
    """
    git = folder / ".git"
    if git.is_dir():
        return True
    if not git.is_file():
        return False
    return True if _points_to_folder(git) else None


def _points_to_folder(git: Path) -> bool:
    """Whether the file ``git`` has ``gitdir: ``, with the space, and a path that is a folder.

    A relative path begins at the folder of the file. False if the file cannot be read.
    """
    pointer = read_file(git, cap=_POINTER_BYTES).text.strip()
    target = pointer.removeprefix("gitdir: ").strip()
    has_prefix = target != pointer
    return has_prefix and (git.parent / target).is_dir()


def unusable_git(start: Path, is_root: Callable[[Path], bool | None]) -> Path | None:
    """Return the nearest ``.git`` file that ``is_root`` does not accept as a project, or None.

    Only a worktree or submodule has ``.git`` as a file. The folders from ``start`` up to the root
    that ``is_root`` finds are searched, or all above ``start`` if it finds none.
    """
    root = find_root(start, is_root)
    nearest = find_root(start, lambda folder: (folder / ".git").is_file())
    if nearest is None or nearest == root:
        return None
    if root and not nearest.is_relative_to(root):  # above the project
        return None
    return nearest / ".git"
