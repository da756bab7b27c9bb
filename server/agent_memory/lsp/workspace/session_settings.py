"""The settings of each project in a session: the user's, the project's and the editor's."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agent_memory.config.settings import KEYS, Settings
from agent_memory.config.settings_files import load_project, load_user
from agent_memory.config.settings_merge import SettingProblem, flatten, merge
from agent_memory.l10n import t, untranslated
from agent_memory.lint.known_names import KNOWN_NAMES

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from agent_memory.fs.overlay import Store

EDITOR = untranslated("the editor's settings")  # the place of a problem in them
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
"""First parts of settings that only editors have: the extension or :meth:`SessionSettings.option`
reads them."""


class SessionSettings:
    """The settings by folder in which agents are started, cached until :meth:`clear`.

    ``folders`` are the workspace folders; ``trusted`` says whether the user trusts the workspace.
    """

    def __init__(self, home: Path, store: Store) -> None:
        self.folders: list[Path] = []
        self.trusted = True
        # By workspace folder; under None the user's, for folders without settings of their own.
        self.editor: dict[Path | None, Mapping[str, Any]] = {}
        self._home = home
        self._store = store
        self._by_cwd: dict[Path, tuple[Settings, list[SettingProblem]]] = {}

    def of(self, cwd: Path) -> tuple[Settings, list[SettingProblem]]:
        """Return (settings for ``cwd``, problems of all their files and of the editor's), cached.

        Settings of the editor override the project's, which override the user's own.
        """
        cached = self._by_cwd.get(cwd)
        if cached is None:
            cached = self._by_cwd[cwd] = self._load(cwd, trusted=self.trusted)
        return cached

    def are_outdated(self, cwd: Path) -> bool:
        """Whether settings for ``cwd`` are cached and differ from those in their files now."""
        cached = self._by_cwd.get(cwd)
        return cached is not None and cached != self._load(cwd, trusted=self.trusted)

    def without_trust(self, cwd: Path) -> Settings:
        """Return the settings for ``cwd`` as in a workspace that is not trusted; not cached."""
        return self._load(cwd, trusted=False)[0]

    def option(self, key: str, cwd: Path, *, default: bool) -> bool:
        """Return a setting that only editors can set, for example ``inlayHints``.

        The value for the innermost workspace folder with ``cwd`` comes before the user's;
        ``default`` if neither is a boolean.
        """
        for folder in (innermost(self.folders, cwd), None):
            value = self.editor.get(folder, {}).get(key)
            if isinstance(value, bool):
                return value
        return default

    def clear(self) -> None:
        """Drop the cached settings."""
        self._by_cwd.clear()

    def _load(self, cwd: Path, *, trusted: bool) -> tuple[Settings, list[SettingProblem]]:
        """Compute :meth:`of`. Without trust, unsafe settings of the project are ignored."""
        read = self._store.read
        user_settings, problems = load_user(self._home, Settings(), KNOWN_NAMES, read)
        settings, of_project = load_project(cwd, user_settings, KNOWN_NAMES, read)
        # In the home folder, the user's file is that of the project, too: its problems count once.
        problems += [problem for problem in of_project if problem not in problems]
        if not trusted:
            from agent_memory.config.trust import without_trust  # noqa: PLC0415 -- rarely needed

            settings = without_trust(settings, user_settings)
        folder = innermost(self.folders, cwd)
        # Editors have settings for the innermost workspace folder, or only the user's, under None.
        values = self.editor.get(folder, self.editor.get(None, {}))
        settings, of_editor = merge(settings, _set_by_user(values), t(EDITOR), KNOWN_NAMES, folder)
        return settings, problems + of_editor


def innermost(folders: Iterable[Path], path: Path) -> Path | None:
    """Return the deepest of ``folders`` that contains ``path`` or is it, None if none does."""
    containing = (folder for folder in folders if path.is_relative_to(folder))
    return max(containing, key=lambda folder: len(folder.parts), default=None)


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
