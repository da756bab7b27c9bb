"""The projects of a session: which one a file belongs to, and one view of each."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from agent_memory.lsp.protocol.convert import real
from agent_memory.lsp.workspace.project_view import ProjectView
from agent_memory.lsp.workspace.session_settings import innermost
from agent_memory.runtimes.classify import (
    agent_of_user_file,
    is_user_file,
    project_of,
    role_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

    from agent_memory.config.context import Context

_MAX_VIEWS = 64
"""Projects in the cache: requests can name any folder and agent."""


class Projects:
    """The projects of the workspace ``folders``, of user memory and of files outside of both.

    A project is known by the folder in which an agent is started (cwd) and the agent's id.
    ``context`` returns the context for both; the id can be None.
    """

    def __init__(self, home: Path, context: Callable[[Path, str | None], Context]) -> None:
        self.folders: list[Path] = []
        self.active: Path | None = None  # the cwd of the last visited file: see visit
        self._home = home
        self._context = context
        self._visited: Path | None = None  # the file of the last call of visit
        self._cwds: dict[Path, Path] = {}  # by path: see cwd_of
        self._other_files: dict[Path, tuple[Path, ...]] = {}  # by cwd: see set_other_files
        self._views: dict[tuple[Path, str | None], ProjectView] = {}  # by (cwd, agent)

    def set_folders(self, folders: list[Path]) -> None:
        """Use ``folders`` as the workspace; their other files come with :meth:`set_other_files`."""
        self.folders = folders
        self._other_files.clear()
        if self.active not in folders:
            self.active = None
        self._visited = None  # the same file may now be in another project
        self.clear()

    def visit(self, path: Path | None) -> None:
        """Make :meth:`cwd_of` ``path`` the active folder, for requests that name no file.

        User memory, which is read in each folder, does not change the active folder, nor does None.
        """
        if path is None or path == self._visited:
            return
        self._visited = path
        if not is_user_file(path, self._home):
            self.active = self.cwd_of(path)

    # -- the project of a file

    def cwd_of(self, path: Path | None) -> Path:
        """Return the folder in which an agent that works with ``path`` would be started.

        For user memory and for None that is the active folder, else the first one, else the
        user's home. For a file in a workspace folder it is the innermost such folder. For a memory
        file that agents do not read there, it is the nested project in which they do, if any. For
        a file outside of the workspace it is the file's folder, or for one in a folder of a runtime
        the folder above: ``p`` for ``p/.deepagents/AGENTS.md``.
        """
        if path is None or is_user_file(path, self._home):
            if self.active:
                return self.active
            return self.folders[0] if self.folders else self._home
        cached = self._cwds.get(path)
        if cached is None:
            cached = self._cwds[path] = self._find_cwd(path)
        return cached

    def _find_cwd(self, path: Path) -> Path:
        """Compute :meth:`cwd_of` for a path outside of user memory."""
        folder = path if os.path.isdir(path) else path.parent  # noqa: PTH112 -- is_dir can raise
        workspace_folder = innermost(self.folders, path)
        if workspace_folder is None:
            return project_of(folder)
        # Without a role, `path` is not named like a memory file: it needs no nested project.
        if role_of(path) is None or self.view(workspace_folder).reads(path):
            return workspace_folder
        # A memory file that is not read from here can be that of a nested project.
        nested = project_of(folder)
        is_nested = real(nested).is_relative_to(real(workspace_folder))  # not a link that leads out
        if is_nested and self.view(nested).reads(path):
            return nested
        return workspace_folder

    def agent_of(self, path: Path | None) -> str | None:
        """Return the id of the agent whose user memory contains ``path``.

        None if it is not in the memory of one agent: then the agent is that of the settings, else
        detected.
        """
        return agent_of_user_file(path, self._home) if path else None

    def is_memory_file(self, path: Path) -> bool:
        """Whether ``path`` is named like a memory file of any runtime, or its project reads it.

        With settings, a runtime can read files of other names. A memory file is checked as soon as
        it is open, even if no project contains it.
        """
        return role_of(path) is not None or self.view(self.cwd_of(path)).reads(path)

    # -- views

    def view(self, cwd: Path, agent: str | None = None) -> ProjectView:
        """Return the checked project of ``cwd``, cached until the settings change.

        The runtime, and a missing ``agent``, are those of the settings, else detected. If
        ``_MAX_VIEWS`` projects are cached, another one clears the cache first.

        Raises:
            UsageError: a setting names an unknown runtime, or the agent's id is invalid.

        """
        key = (cwd, agent)
        view = self._views.get(key)
        if view is None:
            if len(self._views) >= _MAX_VIEWS:
                self._views.clear()
            view = self._views[key] = ProjectView(
                self._context(cwd, agent),
                runtime_id=None,  # that of the settings, else a detected one
                other_files=self._other_files.get(cwd, ()),
            )
        return view

    def view_of(self, path: Path) -> ProjectView:
        """Return the project of ``path``.

        Raises:
            UsageError: a setting names an unknown runtime or an invalid agent.

        """
        return self.view(self.cwd_of(path), self.agent_of(path))

    def views(self) -> list[ProjectView]:
        """Return the project of each workspace folder; without folders, that of the user's home."""
        return [self.view(folder) for folder in self.folders or [self._home]]

    def cached_views(self) -> list[ProjectView]:
        """Return the projects that are in the cache."""
        return list(self._views.values())

    def paths(self) -> list[Path]:
        """Return the files of the folders' projects, then the other files that were found.

        A path can occur twice.
        """
        paths = [path for view in self.views() for path in view.paths()]
        return paths + [path for files in self._other_files.values() for path in files]

    # -- change

    def renew(self) -> bool:
        """Open the cached projects again; return whether a memory file or a setting differs.

        Files of unchanged content keep their scans.
        """
        self._cwds.clear()
        differs = False
        for (cwd, agent), view in list(self._views.items()):
            other_files = self._other_files.get(cwd, ())
            renewed = view.renewed(self._context(cwd, agent), other_files)
            self._views[cwd, agent] = renewed
            differs = differs or renewed.project.files != view.project.files
            differs = differs or renewed.ctx.settings != view.ctx.settings
        return differs

    def set_other_files(self, found: Mapping[Path, Iterable[Path]]) -> bool:
        """Also check ``found``, memory files by workspace folder; return whether that is a change.

        A file of a nested project is checked in that project. Files that the project itself has
        found are left out: they are checked already. Cached views have the new files only after
        :meth:`renew`.
        """
        other_files: dict[Path, list[Path]] = {}  # by cwd
        for folder in self.folders:
            for path in found.get(folder, ()):
                cwd = self.cwd_of(path)
                if not self.view(cwd).has_found(path):
                    other_files.setdefault(cwd, []).append(path)
        new = {cwd: tuple(paths) for cwd, paths in other_files.items()}
        if new == self._other_files:
            return False
        self._other_files = new
        return True

    def clear(self) -> None:
        """Drop the cached projects, and the cached results of :meth:`cwd_of`."""
        self._cwds.clear()
        self._views.clear()
