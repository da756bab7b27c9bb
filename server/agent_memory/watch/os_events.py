"""Change events of the operating system, from watchdog, as wake-up calls."""

from __future__ import annotations

import logging
import warnings
from pathlib import PurePath
from typing import TYPE_CHECKING

from agent_memory.watch.snapshot import SUFFIXES

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from watchdog.events import FileSystemEvent
    from watchdog.observers.api import BaseObserver, ObservedWatch

    from agent_memory.watch.snapshot import Scan, Watch

logger = logging.getLogger(__name__)


class OsEvents:
    """Watches the folders of a scan and calls ``wake``, in a thread, on a relevant change.

    ``backend`` is the name of the system's interface, such as "inotify", or "starting" before the
    first folder is watched.
    """

    def __init__(self, wake: Callable[[], None]) -> None:
        self._wake = wake
        self._observer: BaseObserver | None = None
        # By folder: its value in `Scan.watches`, and the watch of watchdog.
        self._watches: dict[Path, tuple[Watch, ObservedWatch]] = {}
        self._names: frozenset[str] = frozenset()  # an event of such a name is always relevant
        self._deleted: set[PurePath] = set()  # folders, since the last call of follow
        self.backend = "starting"

    def follow(self, scan: Scan) -> bool:
        """Watch only the folders of ``scan``; return whether some are new.

        After True, scan again: what changed before a folder was watched sent no event.

        Raises:
            OSError: the system has no more watches (EMFILE, ENOSPC).

        """
        if self._observer and not self._observer.is_alive():
            logger.warning("the thread that watches files has ended; starting it again")
            self.stop()
        # Each folder on the way to a target may be created, renamed or removed.
        paths = scan.targets.folders | scan.targets.files
        parts = {part for path in paths for part in path.parts[1:]}  # without the root
        self._names = frozenset(parts | scan.links)
        ended = self._ended_folders()
        for folder, (watch, observed) in list(self._watches.items()):
            if scan.watches.get(folder) != watch or folder in ended:
                self._unschedule(folder, observed)
        new = [folder for folder in scan.watches if folder not in self._watches]
        for folder in new:
            self._schedule(folder, scan.watches[folder])
        return bool(new)

    def stop(self) -> None:
        """Stop all threads and forget the watches; :meth:`follow` starts again."""
        self._watches.clear()
        if self._observer and self._observer.is_alive():
            self._observer.stop()
            self._observer.join(timeout=2)  # seconds; a daemon thread ends with the process
        self._observer = None

    def _schedule(self, folder: Path, watch: Watch) -> None:
        """Watch ``folder`` as ``watch`` says if it still exists; the first one starts a thread."""
        from watchdog.observers import Observer  # noqa: PLC0415 -- 20 ms that a check never needs

        if self._observer is None:
            # A folder that is created while its parent is walked is added twice; this is harmless.
            warnings.filterwarnings("ignore", r"Callback with id '\d+' already exists")
            logging.getLogger("watchdog.observers.inotify").addFilter(_is_worth_logging)
            observer = Observer()
            observer.name = "agent-memory-events"
            observer.daemon = True
            observer.start()
            self._observer = observer
            self.backend = type(observer).__name__.removesuffix("Observer").lower()
        try:
            observed = self._observer.schedule(
                _Handler(self._happened),  # type: ignore[arg-type]
                str(folder),
                recursive=watch.below,
                event_filter=_event_types(),
            )
        except FileNotFoundError:  # removed since the scan: its parent sends an event
            return
        self._watches[folder] = (watch, observed)

    def _unschedule(self, folder: Path, observed: ObservedWatch) -> None:
        """Stop to watch ``folder``; the watch ``observed`` may have ended by itself."""
        del self._watches[folder]
        try:
            if self._observer:
                self._observer.unschedule(observed)
        except (KeyError, OSError, RuntimeError):
            logger.debug("a watch has already ended")

    def _ended_folders(self) -> set[PurePath]:
        """Return the folders whose watch has ended, or soon ends because they were deleted.

        Comparing inodes does not find them: a folder that is created again can have the inode of
        the deleted one.
        """
        # Popped one by one, because the thread of the events may add others meanwhile.
        ended = {self._deleted.pop() for _ in range(len(self._deleted))}
        emitters = self._observer.emitters if self._observer else ()
        ended.update(PurePath(item.watch.path) for item in emitters if not item.is_alive())
        return ended

    def _happened(self, event: FileSystemEvent) -> None:
        """Call ``wake`` if a folder, or a file that a scan could examine, has changed.

        Runs in the thread of the events.
        """
        for name in (event.src_path, event.dest_path):  # the second: after a rename, else ''
            path = PurePath(name if isinstance(name, str) else name.decode("utf-8", "replace"))
            if event.is_directory and event.event_type == "deleted":
                self._deleted.add(path)
            if event.is_directory or path.suffix.lower() in SUFFIXES or path.name in self._names:
                self._wake()
                return


class _Handler:
    """The handler that watchdog calls. An exception in it would end the thread of the events."""

    def __init__(self, happened: Callable[[FileSystemEvent], None]) -> None:
        self._happened = happened

    def dispatch(self, event: FileSystemEvent) -> None:
        """Handle ``event``, and log an exception."""
        try:
            self._happened(event)
        except Exception:
            logger.exception("a change event could not be handled")


def _is_worth_logging(record: logging.LogRecord) -> bool:
    """Whether to log ``record``; not if a thread was stopped while it read, which is harmless."""
    return "when the thread is inactive" not in record.getMessage()


def _event_types() -> list[type[FileSystemEvent]]:
    """Return the types of events that mean a change; reading a file causes others.

    A modified folder is left out: the file or folder in it that changed has an event of its own.
    """
    from watchdog import events  # noqa: PLC0415 -- not at start

    return [
        events.FileCreatedEvent,
        events.FileModifiedEvent,
        events.FileMovedEvent,
        events.FileDeletedEvent,
        events.FileClosedEvent,
        events.DirCreatedEvent,
        events.DirMovedEvent,
        events.DirDeletedEvent,
    ]
