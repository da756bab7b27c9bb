"""What a project's own settings may not do before the user trusts it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import PurePosixPath, PureWindowsPath
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from agent_memory.config.settings import Settings

_NEVER = ("interpreter", "memory_template")
_INSIDE = ("project_root", "sources", "skill_folders", "drover_entries", "drover_filenames")


def without_trust(settings: Settings, defaults: Settings) -> Settings:
    """Return ``settings`` of a project with the default where one would reach beyond it.

    None may name a program or a template, and none a file outside of the project: what is read
    is shown, and its first lines may be in a screenshot or a shared window.
    """
    risky = [name for name in _INSIDE if _leads_out(getattr(settings, name))]
    return replace(settings, **{name: getattr(defaults, name) for name in (*_NEVER, *risky)})


def _leads_out(value: Any) -> bool:
    """Whether a path, or one of a list of paths, is absolute, of a home folder or climbs."""
    if isinstance(value, list):
        return any(map(_leads_out, value))
    posix, windows = PurePosixPath(value), PureWindowsPath(value)
    if posix.is_absolute() or windows.anchor or value.startswith("~"):
        return True
    return ".." in posix.parts or ".." in windows.parts
