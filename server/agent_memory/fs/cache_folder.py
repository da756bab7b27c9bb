"""The user's folder for what can be computed again."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


def cache_folder(env: Mapping[str, str]) -> Path:
    """Return the user's cache folder for Agent Memory; it may be missing.

    The folder is below XDG_CACHE_HOME, else on Windows below LOCALAPPDATA, else below ``~/.cache``.
    ``env`` are the variables; an empty one counts as not set.
    """
    if env.get("XDG_CACHE_HOME"):
        return Path(env["XDG_CACHE_HOME"]) / "agent-memory"
    if sys.platform == "win32" and env.get("LOCALAPPDATA"):
        return Path(env["LOCALAPPDATA"]) / "agent-memory" / "cache"
    return Path(env.get("HOME") or Path.home()) / ".cache" / "agent-memory"
