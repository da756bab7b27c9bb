"""Detect changes by other programs: agents, git, other editors.

Events of the operating system are only hints. 150 ms after the last one, a snapshot of the watched
files is compared with the previous one, and the differences are reported as one change, so one save
is one report. Without events (no inotify instances left, a network file system), the snapshots are
compared every second.
"""

from __future__ import annotations

import logging
import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agent_memory.l10n import t
from agent_memory.watch.os_events import OsEvents
from agent_memory.watch.snapshot import Scan, Targets, scan

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

logger = logging.getLogger(__name__)

DEBOUNCE = 0.150
"""Seconds without an event after which a save is complete."""
DEBOUNCE_MAX = 2.0
"""Seconds after which files are compared although events continue: a file is written steadily."""
POLL = 1.0
"""Seconds between two snapshots if there are no events."""
HEARTBEAT = 10.0
"""Seconds between two snapshots without an event: for dead threads and lost events."""


@dataclass(frozen=True, slots=True)
class WatchStatus:
    """How changes are detected, and the ``folders`` of the targets.

    ``backend`` is "polling", the name of the system's interface for events, or "starting" before
    the first folder is watched. ``reason`` says why it polls, else it is ''.
    """

    backend: str
    folders: tuple[Path, ...]
    reason: str = ""


class Watcher:
    """Reports changed paths to ``changed``, from its own thread.

    An empty set means: watching, or watching of other targets, has begun, so read again what was
    read before. ``degraded`` is called with the reason if the system has no more events.
    ``restored`` is called after events without a difference: a file may have changed, have been
    read by others, and have changed back. ``polling``: compare every ``poll`` seconds from the
    start.
    """

    def __init__(
        self,
        changed: Callable[[frozenset[Path]], None],
        degraded: Callable[[str], None] = lambda _: None,
        *,
        restored: Callable[[], None] = lambda: None,
        polling: bool = False,
        poll: float = POLL,
    ) -> None:
        self._changed = changed
        self._degraded = degraded
        self._restored = restored
        self._poll = poll
        self._targets = Targets()
        self._seen: Scan | None = None  # the last scan
        self._reason = t("polling is set") if polling else ""  # why it polls
        self._events = None if polling else OsEvents(self.hint)
        self._wake = threading.Event()
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None

    def watch(self, targets: Targets) -> None:
        """Watch only ``targets`` from now on; the first call starts the thread.

        May be called from any thread.
        """
        if targets == self._targets and self._thread:
            return
        self._targets = targets
        if self._thread is None:
            self._thread = threading.Thread(
                target=self._run, name="agent-memory-watch", daemon=True
            )
            self._thread.start()
        self.hint()

    def hint(self) -> None:
        """Compare soon: something may have changed. May be called from any thread."""
        self._wake.set()

    def stop(self) -> None:
        """Stop watching; nothing is reported afterwards."""
        self._stopping.set()
        self._wake.set()
        if self._thread:
            self._thread.join(timeout=2)  # seconds; a daemon thread ends with the process

    def status(self) -> WatchStatus:
        """Return how changes are detected now."""
        folders = tuple(sorted(self._targets.folders))
        if self._events is None:
            return WatchStatus("polling", folders, self._reason)
        return WatchStatus(self._events.backend, folders)

    def _run(self) -> None:
        """Examine at once, after each hint and after each interval without one, until stopped.

        A failure is logged, and the next examination tries again.
        """
        woken = False
        while not self._stopping.is_set():
            try:
                self._examine(woken=woken)
            except Exception:
                logger.exception("examining the watched files failed")
            interval = self._poll if self._events is None else HEARTBEAT
            woken = self._wake.wait(interval)  # False after the interval
            if woken:
                self._debounce()
        if self._events:
            self._events.stop()

    def _debounce(self) -> None:
        """Wait until there was no event for ``DEBOUNCE`` seconds; at most ``DEBOUNCE_MAX``."""
        deadline = time.monotonic() + DEBOUNCE_MAX
        self._wake.clear()
        while self._wake.wait(DEBOUNCE) and time.monotonic() < deadline:
            if self._stopping.is_set():
                return
            self._wake.clear()

    def _examine(self, *, woken: bool) -> None:
        """Scan; report the differences from the last examination.

        ``woken``: there was an event or a hint.
        """
        targets, before = self._targets, self._seen  # another thread may set other targets
        after = self._scan_and_follow(targets, before)
        if self._events is None and before:
            after = self._scan_until_complete(before, after)
        self._seen = after
        if self._stopping.is_set():
            return
        changed = after.changed(before) if before else frozenset()
        has_new_targets = before is None or before.targets != targets
        if has_new_targets:  # watching has begun: see the class
            self._changed(frozenset())
        if changed:
            self._changed(changed)
        elif woken and not has_new_targets:
            self._restored()

    def _scan_until_complete(self, before: Scan, after: Scan) -> Scan:
        """Return ``after``, or a later scan if the files continue to change.

        Without events nothing says when a save is complete. So scan until two scans are equal, but
        at most for ``DEBOUNCE_MAX``, and only while there is a difference from ``before``, the scan
        that was reported last.
        """
        deadline = time.monotonic() + DEBOUNCE_MAX
        while after.differs(before):
            if self._stopping.wait(DEBOUNCE) or time.monotonic() > deadline:
                break
            next_scan = scan(after.targets, after)
            if not next_scan.differs(after):
                break
            after = next_scan
        return after

    def _scan_and_follow(self, targets: Targets, before: Scan | None) -> Scan:
        """Return a scan of ``targets``, after which all its folders are watched.

        ``before`` is the last scan. If the system cannot watch them all, polling begins.
        """
        after = scan(targets, before)
        while self._events:
            try:
                if not self._events.follow(after):
                    break
            except OSError as error:
                self._fall_back(error)
            # A new folder may have changed before it was watched; or polling has begun.
            after = scan(targets, after)
        return after

    def _fall_back(self, error: OSError) -> None:
        """Continue with polling because of ``error``, and report it."""
        if self._events:  # always: the caller has just used them
            self._events.stop()
        self._events = None
        self._reason = t("the system has no more change events ({0})", error.strerror or error)
        self._degraded(self._reason)
