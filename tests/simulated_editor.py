"""A server and an editor in one thread: a test decides what happens next.

Timers, checks in the background and calls of other threads wait until a step runs one of them. The
editor behaves as the client library of VS Code does.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from agent_memory.lsp.features.diagnostics import Diagnostics
from agent_memory.lsp.features.file_watching import FileWatching
from agent_memory.lsp.features.prompt_changed import PromptChanged
from agent_memory.lsp.host import Host
from agent_memory.lsp.protocol.client_capabilities import ClientCapabilities
from agent_memory.lsp.workspace import deferred_rules, project_view
from kit import write

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import pytest

PULL = {"textDocument": {"diagnostic": {}}}
REFRESH = PULL | {"workspace": {"diagnostics": {"refreshSupport": True}}}
CLIENTS = {"pulls": PULL, "refreshes": REFRESH, "is published to": {}}
FILES = (".deepagents/agent.md", "AGENTS.md", "CLAUDE.md", "sub/AGENTS.md")
TEXTS = (
    "# Notes\n\n- clean\n",
    "# Notes\n\n- hidden\u200b\n",
    "",
    "# Notes\n\n- see [x](none.md)\n- see `docs/none.md`\n\n## Empty\n",
    "# Notes\n\n- Use tabs.\n- Use spaces, not tabs.\n",
)
WORKSPACE = ""
"""Stands for the URI of a pull of the workspace."""


class Timer:
    def __init__(self, call: Callable[[], None]) -> None:
        self.call = call
        self.is_canceled = False

    def cancel(self) -> None:
        self.is_canceled = True


class Simulation:
    """``shown`` are the diagnostics that the editor shows, by URI; ``texts`` its documents."""

    def __init__(self, folder: Path, client: str, monkeypatch: pytest.MonkeyPatch) -> None:
        self.root = write(folder / "ws", {".git/HEAD": "x"})
        server = Host(write(folder / "home", {".deepagents/agent/agent.md": TEXTS[0]}))
        self.session, self.lane = server.session, server.fast_lane
        features = {type(feature): feature for feature in server.events.features}
        self.watching: Any = features[FileWatching]
        self.diagnostics: Any = features[Diagnostics]
        self.prompt: Any = features[PromptChanged]
        self.calls: list[Callable[[], None]] = []  # for the event loop
        self.timers: list[Timer] = []
        self.checks: list[tuple[Any, Callable[[bool], None]]] = []  # for the background
        self.monkeypatch = monkeypatch
        self.saved: set[Path] = set()  # files on disk that the watcher has not reported
        self.shown: dict[str, list[dict[str, Any]]] = {}
        self.texts: dict[str, str] = {}
        self.due: list[str] = []  # URIs to pull
        self.ids: dict[str, str] = {}  # result ids of documents by URI
        self.workspace_ids: dict[str, str] = {}
        self.running: dict[int, str] = {}  # pulls without an answer: URIs by request
        self._requests = 0
        self._connect(server, CLIENTS[client])

    def _connect(self, server: Host, capabilities: dict[str, Any]) -> None:
        """Replace everything that waits by a list; start."""
        events, other_files = server.events, self.diagnostics._other_files

        def call_later(_seconds: float, call: Callable[[], None]) -> Timer:
            self.timers.append(Timer(call))
            return self.timers[-1]

        def search() -> None:
            other_files._timer = None
            other_files._find(list(self.session.folders), self.session.git_roots())

        def start(check: Any, done: Callable[[bool], None]) -> None:
            self.checks.append((check, done))

        patch = self.monkeypatch.setattr
        patch(events, "call_later", call_later)
        patch(events, "call_soon", self.calls.append)
        patch(
            events,
            "_loop",
            type("Loop", (), {"call_soon": lambda _, call: self.calls.append(call)})(),
        )
        patch(other_files, "_start", search)
        patch(self.diagnostics._background, "start", start)
        patch(self.watching, "_watch", lambda: None)
        server.client.write, server.client.initialized = self._receive, True
        self.pulls = bool(capabilities)
        self.session.capabilities = ClientCapabilities({"capabilities": capabilities})
        self.session.set_folders([self.root])
        events.start()
        self.pull(WORKSPACE)

    # -- what can happen

    def save(self, number: int) -> None:
        """Another program saves or deletes a file."""
        path = self.root / FILES[number % len(FILES)]
        if number % 7 == 0:
            path.unlink(missing_ok=True)
        else:
            path.parent.mkdir(exist_ok=True)
            path.write_text(TEXTS[number % len(TEXTS)], "utf-8")
        self.saved.add(path)

    def watch(self, _number: int = 0) -> None:
        """The watcher reports all files that were saved."""
        saved, self.saved = frozenset(self.saved), set()
        self.calls.append(lambda: self.watching._changed(saved))

    def edit(self, number: int) -> None:
        """The user opens a file, edits or closes it."""
        path = self.root / FILES[number % len(FILES)]
        uri, text = path.as_uri(), TEXTS[number % len(TEXTS)]
        document = {"uri": uri, "version": number, "languageId": "markdown"}
        if uri not in self.texts:
            if not path.exists():
                return
            self.texts[uri] = path.read_text("utf-8")
            self._send("didOpen", {"textDocument": {**document, "text": self.texts[uri]}})
        elif number % 3:
            self.texts[uri] = text
            self._send("didChange", {"textDocument": document, "contentChanges": [{"text": text}]})
        else:
            del self.texts[uri]
            self.workspace_ids.pop(uri, None)
            self._send("didClose", {"textDocument": document})
        self.pull(uri)  # also a last time after it was closed

    def ask(self, _number: int = 0) -> None:
        """The editor sends the pulls that are due."""
        due, self.due = self.due, []
        for uri in due:
            self._requests += 1
            self.running[self._requests] = uri
            if uri == WORKSPACE:
                ids = [{"uri": key, "value": value} for key, value in self.workspace_ids.items()]
                method, params = "workspace/diagnostic", {"previousResultIds": ids}
            else:
                params = {"textDocument": {"uri": uri}, "previousResultId": self.ids.get(uri)}
                method = "textDocument/diagnostic"
            self._request(method, params, self._requests)

    def run_timer(self, number: int = 0) -> None:
        """One of the timers ends."""
        self.timers = [timer for timer in self.timers if not timer.is_canceled]
        if self.timers:
            self.timers.pop(number % len(self.timers)).call()

    def run_call(self, _number: int = 0) -> None:
        """The event loop goes on."""
        if self.calls:
            self.calls.pop(0)()

    def run_check(self, _number: int = 0) -> None:
        """A check in the background ends."""
        if self.checks:
            check, done = self.checks.pop(0)
            check.run()
            done(True)

    def set_speed(self, number: int) -> None:
        """From now on every check counts as slow, or none; and every rule, or none."""
        self.monkeypatch.setattr(project_view, "SLOW_CHECK", (-1.0, 1e9)[number % 2])
        self.monkeypatch.setattr(deferred_rules, "SLOW", (-1.0, 1e9)[number // 2 % 2])

    def count(self, _number: int = 0) -> None:
        """The server counts the findings for the status bar."""
        self.prompt._compare()

    # -- the editor

    def pull(self, uri: str) -> None:
        """Pull ``uri`` soon; the pull that is running is canceled and sent again."""
        if not self.pulls:
            return
        if uri not in self.due:
            self.due.append(uri)
        for request in [key for key, value in self.running.items() if value == uri]:
            self._request("$/cancelRequest", {"id": request})

    def _send(self, name: str, params: dict[str, Any]) -> None:
        self._request(f"textDocument/{name}", params)

    def _request(self, method: str, params: dict[str, Any], request: int | None = None) -> None:
        """Send a message: a request if it has an id."""
        message: dict[str, Any] = {"jsonrpc": "2.0", "method": method, "params": params}
        if request is not None:
            message["id"] = request
        self.lane.receive(json.dumps(message).encode())

    def _receive(self, data: bytes) -> None:
        """Handle a message of the server."""
        message = json.loads(data.partition(b"\r\n\r\n")[2])
        method, params = message.get("method"), message.get("params")
        if method == "textDocument/publishDiagnostics":
            self.shown[params["uri"]] = params["diagnostics"]
        elif method == "workspace/diagnostic/refresh":
            for uri in (*self.texts, WORKSPACE):
                self.pull(uri)
        elif method is None and "result" in message:
            uri = self.running.pop(message["id"])
            self._take(uri, message["result"])
        elif method is None:  # canceled
            self.running.pop(message["id"])

    def _take(self, uri: str, result: dict[str, Any]) -> None:
        """Show the answer to a pull, but not what one of the workspace says about a document."""
        if uri != WORKSPACE:
            self.ids[uri] = result["resultId"]
            if result["kind"] == "full":
                self.shown[uri] = result["items"]
            if uri not in self.texts:
                del self.ids[uri]
            return
        for item in result["items"]:
            self.workspace_ids[item["uri"]] = item["resultId"]
            if item["kind"] == "full" and item["uri"] not in self.texts:
                self.shown[item["uri"]] = item["items"]

    # -- the end

    def finish(self) -> None:
        """Let happen all that is due, until nothing is."""
        self.watch()
        for _ in range(1_000):
            self.timers = [timer for timer in self.timers if not timer.is_canceled]
            for things, run in (
                (self.calls, self.run_call),
                (self.checks, self.run_check),
                (self.due, self.ask),
                (self.timers, self.run_timer),
            ):
                if things:
                    run()
                    break
            else:
                return
        raise AssertionError("the server does not come to rest")
