"""Targets, the end, and the thread of a watcher; what it does without events."""

import logging
import os
import queue
import resource
import sys
import threading
import time

import pytest
from watchdog.observers.api import EventEmitter

from agent_memory.watch.os_events import OsEvents
from agent_memory.watch.snapshot import Targets, scan
from agent_memory.watch.watcher import Watcher
from watch_kit import LONG, Seen, atomic, plain

pytestmark = [pytest.mark.slow, pytest.mark.waits]


def test_new_targets_replace_old_ones(home, tmp_path, watching):
    other = tmp_path / "other"
    other.mkdir()
    seen = watching(home)
    seen.watcher.watch(Targets(frozenset({other})))
    assert seen.reports.get(timeout=LONG) == frozenset()
    plain(home / "agent" / "agent.md")
    seen.nothing()
    plain(other / "agent.md")
    assert seen.one() == {other / "agent.md"}


def test_a_file_that_was_created_again_is_reported_as_restored(home):
    restored, changes = queue.Queue(), queue.Queue()
    watcher = Watcher(changes.put, restored=lambda: restored.put("restored"))
    watcher.watch(Targets(frozenset({home})))
    assert changes.get(timeout=LONG) == frozenset()
    path = home / "agent" / "agent.md"
    path.with_name("other").write_bytes(path.read_bytes())
    path.with_name("other").replace(path)
    assert restored.get(timeout=LONG) == "restored"
    assert changes.empty()
    watcher.stop()


def test_nothing_is_reported_after_the_stop(home, watching):
    seen = watching(home)
    seen.watcher.stop()
    plain(home / "agent" / "agent.md")
    seen.nothing()


@pytest.mark.parametrize("polling", [False, True], ids=["events", "polling"])
def test_a_file_that_is_written_all_the_time_is_reported(home, polling):
    seen = Seen(Targets(frozenset({home})), polling=polling)
    path, ended = home / "agent" / "agent.md", threading.Event()

    def write():
        number = 0
        while not ended.wait(0.03):
            number += 1
            path.write_text(f"{number}\n" * number)

    writer = threading.Thread(target=write)
    writer.start()
    try:
        seen.until(path)
        seen.watcher.stop()
        assert not seen.watcher._thread.is_alive()
    finally:
        ended.set()
        writer.join()


def event_thread():
    """Return the running thread that receives the events of the system, None without one."""
    running = (item for item in threading.enumerate() if item.name == "agent-memory-events")
    return next(running, None)


def test_a_dead_event_thread_is_restarted(home):
    seen = Seen(Targets(frozenset({home})), polling=False)
    dead = event_thread()
    dead.stop()
    dead.join()
    seen.watcher.hint()
    deadline = time.monotonic() + LONG
    while time.monotonic() < deadline and event_thread() is None:
        time.sleep(0.02)
    atomic(home / "agent" / "agent.md")
    assert seen.one() == {home / "agent" / "agent.md"}
    seen.watcher.stop()


@pytest.mark.skipif(sys.platform != "linux", reason="only its folders can get an inode again")
def test_a_folder_with_the_inode_of_a_deleted_one_is_watched(tmp_path, monkeypatch):
    """The thread that watched the deleted one may not have ended when the next scan follows."""
    folder, woken, goes_on = tmp_path / "home", threading.Event(), threading.Event()
    folder.mkdir()
    targets, events = Targets(frozenset({folder})), OsEvents(woken.set)
    events.follow(scan(targets, None))
    stop = EventEmitter.stop
    monkeypatch.setattr(EventEmitter, "stop", lambda self: (goes_on.wait(1), stop(self)))
    folder.rmdir()
    folder.mkdir()
    assert woken.wait(LONG)
    assert events.follow(scan(targets, None))
    goes_on.set()
    woken.clear()
    (folder / "agent.md").write_text("new\n")
    assert woken.wait(LONG)
    events.stop()


def test_a_folder_that_was_deleted_ends_no_other_watch(tmp_path, caplog):
    folder, woken = tmp_path / "home", threading.Event()
    folder.mkdir()
    targets, events = Targets(frozenset({folder})), OsEvents(woken.set)
    events.follow(scan(targets, None))
    thread = event_thread()
    folder.rmdir()
    assert woken.wait(LONG)
    events.follow(scan(targets, None))
    assert event_thread() is thread
    assert not caplog.records
    events.stop()


def test_without_file_handles_it_polls_and_says_why(home):
    low, high = resource.getrlimit(resource.RLIMIT_NOFILE)
    free = os.open(os.devnull, os.O_RDONLY)
    os.close(free)
    resource.setrlimit(resource.RLIMIT_NOFILE, (free + 1, high))  # one more file
    try:
        seen = Seen(Targets(frozenset({home})), polling=False)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (low, high))
    status = seen.watcher.status()
    assert status.backend == "polling"
    assert "change events" in status.reason
    assert seen.reasons == [status.reason]
    atomic(home / "agent" / "agent.md")
    assert seen.one() == {home / "agent" / "agent.md"}
    seen.watcher.stop()


def test_the_end_of_a_thread_is_no_error_in_the_log(home, caplog):
    events = OsEvents(lambda: None)
    events.follow(scan(Targets(frozenset({home}), frozenset()), None))
    logger = logging.getLogger("watchdog.observers.inotify")
    logger.error("InotifyEmitter.queue_events() called when the thread is inactive")
    logger.error("another problem")
    events.stop()
    assert [record.getMessage() for record in caplog.records] == ["another problem"]
