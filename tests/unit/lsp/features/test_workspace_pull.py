"""When an editor that pulls diagnostics is made to pull them again.

Editors also pull those of the whole workspace every other second, while the user types.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from agent_memory.lsp.host import Host
from agent_memory.lsp.protocol.client_capabilities import ClientCapabilities
from agent_memory.lsp.workspace import deferred_rules
from agent_memory.lsp.workspace.documents import Document
from kit import write

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

TEXT = "# Notes\n\n- see [one](docs/none.md)\n"
MORE = TEXT + "- see [two](docs/none-too.md)\n"
ABLE = {"workspace": {"diagnostics": {"refreshSupport": True}}, "textDocument": {"diagnostic": {}}}


class Timer:
    def __init__(self, call: Callable[[], None]) -> None:
        self.call = call

    def cancel(self) -> None:
        self.call = lambda: None


class Editor:
    """An editor with the folders "one" and "two", and AGENTS.md of the first one open."""

    def __init__(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        roots = [
            write(tmp_path / name, {".git/HEAD": "x", "AGENTS.md": TEXT}) for name in ("one", "two")
        ]
        server = Host(write(tmp_path / "home", {".keep": ""}))
        self.events, self.session, self.client = server.events, server.session, server.client
        self.handlers = server.fast_lane.handlers
        self.timers: list[Timer] = []
        self.requests: list[str] = []  # of the server
        monkeypatch.setattr(self.events, "call_later", self._call_later)
        monkeypatch.setattr(self.client, "request", lambda method, _: self.requests.append(method))
        self.session.capabilities = ClientCapabilities({"capabilities": ABLE})
        self.session.set_folders(roots)
        self.path = roots[0] / "AGENTS.md"
        self.document = Document(self.path.as_uri(), TEXT, 1)
        self.session.documents.open(self.document)

    def _call_later(self, _seconds: float, call: Callable[[], None]) -> Timer:
        self.timers.append(Timer(call))
        return self.timers[-1]

    def pull(self) -> list[int]:
        """Pull the open document; return the lines of its broken links."""
        params = {"textDocument": {"uri": self.document.uri}}
        return _lines(self.handlers["textDocument/diagnostic"](params))

    def pull_all(self) -> list[int]:
        """Pull the workspace; return the lines of the broken links in the open document."""
        items = self.handlers["workspace/diagnostic"]({})["items"]
        return _lines(next(item for item in items if item["uri"] == self.document.uri))

    def edit(self, text: str) -> None:
        self.document.apply({"text": text}, "utf-16")
        self.events.edited()

    def pause(self) -> None:
        """Do not type for a while."""
        while self.timers:
            self.timers.pop(0).call()


def _lines(report: dict[str, Any]) -> list[int]:
    found = [item for item in report["items"] if item["code"] == "AM502"]
    return [item["range"]["start"]["line"] for item in found]


@pytest.fixture
def editor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Editor:
    monkeypatch.setattr(deferred_rules, "SLOW", -1.0)  # every rule
    return Editor(tmp_path, monkeypatch)


def test_files_of_a_closed_folder_are_not_checked_again(
    editor: Editor, monkeypatch: pytest.MonkeyPatch
):
    editor.pull_all()
    roots = list(editor.session.folders)
    editor.session.set_folders(roots[:1])
    editor.events.folders_changed()
    editor.pull_all()
    editor.timers.clear()
    editor.edit(MORE)
    editor.pull_all()
    checked: list[Path] = []
    findings = editor.session.findings

    def find(path: Path, **more: bool) -> Any:
        checked.append(path)
        return findings(path, **more)

    monkeypatch.setattr(editor.session, "findings", find)
    editor.pause()
    assert roots[0] / "AGENTS.md" in checked
    assert roots[1] / "AGENTS.md" not in checked


def test_slow_rules_are_deferred_until_typing_pauses(editor: Editor):
    assert editor.pull_all() == [2]
    editor.edit(MORE)
    assert editor.pull_all() == [2]
    editor.pause()
    assert editor.requests == ["workspace/diagnostic/refresh"]
    assert editor.pull_all() == [2, 3]


def test_complete_report_to_the_workspace_does_not_count_for_an_open_document(editor: Editor):
    """An editor uses only the answers to pulls of a document while that is open."""
    editor.pull()
    editor.edit(MORE)
    assert editor.pull() == [2]
    editor.session.findings(editor.path)  # another feature needs complete findings
    assert editor.pull_all() == [2, 3]
    editor.pause()
    assert editor.requests == ["workspace/diagnostic/refresh"]
    assert editor.pull() == [2, 3]


def test_pull_that_arrives_together_with_the_edit_is_followed_by_a_refresh(editor: Editor):
    """The end of the messages that arrived together postpones the deferred rules, no more."""
    editor.pull()
    editor.edit(MORE)
    assert editor.pull() == [2]
    editor.events.idle()
    editor.pause()
    assert editor.requests == ["workspace/diagnostic/refresh"]
    assert editor.pull() == [2, 3]


def test_findings_of_a_closed_document_whose_file_is_gone_are_cleared(editor: Editor):
    editor.pull_all()
    editor.pull()
    editor.session.documents.close(editor.document.uri)
    editor.session.disk_changed()
    assert editor.pull() == [2]  # editors pull a last time
    editor.path.unlink()
    editor.session.disk_changed()
    assert editor.pull_all() == []


def test_one_refresh_is_requested_until_the_editor_pulls(editor: Editor):
    editor.pull()
    editor.edit(MORE)
    editor.pull()
    editor.pause()
    editor.events.restored()
    assert editor.requests == ["workspace/diagnostic/refresh"]
