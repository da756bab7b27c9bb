"""Files as they were last committed, to compare what an agent would have received then."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

from agent_memory.files import Failure, FileText, decode
from agent_memory.store import Store

if TYPE_CHECKING:
    from pathlib import Path

_TIMEOUT = 5.0
"""Seconds one question to git may take; a file it cannot tell about is taken from disk."""


class CommittedStore(Store):
    """Reads files as git's HEAD has them, and from disk where no repository holds them.

    Asks git for the blob only: no filter, text conversion or hook of the repository is run.
    """

    def __init__(self) -> None:
        super().__init__()
        self._repositories: dict[Path, bool] = {}
        self._committed: dict[Path, FileText] = {}

    def read(self, path: Path) -> FileText:
        """Return ``path`` as committed; missing where HEAD does not have it. Never raises."""
        if not self._in_repository(path.parent):
            return self.saved(path)
        known = self._committed.get(path)
        if known is None:
            blob = _git(path.parent, "cat-file", "blob", f"HEAD:./{path.name}")
            content = (
                FileText(path, failure=Failure.MISSING) if blob is None else decode(path, blob)
            )
            known = self._committed[path] = content
        return known

    def _in_repository(self, folder: Path) -> bool:
        known = self._repositories.get(folder)
        if known is None:
            known = _git(folder, "rev-parse", "--verify", "--quiet", "HEAD") is not None
            self._repositories[folder] = known
        return known


def _git(folder: Path, *args: str) -> bytes | None:
    """Return what git prints, None where it fails, is not there or takes too long."""
    command = ["git", "-C", str(folder), *args]
    try:
        done = subprocess.run(command, capture_output=True, check=False, timeout=_TIMEOUT)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 else None
