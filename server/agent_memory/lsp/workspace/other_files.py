"""What takes too long for the first diagnostics: other memory files, and the history of git.

Memory files that no listed runtime reads have findings as well; the whole workspace is listed for
them. The history says which files a project no longer has. Both are searched in a thread.
"""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

from agent_memory.base.failures import log_failure
from agent_memory.fs.file_index import seconds_until_newer

if TYPE_CHECKING:
    from pathlib import Path

    from agent_memory.lsp.features.feature import Events
    from agent_memory.lsp.features.timer import Timer
    from agent_memory.lsp.workspace.session import Session

DELAY = 1.0
"""Seconds until the search: one for all changes until then, and after the first diagnostics."""
MAX_FILES = 200
"""Files of a workspace folder that are used; others are checked when they are opened."""


class OtherFiles:
    """Searches for other memory files and reads the history; adds both to the session."""

    def __init__(self, session: Session, events: Events) -> None:
        self._session = session
        self._events = events
        self._timer: Timer | None = None
        self._again: Timer | None = None  # of a search with newer listings: see _start
        self._changed = 0.0  # when `search` was last called: the time of the last change

    def search(self) -> None:
        """Search soon; a result other than before is a change for all features."""
        self._changed = time.monotonic()
        if self._timer is None:
            self._timer = self._events.call_later(DELAY, self._start)

    def stop(self) -> None:
        """Cancel the searches that are about to start, if any."""
        for timer in filter(None, (self._timer, self._again)):
            timer.cancel()

    def _start(self) -> None:
        """Start the search in a thread of its own.

        If a cached listing is older than the last change, search again when it has expired: a new
        one after each change would list a large workspace all the time.
        """
        self.stop()  # each of the two timers calls this; one search does for both
        self._timer = self._again = None
        folders, roots = list(self._session.folders), self._session.git_roots()
        # Of each folder, in seconds; 0.0 if this search gets a listing newer than the change.
        waits = [seconds_until_newer(folder, self._changed) for folder in folders]
        if any(waits):
            self._again = self._events.call_later(min(filter(None, waits)), self._start)
        threading.Thread(
            target=self._find, args=(folders, roots), daemon=True, name="agent-memory-files"
        ).start()

    def _find(self, folders: list[Path], roots: set[Path]) -> None:
        """Search all of ``folders``, and read the git histories of ``roots``, in a thread.

        After a failure, what was found before it is added to the session.
        """
        from agent_memory.runtimes.known_files import known_files  # noqa: PLC0415 -- not at start

        found: dict[Path, list[Path]] = {}  # by workspace folder: its memory files
        has_new_history = False
        try:
            for folder in folders:
                paths, _ = known_files(folder)  # the other value: whether all were found
                found[folder] = paths[:MAX_FILES]
            for root in roots:
                has_new_history = self._session.history.load(root) or has_new_history
        except Exception as error:  # noqa: BLE001 -- they are still checked when they are opened
            log_failure(error, "the search for memory files")
        self._events.call_soon(lambda: self._add(found, has_new_history=has_new_history))

    def _add(self, found: dict[Path, list[Path]], *, has_new_history: bool) -> None:
        """Add the results of a search to the session; report a change if one of them is new.

        ``found`` are the memory files by workspace folder. ``has_new_history``: a git history was
        loaded that the session did not have.
        """
        has_new_files = self._session.set_other_files(found)  # opens the projects again
        if has_new_history:
            self._session.disk_changed()
        if has_new_files or has_new_history:
            self._events.changed()
