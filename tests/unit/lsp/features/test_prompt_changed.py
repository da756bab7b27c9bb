"""``agentMemory/changed`` is sent once for many changes, and not at all without a change."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from agent_memory.lsp.host import Host
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

    def call_later(_seconds: float, call: Callable[[], None]) -> _Timer:
        host.timers.append(_Timer(call))
        return host.timers[-1]

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


def test_an_unchanged_prompt_is_not_notified_again(server: Any):
    for _ in range(3):
        server.events.changed()
        _fire(server)
    assert len(server.sent) == 1
