"""Diagnostics: answered where the client asks (pull), published where it cannot; never both."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agent_memory.lsp.protocol import convert
from agent_memory.lsp.transport.params import document_uri

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Sequence
    from pathlib import Path

    from agent_memory.base.model import Finding
    from agent_memory.lsp.server import MemoryServer


SHOWN_MAX = 1000
"""Diagnostics of one file that are sent: editors show no more, and 300,000 take them minutes."""


PAUSE = 0.3
"""Seconds without a keystroke after which slow rules run."""


class Diagnostics:
    """Findings as LSP diagnostics, one report per state of a file."""

    def __init__(self, server: MemoryServer) -> None:
        self.server = server
        self.session = server.session
        self._published: dict[str, str] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._reports: dict[Path, tuple[Sequence[Finding], str, list[dict[str, Any]]]] = {}

    def report(self, path: Path, *, hurried: bool = False) -> tuple[str, list[dict[str, Any]]]:
        """Return the result id and the diagnostics of ``path``."""
        findings = self.session.findings(path, hurried=hurried)
        if hurried:
            self._finish_later()
        known = self._reports.get(path)
        if known and known[0] is findings:
            return known[1], known[2]
        places = self.session.places
        lines = places.lines(path)
        open_ = self.session.store.is_open(path)
        shown = findings if len(findings) <= SHOWN_MAX else _worst(findings)
        items = [
            convert.diagnostic(item, lines, places.encoding, places.location) for item in shown
        ]
        if not open_:
            for item, finding in zip(items, shown, strict=True):
                item["range"] = places.range(path, finding.span)
        said = tuple((item.code, item.span, item.severity, item.message) for item in shown)
        digest = f"{hash(said):x}"
        self._reports[path] = (findings, digest, items)
        return digest, items

    def pull(self, params: Any) -> dict[str, Any]:
        """Answer ``textDocument/diagnostic``."""
        path = convert.to_path(document_uri(params))
        hurried = self.session.client.refresh_diagnostics
        digest, items = self.report(path, hurried=hurried) if path else ("0", [])
        if params.get("previousResultId") == digest:
            return {"kind": "unchanged", "resultId": digest}
        return {"kind": "full", "resultId": digest, "items": items}

    def pull_all(self, params: Any) -> dict[str, Any]:
        """Answer ``workspace/diagnostic``: every file of every project, open or not."""
        given = params.get("previousResultIds") if isinstance(params, dict) else None
        before = {
            item.get("uri"): item.get("value") for item in given or () if isinstance(item, dict)
        }
        out = []
        hurried = self.session.client.refresh_diagnostics
        for path in self.session.all_paths():
            digest, items = self.report(path, hurried=hurried)
            uri = self.session.places.uri(path)
            document = self.session.documents.get(uri)
            entry: dict[str, Any] = {
                "uri": uri,
                "version": document.version if document else None,
                "resultId": digest,
            }
            if before.pop(uri, None) == digest:
                out.append({"kind": "unchanged", **entry})
            else:
                out.append({"kind": "full", **entry, "items": items})
        gone: dict[str, Any] = {"kind": "full", "version": None, "resultId": "0", "items": []}
        out += [{**gone, "uri": uri} for uri, value in before.items() if value != "0"]
        return {"items": out}

    def publish(self, *, hurried: bool = False) -> None:
        """Push what changed since it was last pushed."""
        current: dict[str, Path] = {}
        for path in self.session.all_paths():
            current[self.session.places.uri(path)] = path
        for uri, path in current.items():
            document = self.session.documents.get(uri)
            digest, items = self.report(path, hurried=hurried)
            state = f"{digest} {document.version if document else ''}"
            if self._published.get(uri) == state or (
                not items and uri not in self._published and not document
            ):
                continue
            self._published[uri] = state
            self._send(uri, document.version if document else None, items)
        for uri in [uri for uri in self._published if uri not in current]:
            del self._published[uri]
            self._send(uri, None, [])

    def _send(self, uri: str, version: int | None, items: list[dict[str, Any]]) -> None:
        params: dict[str, Any] = {"uri": uri, "diagnostics": items}
        if version is not None:
            params["version"] = version
        self.server.connection.notify("textDocument/publishDiagnostics", params)

    def _finish_later(self) -> None:
        """When typing pauses, run the rules that were put off."""
        if self._timer is None and any(view.owing for view in self.session.known_views()):
            self._timer = self.server.later(PAUSE, self._finish)

    def typed(self) -> None:
        """Take note of a change: what was put off waits on, and is pushed as far as it goes."""
        if self._timer:
            self._timer.cancel()
            self._timer = None
        if not self.session.client.pull:
            self.publish(hurried=True)

    def _finish(self) -> None:
        self._timer = None
        if not self.session.client.pull:
            self.publish()
        else:
            shown = {path: known[1] for path, known in self._reports.items()}
            if any(self.report(path)[0] != digest for path, digest in shown.items()):
                self.refresh()
        for call in self.server.on_pause:
            call()

    def refresh(self) -> None:
        """Bring the client up to date after a change it does not know of."""
        client = self.session.client
        if not client.pull:
            self.publish()
        elif client.refresh_diagnostics:
            self.server.connection.ask("workspace/diagnostic/refresh", None)


def _worst(findings: Sequence[Finding]) -> list[Finding]:
    """Return as many findings as are shown, the worst ones, in the order of the file."""
    worst = sorted(findings, key=lambda item: -item.severity.rank)[:SHOWN_MAX]
    return sorted(worst, key=lambda item: (item.span, item.code))


def register(server: MemoryServer) -> None:
    """Add the handlers."""
    diagnostics = Diagnostics(server)
    server.connection.handlers |= {
        "textDocument/diagnostic": diagnostics.pull,
        "workspace/diagnostic": diagnostics.pull_all,
    }

    server.on_idle.append(diagnostics.typed)
    server.on_refresh.append(diagnostics.refresh)
