"""Settings that a project may not make before the user trusts it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import PurePosixPath, PureWindowsPath
from typing import TYPE_CHECKING, Any

from agent_memory.config.settings import KEYS

if TYPE_CHECKING:
    from agent_memory.config.settings import Settings

_NEVER = (
    *("interpreter", "memory_template"),
    *(field for key, field in KEYS.items() if key.startswith("agents.")),
)
"""Fields that an untrusted project may not set."""
_INSIDE = ("project_root", "sources", "skill_folders", "drover_entries", "drover_filenames")
"""Fields that it may set to paths inside of the project."""


def without_trust(settings: Settings, defaults: Settings) -> Settings:
    """Return the project's ``settings``, with ``defaults`` in the fields that it may not set.

    ``defaults`` are the settings without those of the project, such as the user's. A project may
    not name a program, a template or a file outside of itself: files that are read are also
    displayed, possibly in a screenshot or a shared window.
    """
    risky = [name for name in _INSIDE if _leaves_project(getattr(settings, name))]
    reset = (*_NEVER, *risky)
    # The folder that a relative path starts at comes from the same settings as the path.
    folders = {name: start for name, start in settings.folders.items() if name not in reset}
    folders |= {name: start for name, start in defaults.folders.items() if name in reset}
    safe = {name: getattr(defaults, name) for name in reset}
    return replace(settings, folders=folders, **safe)


def _leaves_project(value: Any) -> bool:
    """Whether the path ``value``, or a path of the list, is absolute or contains ``~`` or ``..``.

    ``~`` counts only at the start of a path.
    """
    if isinstance(value, list):
        return any(map(_leaves_project, value))
    posix, windows = PurePosixPath(value), PureWindowsPath(value)  # settings may be for either
    if posix.is_absolute() or windows.anchor or value.startswith("~"):
        return True
    return ".." in posix.parts or ".." in windows.parts
