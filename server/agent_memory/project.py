"""Where a project begins: the nearest folder upwards that counts as a root.

Runtimes differ in what counts, so each names its own rule (shared facts: requirements A8, B13;
decision X13 in docs/architecture.md).
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


def find_root(start: Path, is_root: Callable[[Path], bool | None]) -> Path | None:
    """Walk up from ``start`` to the first folder for which ``is_root`` says True.

    ``None`` from ``is_root`` ends the walk without a root. Folders that may not be examined
    count as "not here".
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


def has_git(folder: Path) -> bool:
    """``.git`` is there, as a folder or as the file of a worktree or submodule.

    The root of the file system is never tested (as in deepagents-cli 0.0.10 to 0.0.12).
    """
    return folder != Path(folder.anchor) and (folder / ".git").exists()


def has_git_folder(folder: Path) -> bool:
    """``.git`` is a folder: worktrees and submodules do not count (as in deepagentsdk)."""
    return folder != Path(folder.anchor) and (folder / ".git").is_dir()


def has_live_git(folder: Path) -> bool | None:
    """``.git`` is a folder, or a file whose pointer leads to one (as in deepagents-code).

    A dead pointer ends the search: None.
    """
    git = folder / ".git"
    if git.is_dir():
        return True
    if not git.is_file():
        return False
    pointer = git.read_text("utf-8", "replace").strip()
    target = pointer.removeprefix("gitdir: ").strip()
    if target == pointer or not target:
        return None
    return True if (folder / target).is_dir() else None
