"""The state of one editor session: folders, settings, open documents and projects.

Independent of pygls and of JSON-RPC.
"""

from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING, Any

from agent_memory.config.context import Context
from agent_memory.config.settings import KEYS, Settings
from agent_memory.config.settings_files import load_project, load_user
from agent_memory.config.settings_merge import SettingProblem, flatten, merge
from agent_memory.config.trust import without_trust
from agent_memory.fs.deleted_files import DeletedFiles
from agent_memory.fs.overlay import Store
from agent_memory.fs.program_text import ProgramTexts
from agent_memory.l10n import t, untranslated
from agent_memory.lint.known_names import KNOWN_NAMES
from agent_memory.lsp.protocol.client_capabilities import ClientCapabilities
from agent_memory.lsp.protocol.convert import real
from agent_memory.lsp.protocol.workspace_edit import workspace_edit
from agent_memory.lsp.workspace.documents import Documents
from agent_memory.lsp.workspace.position_mapper import PositionMapper
from agent_memory.lsp.workspace.project_view import ProjectView
from agent_memory.lsp.workspace.recall_indexes import RecallIndexes
from agent_memory.runtimes.classify import (
    agent_of_user_file,
    is_user_file,
    project_of,
    role_of,
)
from agent_memory.secrets import mask_parts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path

    from agent_memory.base.model import Edit, Finding
    from agent_memory.fs.write_roots import WriteRoots
    from agent_memory.lsp.workspace.documents import Document

EDITOR = untranslated("the editor's settings")
CLIENT_ONLY = (
    "interpreter",
    "remember",
    "importStrategy",
    "trace",
    "server",
    "path",
    "preview",
    "status",
    "view",
    "codeLens",
    "inlayHints",
    "watch",
    "ui",
)
"""First parts of settings that only editors have: the extension or :meth:`Session.option` reads
them."""
_MAX_VIEWS = 64
_FRESH_SECONDS = 1.0
"""How long an agent counts as installed: it is asked for up to twelve times for a prompt."""
_MAX_MASKED = 4


class Session:
    """The state that all features share. Used from one thread."""

    def __init__(self, home: Path, env: Mapping[str, str] | None = None) -> None:
        self.home = home
        self.env = os.environ if env is None else env
        self.capabilities = ClientCapabilities({})
        self.store = Store()
        self.programs = ProgramTexts(_in_background, fresh_seconds=_FRESH_SECONDS)
        self.history = DeletedFiles(on_demand=False)
        self.documents = Documents(self.store)
        self.positions = PositionMapper(self.store, self.documents)
        self.recall_indexes = RecallIndexes()
        self.diagnosed = False  # whether diagnostics have been sent
        self.folders: list[Path] = []
        self.active: Path | None = None  # the project of the last visited file: see visit
        # By workspace folder; under None the user's, for folders without settings of their own.
        self.editor_settings: dict[Path | None, Mapping[str, Any]] = {}
        self._settings: dict[Path, tuple[Settings, list[SettingProblem]]] = {}  # by cwd
        self._other_files: dict[Path, tuple[Path, ...]] = {}  # by cwd: see set_other_files
        self._visited: Path | None = None  # the file of the last call of visit
        self._cwds: dict[Path, Path] = {}  # by path: see cwd_of
        # By (texts, allowed secrets): the masked texts.
        self._masked: dict[tuple[tuple[str, ...], tuple[str, ...]], list[str]] = {}
        self._views: dict[tuple[Path, str | None], ProjectView] = {}  # by (cwd, agent)

    def set_folders(self, folders: list[Path]) -> None:
        """Use ``folders`` as the workspace.

        In an untrusted one, paths that a symlink leads out of are hidden.
        """
        self.folders = self.positions.folders = folders
        self._other_files.clear()
        if self.capabilities.trusted:
            self.store.hide(None)
        else:
            from agent_memory.lsp.workspace.boundaries import hidden  # noqa: PLC0415 -- rarely needed

            self.store.hide(hidden(self.home, folders))
        if self.active not in folders:
            self.active = None
        self._visited = None  # the same file may now be in another project
        self.settings_changed()

    def visit(self, document: Document | None) -> None:
        """Make the folder of ``document`` the active one, for requests that name no file.

        A document that is not a file, or is user memory, does not change it.
        """
        path = document.path if document else None
        if path is None or path == self._visited:
            return
        self._visited = path
        if not is_user_file(path, self.home):
            self.active = self.cwd_of(path)

    # -- projects of files

    def cwd_of(self, path: Path | None) -> Path:
        """Return the folder in which an agent that works with ``path`` would be started.

        For user memory and for None that is the active folder, else the first one, else the
        user's home. For a file in a workspace folder it is the innermost such folder. For a memory
        file that agents do not read there, it is the nested project in which they do. For a file
        outside of the workspace it is the file's folder, or for one in a folder of a runtime the
        folder above: ``p`` for ``p/.deepagents/AGENTS.md``.
        """
        if path is None or is_user_file(path, self.home):
            if self.active:
                return self.active
            return self.folders[0] if self.folders else self.home
        cached = self._cwds.get(path)
        if cached is None:
            cached = self._cwds[path] = self._find_cwd(path)
        return cached

    def _find_cwd(self, path: Path) -> Path:
        """Compute :meth:`cwd_of` for a path outside of user memory."""
        folder = path if os.path.isdir(path) else path.parent  # noqa: PTH112 -- is_dir can raise
        containing = [workspace for workspace in self.folders if path.is_relative_to(workspace)]
        if not containing:
            return project_of(folder)
        workspace_folder = max(containing, key=lambda workspace: len(workspace.parts))
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
        return agent_of_user_file(path, self.home) if path else None

    def context(self, cwd: Path, agent: str | None = None) -> Context:
        """Return the context of a request about ``cwd``.

        Without ``agent`` (None or ''), it is that of the settings, else detected.
        """
        settings, _ = self.settings(cwd)
        return Context(
            self.home,
            cwd,
            self.store,
            settings,
            self.env,
            agent or None,
            programs=self.programs,
            history=self.history,
        )

    # -- settings

    def settings(self, cwd: Path) -> tuple[Settings, list[SettingProblem]]:
        """Return (settings for ``cwd``, problems of all their files and of the editor's), cached.

        Settings of the editor override the project's, which override the user's own.
        """
        cached = self._settings.get(cwd)
        if cached is None:
            cached = self._settings[cwd] = self._load_settings(cwd)
        return cached

    def refresh_settings(self, cwd: Path) -> None:
        """Read the settings for ``cwd`` again: no event reports a change outside the workspace."""
        cached = self._settings.get(cwd)
        if cached is not None and cached != self._load_settings(cwd):
            self.disk_changed()

    def settings_without_trust(self, cwd: Path) -> Settings:
        """Return the settings for ``cwd`` as in a workspace that is not trusted."""
        return self._load_settings(cwd, trusted=False)[0]

    def _load_settings(
        self, cwd: Path, *, trusted: bool | None = None
    ) -> tuple[Settings, list[SettingProblem]]:
        """Compute :meth:`settings`; ``trusted`` None: as the client says of the workspace.

        Without trust, settings of the project that are not safe are ignored.
        """
        user_settings, problems = load_user(self.home, Settings(), KNOWN_NAMES, self.store.read)
        settings, of_project = load_project(cwd, user_settings, KNOWN_NAMES, self.store.read)
        problems += [problem for problem in of_project if problem not in problems]
        if trusted is None:
            trusted = self.capabilities.trusted
        if not trusted:
            settings = without_trust(settings, user_settings)
        containing = [workspace for workspace in self.folders if cwd.is_relative_to(workspace)]
        folder = max(containing, key=lambda workspace: len(workspace.parts)) if containing else None
        # Editors have settings for the innermost workspace folder, or only the user's, under None.
        values = self.editor_settings.get(folder, self.editor_settings.get(None, {}))
        settings, of_editor = merge(settings, _set_by_user(values), t(EDITOR), KNOWN_NAMES, folder)
        return settings, problems + of_editor

    def option(self, key: str, *, default: bool) -> bool:
        """Return a setting that only editors can set, for example ``inlayHints``.

        The active folder's value comes before the user's; ``default`` if both are missing.
        """
        for folder in (self.cwd_of(None), None):
            value = self.editor_settings.get(folder, {}).get(key)
            if isinstance(value, bool):
                return value
        return default

    # -- projects

    def view(self, cwd: Path, agent: str | None = None) -> ProjectView:
        """Return the checked project of ``cwd``, cached until the settings change.

        One more than ``_MAX_VIEWS`` clears the cache.

        The runtime, and a missing ``agent``, are those of the settings, else detected.

        Raises:
            UsageError: a setting names an unknown runtime, or the agent's id is invalid.

        """
        key = (cwd, agent)
        view = self._views.get(key)
        if view is None:
            if len(self._views) >= _MAX_VIEWS:
                self._views.clear()
            view = self._views[key] = ProjectView(
                self.context(cwd, agent), None, self._other_files.get(cwd, ())
            )
        return view

    def view_of(self, path: Path) -> ProjectView:
        """Return the project of ``path``.

        Raises:
            UsageError: a setting names an unknown runtime or an invalid agent.

        """
        return self.view(self.cwd_of(path), self.agent_of(path))

    def views(self) -> list[ProjectView]:
        """Return the project of each folder, or that of user memory if no folder is open."""
        return [self.view(folder) for folder in self.folders or [self.home]]

    def known_views(self) -> list[ProjectView]:
        """Return the projects that are cached."""
        return list(self._views.values())

    def roots(self) -> set[Path]:
        """Return the roots of the cached projects whose git history may be read.

        Empty in an untrusted workspace: git is not used there.
        """
        views = self.known_views() if self.capabilities.trusted else []
        return {view.project.tree.root for view in views}

    def all_paths(self) -> list[Path]:
        """Return the files of all projects and all other memory files, each once.

        The others were found in the workspace, or are open.
        """
        paths = [path for view in self.views() for path in view.paths()]
        paths += [path for others in self._other_files.values() for path in others]
        opened = [document.path for document in self.documents if document.path]
        real_paths = {real(path) for path in paths}  # a file may be open through a symlink
        only_open = [path for path in opened if real(path) not in real_paths and self.watched(path)]
        return list(dict.fromkeys(paths + only_open))

    def settings_folders(self) -> list[Path]:
        """Return the folders whose settings apply now."""
        return list(dict.fromkeys([*self.folders, self.cwd_of(None)]))

    def watched(self, path: Path) -> bool:
        """Whether ``path`` is a memory file, to be checked when it is open."""
        return role_of(path) is not None or self.view(self.cwd_of(path)).reads(path)

    def findings(self, path: Path, *, defer: bool = False) -> Sequence[Finding]:
        """Return the findings in ``path``, none if it is not a memory file."""
        return self.view_of(path).findings(path, defer=defer) if self.watched(path) else ()

    # -- edits

    def edit(
        self,
        edits: Sequence[Edit] = (),
        *,
        creates: Sequence[tuple[Path, str]] = (),
        renames: Sequence[tuple[Path, Path]] = (),
        roots: WriteRoots | None = None,
    ) -> dict[str, Any]:
        """Return a WorkspaceEdit for the client. ``roots`` are the folders that it may change.

        Without them, those are the workspace, the user's memory and the projects of open files.
        ``creates`` are (path, text), ``renames`` are (old, new).

        Raises:
            UsageError: it would change a file outside of these folders.

        """
        changed = {edit.path for edit in edits} | {path for path, _ in creates}
        # A rename changes two folders: the old path's and the new path's.
        folders = {path.parent for old_and_new in renames for path in old_and_new}
        for path in sorted(changed | folders):
            (roots or self._roots_of(path)).check(path)
        client = self.capabilities
        return workspace_edit(self.positions, client, edits, creates=creates, renames=renames)

    def _roots_of(self, path: Path) -> WriteRoots:
        """Return the folders that an edit of ``path`` may change.

        They depend on its innermost workspace folder; outside of all, on the active one.
        """
        from agent_memory.lsp.workspace.boundaries import writable  # noqa: PLC0415 -- not at start

        containing = [folder for folder in self.folders if path.is_relative_to(folder)]
        folder = max(
            containing, key=lambda workspace: len(workspace.parts), default=self.cwd_of(None)
        )
        opened = path if self.documents.at(path) else None
        return writable(self.view(folder), self.folders, opened)

    def mask(self, texts: tuple[str, ...], allowed: tuple[str, ...]) -> list[str]:
        """Return ``texts`` with secrets masked except the ``allowed`` ones (hashes).

        The latest results are cached: several parts of a client request the same texts.
        """
        key = (texts, allowed)
        if key not in self._masked:
            while len(self._masked) >= _MAX_MASKED:
                del self._masked[next(iter(self._masked))]  # the oldest
            self._masked[key] = mask_parts(texts, allowed)
        return self._masked[key]

    # -- change

    def disk_changed(self) -> bool:
        """Open all projects again; return whether a memory file or a setting differs.

        Files of unchanged content keep their scans.
        """
        self._settings.clear()
        self._cwds.clear()
        self.programs.forget_recent()
        differs = False
        for (cwd, agent), view in list(self._views.items()):
            others = self._other_files.get(cwd, ())
            renewed = self._views[cwd, agent] = view.renewed(self.context(cwd, agent), others)
            differs = differs or renewed.project.files != view.project.files
            differs = differs or renewed.ctx.settings != view.ctx.settings
        return differs

    def set_other_files(self, found: Mapping[Path, Iterable[Path]]) -> bool:
        """Also check ``found``, memory files by workspace folder; return whether that is a change.

        A file of a nested project is checked in that project. Files that a runtime reads are left
        out: they are checked already.
        """
        others: dict[Path, list[Path]] = {}
        for path in (path for folder in self.folders for path in found.get(folder, ())):
            cwd = self.cwd_of(path)
            # The project's files include those that an earlier call has set.
            was_set = path in self._other_files.get(cwd, ())
            if was_set or path not in self.view(cwd).project.files:
                others.setdefault(cwd, []).append(path)
        new = {folder: tuple(paths) for folder, paths in others.items()}
        if new == self._other_files:
            return False
        self._other_files = new
        self.disk_changed()
        return True

    def settings_changed(self) -> None:
        """Drop everything computed under the old settings."""
        self._settings.clear()
        self._cwds.clear()
        self._views.clear()


def _set_by_user(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return {dotted key: value} of the settings that differ from their defaults.

    Editors also send each default, which would override the project's file, and the settings of
    ``CLIENT_ONLY``: both are left out. Unknown keys stay: they are reported as problems.
    """
    defaults = Settings()
    out: dict[str, Any] = {}
    for key, value in flatten(values):
        field_name = KEYS.get(key)
        is_default = field_name and value == getattr(defaults, field_name)
        if is_default or key.partition(".")[0] in CLIENT_ONLY:
            continue
        out[key] = value
    return out


def _in_background(call: Callable[[], None]) -> None:
    """Run ``call`` in a thread that does not keep the process alive."""
    threading.Thread(target=call, name="program texts", daemon=True).start()
