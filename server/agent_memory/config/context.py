"""The context of every query: home, working folder, settings, agent."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from agent_memory.config.settings import Settings
from agent_memory.fs.deleted_files import DeletedFiles
from agent_memory.fs.overlay import Store
from agent_memory.fs.program_text import ProgramTexts

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

AGENT_FOLDERS = (
    ".deepagents",
    ".agents",
    ".claude",
    ".cline/rules",
    ".codex",
    ".config/opencode",
    ".copilot",
    ".gemini",
    ".qwen",
    ".vibe",
)
"""Folders of the home folder in which agents keep the user's memory."""


@dataclass(frozen=True)
class Context:
    """The context of a query. Immutable; :meth:`with_` derives another one.

    ``home`` contains ``.deepagents``; ``cwd`` is the folder the agent would be started in;
    ``store`` reads files; ``env`` are the environment variables; ``agent`` and ``run`` are ids,
    None if they were not given; ``entries`` is the requested folder of learned entries, None for
    that of the settings or of the project; ``programs`` reads the texts of installed agents;
    ``history`` reads which files git deleted.
    """

    home: Path
    cwd: Path
    store: Store = field(default_factory=Store)
    settings: Settings = field(default_factory=Settings)
    env: Mapping[str, str] = field(default_factory=lambda: os.environ)
    agent: str | None = None
    run: str | None = None
    entries: Path | None = None
    programs: ProgramTexts = field(default_factory=ProgramTexts)
    history: DeletedFiles = field(default_factory=DeletedFiles)

    def with_(self, **changes: Any) -> Context:
        """Return a copy with ``changes``; it shares all else with this one, such as the store."""
        return replace(self, **changes)

    @property
    def user_folder(self) -> Path:
        """The folder of user memory of the deepagents family, ``~/.deepagents``."""
        return self.home / ".deepagents"

    def path_of(self, setting: str, value: str) -> Path:
        """Return the path ``value``, which the settings have in their field ``setting``.

        A relative path starts in the folder of the settings file that contains it, or in ``cwd`` if
        it does not come from a file. A ``~`` is not expanded.
        """
        return self.settings.folders.get(setting, self.cwd) / value

    @property
    def given_root(self) -> Path | None:
        """The project root that the settings name; None if they name none or it cannot be resolved.

        With None, each runtime finds the root by its own rule.
        """
        configured = self.settings.project_root
        try:
            return self.path_of("project_root", configured).resolve() if configured else None
        except (OSError, RuntimeError, ValueError):  # a symlink loop, a NUL in the name
            return None
