"""The search for other memory files after a change on disk."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

import pytest

from agent_memory.fs import file_index
from agent_memory.lsp.workspace.other_files import DELAY, OtherFiles
from agent_memory.lsp.workspace.session import Session
from agent_memory.runtimes.known_files import known_files
from kit import write

if TYPE_CHECKING:
    from collections.abc import Callable


class _Timer:
    def __init__(self, seconds: float, call: Callable[[], None]) -> None:
        self.seconds, self.call, self.is_canceled = seconds, call, False

    def cancel(self) -> None:
        self.is_canceled = True


class _Events:
    """Timers that end, and calls of other threads that run, when the test says so."""

    def __init__(self) -> None:
        self.timers: list[_Timer] = []
        self.calls: list[Callable[[], None]] = []
        self.call_soon = self.calls.append

    def call_later(self, seconds: float, call: Callable[[], None]) -> _Timer:
        self.timers.append(_Timer(seconds, call))
        return self.timers[-1]

    def changed(self) -> None:
        """Do nothing: no other feature listens."""

    def waiting(self) -> list[_Timer]:
        return [timer for timer in self.timers if not timer.is_canceled]

    def end_timer(self) -> None:
        """End the next timer, and wait for the search that it starts."""
        timer = self.waiting()[0]
        self.timers.remove(timer)
        timer.call()
        for thread in threading.enumerate():
            if thread.name == "agent-memory-files":
                thread.join()
        for call in self.calls[:]:
            self.calls.remove(call)
            call()


@pytest.fixture
def session(tmp_path):
    session = Session(write(tmp_path / "home", {".keep": ""}), {})
    session.set_folders([write(tmp_path / "ws", {".git/HEAD": "x", "AGENTS.md": "# A\n"})])
    return session


def _expire(root: Any) -> None:
    ended, seconds, listing = file_index._listings[root]
    file_index._listings[root] = (ended - 1_000, seconds, listing)


def test_a_listing_from_before_the_change_is_followed_by_a_newer_one(session):
    [root] = session.folders
    known_files(root)  # caches a listing
    created = write(root, {"sub/CLAUDE.md": "# B\n"}) / "sub/CLAUDE.md"
    events = _Events()
    other_files = OtherFiles(session, events)
    other_files.search()
    assert [timer.seconds for timer in events.waiting()] == [DELAY]
    events.end_timer()
    assert created not in session.all_paths()  # the cached listing
    [again] = events.waiting()
    assert 0 < again.seconds <= file_index._LISTING_SECONDS
    _expire(root)
    events.end_timer()
    assert created in session.all_paths()
    assert events.waiting() == []


def test_a_search_with_a_new_listing_is_not_repeated(session):
    events = _Events()
    other_files = OtherFiles(session, events)
    other_files.search()
    events.end_timer()
    assert events.waiting() == []


def test_no_search_follows_the_end_of_the_server(session):
    known_files(*session.folders)
    events = _Events()
    other_files = OtherFiles(session, events)
    other_files.search()
    events.end_timer()
    other_files.search()
    assert len(events.waiting()) == 2
    other_files.stop()
    assert events.waiting() == []
