"""``agentMemory/changed`` is sent once for many changes, and not at all without a change."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import pytest

from agent_memory.lsp.host import Host
from agent_memory.lsp.workspace.project_view import LARGE
from kit import write

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


class _Timer:
    """A timer without a clock: it fires when the test says so, unless it was canceled."""

    def __init__(self, call: Callable[[], None]) -> None:
        self.call: Callable[[], None] | None = call

    def cancel(self) -> None:
        self.call = None


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return a server with one memory file, with its ``timers`` and ``sent`` notifications."""
    root = write(tmp_path / "project", {".git/HEAD": "x", ".deepagents/agent.md": "# Notes\n"})
    host: Any = Host(write(tmp_path / "home", {".keep": ""}))
    host.session.set_folders([root])
    host.timers, host.sent = [], []

    def call_later(seconds: float, call: Callable[[], None]) -> _Timer:
        timer = _Timer(call)
        if seconds < 1:  # a later one is for a new listing of the workspace, again until it is due
            host.timers.append(timer)
        return timer

    def notify(_client: Any, method: str, params: Any) -> None:
        if method == "agentMemory/changed":
            host.sent.append(params)

    monkeypatch.setattr(host.events, "call_later", call_later)
    monkeypatch.setattr(type(host.client), "notify", notify)
    return host


def _fire(server: Any) -> None:
    """Let the time of all timers pass, also of those that others start."""
    while server.timers:
        call = server.timers.pop(0).call
        if call:
            call()


def test_many_changes_are_one_notification(server: Any, tmp_path: Path):
    path = tmp_path / "project/.deepagents/agent.md"
    for number in range(5):
        path.write_text(f"# Typed {number}\n", "utf-8")
        server.events.changed()
    assert server.sent == []
    assert [timer.call.__name__ for timer in server.timers if timer.call].count("_compare") == 1
    _fire(server)
    assert len(server.sent) == 1
    path.write_text("# Typed 4\n\n- more\n", "utf-8")
    server.events.changed()
    _fire(server)
    assert len({told["hash"] for told in server.sent}) == 2


def test_a_large_project_is_compared_after_its_first_check(server: Any, tmp_path: Path):
    text = "# Notes\n\n" + "- a long note\n" * (LARGE // 10) + "<<<<<<< a\n=======\n>>>>>>> b\n"
    (tmp_path / "project/.deepagents/agent.md").write_text(text, "utf-8")
    server.events.changed()  # starts the check in its thread
    _fire(server)
    assert server.sent == []
    deadline = time.monotonic() + 60
    while not server.sent and time.monotonic() < deadline:
        calls, server.events._calls = server.events._calls, []  # of the thread for the loop
        for call in calls:
            call()
        _fire(server)
        time.sleep(0.01)
    assert len(server.sent) == 1
    assert server.sent[0]["errors"]


def test_an_unchanged_prompt_is_not_notified_again(server: Any):
    for _ in range(3):
        server.events.changed()
        _fire(server)
    assert len(server.sent) == 1
