"""The folders that edits may change, and what an untrusted workspace must not show."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.config.context import Context
from agent_memory.config.settings import Settings
from agent_memory.config.settings_files import load_user
from agent_memory.config.write_roots import with_project_of, write_roots
from agent_memory.lint.known_names import KNOWN_NAMES
from agent_memory.runtimes.write_scope import write_scope

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from agent_memory.fs.write_roots import WriteRoots
    from agent_memory.lsp.workspace.project_view import ProjectView


def writable(view: ProjectView, folders: Sequence[Path], opened: Path | None) -> WriteRoots:
    """Return the folders that an edit may change.

    These are the project of ``view``, the workspace ``folders``, the user's memory, and the folders
    that the user has configured. If the user has opened the file of the edit, ``opened`` is its
    path, and its project may be changed too; else ``opened`` is None.
    """
    roots = write_scope(view.ctx, view.project.choice.runtime)
    for folder in folders:
        roots = roots.including(folder)
    return with_project_of(roots, opened) if opened else roots


def hidden(home: Path, folders: Sequence[Path]) -> Callable[[Path], bool]:
    """Return a function that says whether a path is hidden in an untrusted workspace.

    It is hidden if a symlink in the project of one of the workspace ``folders`` leads out of that
    project, of the user's memory and of the folders that the user's settings allow. Settings of the
    project do not apply: they could allow every folder.
    """
    roots_of_folders: list[WriteRoots] = []  # filled at the first call, which reads the settings

    def leaves(path: Path) -> bool:
        """Whether a symlink in a workspace folder leads ``path`` out of what may be shown."""
        if not roots_of_folders:
            user_settings, _ = load_user(home, Settings(), KNOWN_NAMES)
            contexts = [Context(home, folder, settings=user_settings) for folder in folders]
            roots_of_folders.extend(map(write_roots, contexts))
        return any(roots.leaves(path) for roots in roots_of_folders)

    return leaves
