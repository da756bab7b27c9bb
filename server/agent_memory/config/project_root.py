"""Where a project begins: the nearest folder upwards that counts as a root.

Runtimes differ in what counts, so each names its own rule (requirements A8, A9, B13; decision
X13 in docs/architecture.md).
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

    The root of the file system counts like any other folder, as in deepagents-cli 0.0.10 to
    0.0.12 and drover.
    """
    return (folder / ".git").exists()


def has_git_folder(folder: Path) -> bool:
    """``.git`` is a folder: worktrees and submodules do not count (as in deepagentsdk).

    The root of the file system is never tested.
    """
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
    return True if _pointer_leads_somewhere(git) else None


def _pointer_leads_somewhere(git: Path) -> bool:
    try:
        pointer = git.read_text("utf-8").strip()
    except (OSError, UnicodeDecodeError):
        return False
    target = pointer.removeprefix("gitdir: ").strip()
    return target not in ("", pointer) and (git.parent / target).is_dir()


def unusable_git(start: Path, is_root: Callable[[Path], bool | None]) -> Path | None:
    """Return the ``.git`` file that ``is_root`` does not take for a project, if one is in the way.

    It stands between ``start`` and the root that ``is_root`` finds, or anywhere above ``start``
    where it finds none. None: there is no such file.
    """
    found = find_root(start, is_root)
    git = find_root(start, lambda folder: (folder / ".git").is_file())
    if git is None or git == found or (found and not git.is_relative_to(found)):
        return None
    return git / ".git"
