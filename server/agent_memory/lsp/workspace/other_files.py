"""Memory files of the workspace that no listed runtime reads: they have findings as well.

The whole workspace is listed for them, in a thread, when the first diagnostics have been sent.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from agent_memory.base.failures import log_failure

if TYPE_CHECKING:
    import asyncio
    from pathlib import Path

    from agent_memory.lsp.features.feature import Events
    from agent_memory.lsp.workspace.session import Session

DELAY = 1.0
"""Seconds after a change on disk: a debounce, and the first diagnostics have priority."""
MAX_FILES = 200
"""Files of a workspace folder; with more, the others are checked when they are opened."""


class OtherFiles:
    """Searches for these files and adds them to the session."""

    def __init__(self, session: Session, events: Events) -> None:
        self._session = session
        self._events = events
        self._timer: asyncio.TimerHandle | None = None

    def search(self) -> None:
        """Search soon; if the files are others than before, this is a change for all features."""
        if self._timer is None:
            self._timer = self._events.call_later(DELAY, self._start)

    def stop(self) -> None:
        """Start no search any longer."""
        if self._timer:
            self._timer.cancel()

    def _start(self) -> None:
        self._timer = None
        folders = list(self._session.folders)
        threading.Thread(
            target=self._find, args=(folders,), daemon=True, name="agent-memory-files"
        ).start()

    def _find(self, folders: list[Path]) -> None:
        from agent_memory.runtimes.known_files import known_files  # noqa: PLC0415 -- not at start

        found: dict[Path, list[Path]] = {}
        try:
            for folder in folders:
                found[folder] = known_files(folder)[0][:MAX_FILES]
        except Exception as error:  # noqa: BLE001 -- they are still checked when they are opened
            log_failure(error, "the search for memory files")
        self._events.call_soon(lambda: self._use(found))

    def _use(self, found: dict[Path, list[Path]]) -> None:
        if self._session.set_other_files(found):
            self._events.changed()
