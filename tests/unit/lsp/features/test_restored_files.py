"""A file that changes and changes back before the watcher looks may have been read in between."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from agent_memory.lsp.features.file_watching import FileWatching
from agent_memory.lsp.host import Host
from agent_memory.lsp.protocol.client_capabilities import ClientCapabilities
from kit import write

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

CLEAN = "# Notes\n\n- Use tabs.\n"
HIDDEN = "# Notes\n\n- Use\u200b tabs.\n"


class Timer:
    def cancel(self) -> None: ...


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Host:
    """Return a server with one folder, whose messages are kept and whose timers never wait."""
    root = write(tmp_path / "project", {".git/HEAD": "x", ".deepagents/agent.md": CLEAN})
    host = Host(write(tmp_path / "home", {".keep": ""}))
    host.session.set_folders([root])
    timers: list[Callable[[], None]] = []

    def call_later(seconds: float, call: Callable[[], None]) -> Timer:
        if seconds < 1:  # a later one is for a new listing of the workspace, again until it is due
            timers.append(call)
        return Timer()

    monkeypatch.setattr(host.events, "call_later", call_later)
    host.timers = timers  # type: ignore[attr-defined]
    sent: list[tuple[str, Any]] = []
    monkeypatch.setattr(type(host.client), "notify", lambda _, *message: sent.append(message))
    host.sent = sent  # type: ignore[attr-defined]
    return host


def _last(server: Any, method: str) -> Any:
    while server.timers:
        server.timers.pop(0)()
    return [params for name, params in server.sent if name == method][-1]


def test_the_prompt_is_reported_again(server: Any, tmp_path: Path):
    path = tmp_path / "project/.deepagents/agent.md"
    server.events.changed()
    before = _last(server, "agentMemory/changed")
    path.write_text("# Notes\n\n- Use spaces.\n", "utf-8")
    server.events.paused()  # reads the disk
    assert _last(server, "agentMemory/changed")["hash"] != before["hash"]
    path.write_text(CLEAN, "utf-8")
    server.events.restored()
    assert _last(server, "agentMemory/changed")["hash"] == before["hash"]


def test_diagnostics_are_published_again(server: Any, tmp_path: Path):
    path = tmp_path / "project/.deepagents/agent.md"
    server.session.capabilities = ClientCapabilities({"capabilities": {}})
    server.events.changed()
    path.write_text(HIDDEN, "utf-8")
    server.events.edited()
    server.events.idle()
    assert "AM107" in {item["code"] for item in _published(server)}
    path.write_text(CLEAN, "utf-8")
    server.events.restored()
    assert "AM107" not in {item["code"] for item in _published(server)}


def test_settings_are_read_again(server: Any, tmp_path: Path):
    root = tmp_path / "project"
    server.session.capabilities = ClientCapabilities({"capabilities": {}})
    (root / ".deepagents/agent.md").write_text(HIDDEN, "utf-8")
    server.events.changed()
    assert "AM107" in {item["code"] for item in _published(server)}
    settings = root / ".deepagents/agent-memory.toml"
    settings.write_text('[rules]\nAM107 = "off"\n', "utf-8")
    server.session.disk_changed()  # by another feature
    server.events.edited()
    server.events.idle()
    assert "AM107" not in {item["code"] for item in _published(server)}
    settings.unlink()
    [watching] = [item for item in server.events.features if isinstance(item, FileWatching)]
    watching.restored()
    assert "AM107" in {item["code"] for item in _published(server)}


def _published(server: Any) -> list[Any]:
    return _last(server, "textDocument/publishDiagnostics")["diagnostics"]
