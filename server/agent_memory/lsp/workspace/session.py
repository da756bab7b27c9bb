"""What one editor session is about: its folders, settings, open documents and projects.

Knows neither pygls nor the wire: handlers ask it which project a file belongs to, and what is
found there.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from agent_memory.config.agent_id import AGENT_ID
from agent_memory.config.context import Context
from agent_memory.config.settings import (
    KEYS,
    SettingProblem,
    Settings,
    flatten,
    load_project,
    load_user,
    merge,
)
from agent_memory.config.trust import without_trust
from agent_memory.fs.overlay import Store
from agent_memory.l10n import t, untranslated
from agent_memory.lint.known_names import KNOWN_NAMES
from agent_memory.lsp.protocol.client_capabilities import Client
from agent_memory.lsp.protocol.convert import real
from agent_memory.lsp.workspace.documents import Documents
from agent_memory.lsp.workspace.position_mapper import PositionMapper
from agent_memory.lsp.workspace.project_view import ProjectView
from agent_memory.runtimes.classify import is_user_file, owner_of, project_of, role_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from agent_memory.base.model import Finding
    from agent_memory.lsp.workspace.documents import Document

EDITOR = untranslated("the editor's settings")
CLIENT_ONLY = (
    "interpreter",
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
"""First words of settings that only the editor's own part reads."""
_VIEW_MAX = 64


class Session:
    """The state behind all handlers. One per connection; used from one thread."""

    def __init__(self, home: Path, env: Mapping[str, str] | None = None) -> None:
        self.home = home
        self.env = os.environ if env is None else env
        self.client = Client({})
        self.store = Store()
        self.documents = Documents(self.store)
        self.places = PositionMapper(self.store, self.documents)
        self.folders: list[Path] = []
        self.active: Path | None = None
        self.editor_settings: dict[Path | None, Mapping[str, Any]] = {}
        self.runtime: str | None = None  # picked by the user for this session
        self.agent: str | None = None
        self._settings: dict[Path, tuple[Settings, list[SettingProblem]]] = {}
        self._visited: Path | None = None
        self._cwds: dict[Path, Path] = {}
        self._views: dict[tuple[Path, str | None, str | None], ProjectView] = {}

    def set_folders(self, folders: list[Path]) -> None:
        """Take ``folders`` as the workspace."""
        self.folders = self.places.folders = folders
        if self.active not in folders:
            self.active = None
        self.settings_changed()

    def visit(self, document: Document | None) -> None:
        """Note that the user works with ``document``: questions without a file are about it."""
        path = document.path if document else None
        if path is None or path == self._visited:
            return
        self._visited = path
        if not is_user_file(path, self.home):
            self.active = self.cwd_of(path)

    # -- where

    def cwd_of(self, path: Path | None) -> Path:
        """Return where an agent that works with ``path`` would be started.

        A file of user memory, and no file at all, belong to the folder that was used last; a
        file in a folder of the workspace to that folder, or to the project further down that
        reads it; any other to its own folder.
        """
        first = self.folders[0] if self.folders else self.home
        if path is None:
            return self.active or first
        if is_user_file(path, self.home):
            return self.active or first
        known = self._cwds.get(path)
        if known is None:
            known = self._cwds[path] = self._find_cwd(path)
        return known

    def _find_cwd(self, path: Path) -> Path:
        folder = path if path.is_dir() else path.parent
        inside = [item for item in self.folders if path.is_relative_to(item)]
        if not inside:
            return project_of(folder)
        outer = max(inside, key=lambda item: len(item.parts))
        if role_of(path) and not self.view(outer).reads(path):
            inner = project_of(folder)
            if self.view(inner).reads(path):
                return inner
        return outer

    def agent_of(self, path: Path | None) -> str | None:
        """Return the agent whose user memory ``path`` is, None where it is nobody's."""
        if path and is_user_file(path, self.home) and (name := owner_of(path, self.home)):
            return name if AGENT_ID.fullmatch(name) else None
        return self.agent

    def context(self, cwd: Path, agent: str | None = None) -> Context:
        """Return the context of a question asked from ``cwd``."""
        settings, _ = self.settings(cwd)
        return Context(self.home, cwd, self.store, settings, self.env, agent or self.agent)

    # -- settings

    def settings(self, cwd: Path) -> tuple[Settings, list[SettingProblem]]:
        """Return the settings for ``cwd``: those of the editor over those of the project."""
        known = self._settings.get(cwd)
        if known is None:
            known = self._settings[cwd] = self._load_settings(cwd)
        return known

    def _load_settings(self, cwd: Path) -> tuple[Settings, list[SettingProblem]]:
        own, problems = load_user(self.home, Settings(), KNOWN_NAMES, self.store.read)
        settings, more = load_project(cwd, own, KNOWN_NAMES, self.store.read)
        problems += [problem for problem in more if problem not in problems]
        if not self.client.trusted:
            settings = without_trust(settings, own)
        inside = [item for item in self.folders if cwd.is_relative_to(item)]
        folder = max(inside, key=lambda item: len(item.parts)) if inside else None
        values = self.editor_settings.get(folder, self.editor_settings.get(None, {}))
        settings, bad = merge(settings, _made(values), t(EDITOR), KNOWN_NAMES)
        return settings, problems + bad

    def option(self, key: str, *, default: bool) -> bool:
        """Return a setting that only the language server has, such as ``inlayHints``."""
        for folder in (self.cwd_of(None), None):
            value = self.editor_settings.get(folder, {}).get(key)
            if isinstance(value, bool):
                return value
        return default

    # -- projects

    def view(self, cwd: Path, runtime: str | None = None, agent: str | None = None) -> ProjectView:
        """Return the checked project of ``cwd``.

        Raises:
            UsageError: the runtime is not known or the agent's id is not valid.

        """
        runtime, agent = runtime or self.runtime, agent or self.agent
        key = (cwd, runtime, agent)
        view = self._views.get(key)
        if view is None:
            if len(self._views) >= _VIEW_MAX:
                self._views.clear()
            view = self._views[key] = ProjectView(self.context(cwd, agent), runtime)
        return view

    def view_of(self, path: Path) -> ProjectView:
        """Return the project ``path`` belongs to.

        Raises:
            UsageError: a setting names an unknown runtime or an invalid agent.

        """
        return self.view(self.cwd_of(path), agent=self.agent_of(path))

    def views(self) -> list[ProjectView]:
        """Return the project of each folder, or that of user memory where none is open."""
        return [self.view(folder) for folder in self.folders or [self.home]]

    def known_views(self) -> list[ProjectView]:
        """Return the projects that were asked about."""
        return list(self._views.values())

    def all_paths(self) -> list[Path]:
        """Return the files of all projects, and the memory files that are open beside them."""
        paths = [path for view in self.views() for path in view.paths()]
        opened = [document.path for document in self.documents if document.path]
        known = {real(path) for path in paths}
        beside = [path for path in opened if real(path) not in known and self.watched(path)]
        return list(dict.fromkeys(paths + beside))

    def places_asked(self) -> list[Path]:
        """Return the folders whose settings count now."""
        return list(dict.fromkeys([*self.folders, self.cwd_of(None)]))

    def watched(self, path: Path) -> bool:
        """Whether ``path`` is memory that is checked when it is open."""
        return role_of(path) is not None or self.view(self.cwd_of(path)).reads(path)

    def findings(self, path: Path, *, hurried: bool = False) -> Sequence[Finding]:
        """Return what is found in ``path``; nothing where it is no memory file."""
        return self.view_of(path).findings(path, hurried=hurried) if self.watched(path) else ()

    # -- change

    def disk_changed(self) -> bool:
        """Take over what is on disk now; whether a memory file or a setting differs."""
        self._settings.clear()
        self._cwds.clear()
        differs = False
        for key, view in list(self._views.items()):
            cwd, _, agent = key
            new = self._views[key] = view.renewed(self.context(cwd, agent))
            differs = differs or new.project.files != view.project.files
            differs = differs or new.ctx.settings != view.ctx.settings
        return differs

    def settings_changed(self) -> None:
        """Forget what was worked out under the old settings."""
        self._settings.clear()
        self._cwds.clear()
        self._views.clear()


def _made(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings that somebody made.

    Editors also send every default, which would hide the project's own file, and settings that
    only their own part reads.
    """
    defaults = Settings()
    out: dict[str, Any] = {}
    for key, value in flatten(values):
        name = KEYS.get(key)
        if key.partition(".")[0] in CLIENT_ONLY or (name and value == getattr(defaults, name)):
            continue
        out[key] = value
    return out
