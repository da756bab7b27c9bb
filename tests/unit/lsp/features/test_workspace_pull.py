"""Editors pull all diagnostics every other second, also while the user types."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.lsp.host import Host
from agent_memory.lsp.protocol.client_capabilities import ClientCapabilities
from agent_memory.lsp.workspace import deferred_rules
from agent_memory.lsp.workspace.documents import Document
from kit import write

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import pytest

TEXT = "# Notes\n\n- see [one](docs/none.md)\n"
ABLE = {"workspace": {"diagnostics": {"refreshSupport": True}}, "textDocument": {"diagnostic": {}}}


class Timer:
    def cancel(self) -> None: ...


def test_files_of_a_closed_folder_are_not_checked_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    roots = [
        write(tmp_path / name, {".git/HEAD": "x", "AGENTS.md": TEXT}) for name in ("one", "two")
    ]
    server = Host(write(tmp_path / "home", {".keep": ""}))
    calls: list[Callable[[], None]] = []
    monkeypatch.setattr(server.events, "call_later", lambda _, call: calls.append(call) or Timer())
    monkeypatch.setattr(server.events, "call_soon", calls.append)
    monkeypatch.setattr(deferred_rules, "SLOW", -1.0)  # every rule
    session = server.session
    session.capabilities = ClientCapabilities({"capabilities": ABLE})
    session.set_folders(roots)
    document = Document((roots[0] / "AGENTS.md").as_uri(), TEXT, 1)
    session.documents.open(document)
    pull = server.fast_lane.handlers["workspace/diagnostic"]
    pull({})
    session.set_folders(roots[:1])
    server.events.folders_changed()
    pull({})
    document.apply({"text": f"{TEXT}- more\n"}, "utf-16")
    calls.clear()
    pull({})
    checked: list[Path] = []
    findings = session.findings
    monkeypatch.setattr(
        session, "findings", lambda path, **more: checked.append(path) or findings(path, **more)
    )
    calls[-1]()  # typing paused
    assert roots[0] / "AGENTS.md" in checked
    assert roots[1] / "AGENTS.md" not in checked


def test_slow_rules_are_deferred_until_typing_pauses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    root = write(tmp_path / "ws", {".git/HEAD": "x", "AGENTS.md": TEXT})
    server = Host(write(tmp_path / "home", {".keep": ""}))
    calls: list[Callable[[], None]] = []
    monkeypatch.setattr(server.events, "call_later", lambda _, call: calls.append(call) or Timer())
    monkeypatch.setattr(deferred_rules, "SLOW", -1.0)  # every rule
    session = server.session
    session.capabilities = ClientCapabilities({"capabilities": ABLE})
    session.set_folders([root])
    uri = (root / "AGENTS.md").as_uri()
    document = Document(uri, TEXT, 1)
    session.documents.open(document)
    pull = server.fast_lane.handlers["workspace/diagnostic"]
    pull({})
    (view,) = session.projects.known_views()
    assert not view.has_stale
    document.apply({"text": TEXT + "- see [two](docs/none-too.md)\n"}, "utf-16")
    pull({})
    assert view.has_stale
    calls[-1]()  # typing paused
    assert not view.has_stale
    (report,) = [item for item in pull({})["items"] if item["uri"] == uri]
    assert [
        item["range"]["start"]["line"] for item in report["items"] if item["code"] == "AM502"
    ] == [2, 3]


def test_complete_report_to_the_workspace_does_not_count_for_an_open_document(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """An editor uses only the answers to pulls of a document while that is open."""
    root = write(tmp_path / "ws", {".git/HEAD": "x", "AGENTS.md": TEXT})
    server = Host(write(tmp_path / "home", {".keep": ""}))
    calls: list[Callable[[], None]] = []
    monkeypatch.setattr(server.events, "call_later", lambda _, call: calls.append(call) or Timer())
    requests: list[str] = []
    monkeypatch.setattr(server.client, "request", lambda method, _: requests.append(method))
    monkeypatch.setattr(deferred_rules, "SLOW", -1.0)  # every rule
    session = server.session
    session.capabilities = ClientCapabilities({"capabilities": ABLE})
    session.set_folders([root])
    uri = (root / "AGENTS.md").as_uri()
    document = Document(uri, TEXT, 1)
    session.documents.open(document)
    pull = server.fast_lane.handlers["textDocument/diagnostic"]
    params = {"textDocument": {"uri": uri}}
    pull(params)
    document.apply({"text": TEXT + "- see [two](docs/none-too.md)\n"}, "utf-16")
    deferred = pull(params)
    session.findings(root / "AGENTS.md")  # another feature needs complete findings
    server.fast_lane.handlers["workspace/diagnostic"]({})
    calls[-1]()  # typing paused
    assert requests == ["workspace/diagnostic/refresh"]
    assert len(pull(params)["items"]) > len(deferred["items"])
