"""Diagnostics: answered if the client pulls them, published if it does not; never both.

A large project is checked in the background. A pull is answered when its file has been checked;
meanwhile other requests go on.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from agent_memory.base.errors import UsageError
from agent_memory.l10n import t
from agent_memory.lint.isolation import Failures
from agent_memory.lsp.features.feature import Feature
from agent_memory.lsp.features.reports import Pulled, Reports
from agent_memory.lsp.protocol import convert
from agent_memory.lsp.transport.params import document_uri, previous_results
from agent_memory.lsp.transport.pending import Pending
from agent_memory.lsp.workspace.background_check import BackgroundChecks
from agent_memory.lsp.workspace.other_files import OtherFiles

if TYPE_CHECKING:
    from pathlib import Path

    from agent_memory.lsp.features.feature import Events, Handler
    from agent_memory.lsp.features.timer import Timer
    from agent_memory.lsp.transport.client import Client
    from agent_memory.lsp.workspace.background_check import Check
    from agent_memory.lsp.workspace.project_view import ProjectView
    from agent_memory.lsp.workspace.session import Session


_NO_FINDINGS_ID = "0"
"""The result id where no report is made: of documents that are not files on disk, and of files that
no project has any longer."""
PAUSE = 0.3
"""Seconds without a keystroke after which the deferred rules run."""


class Diagnostics(Feature):
    """Findings as LSP diagnostics, one report per state of a file."""

    def __init__(self, session: Session, client: Client, events: Events) -> None:
        super().__init__(session, client, events)
        self._published: dict[str, str] = {}  # by URI: result id and version last published
        self._timer: Timer | None = None  # the pause after which the deferred rules run
        self._background = BackgroundChecks()
        self._other_files = OtherFiles(session, events)
        self._checking: set[ProjectView] = set()  # projects that are checked in the background
        self._waiting: list[Pending] = []  # pulls that are answered after such a check
        self._reports = Reports(session)
        self._pulled = Pulled(session.store.is_open)

    def fast_lane(self) -> dict[str, Handler]:
        """Return the handlers."""
        return {"textDocument/diagnostic": self.pull, "workspace/diagnostic": self.pull_all}

    def report(self, path: Path, *, defer: bool = False) -> tuple[str, list[dict[str, Any]]]:
        """Return (result id, diagnostics) of ``path``; the id is the digest of :class:`Reports`.

        ``defer``: slow rules may run later, when the typing pauses. A check that fails is reported
        as a finding.

        Raises:
            UsageError: a setting names an unknown runtime or an invalid agent.

        """
        try:
            findings = self.session.findings(path, defer=defer)
        except UsageError:
            raise
        except Exception as error:  # noqa: BLE001 -- the other files have reports
            failures = Failures()
            failures.add(t("the check"), error)
            findings = failures.findings(path)
        if defer or self._is_large(path):  # in a large project slow rules are always deferred
            self._finish_later()
        return self._reports.of(path, findings)

    def pull(self, params: Any) -> dict[str, Any] | Pending:
        """Answer ``textDocument/diagnostic``; a document that is not a file has no findings.

        The result is pending if it waits for a check in the background.
        """
        path = convert.to_path(document_uri(params))
        # Deferred findings need a second pull, which only a refresh of the server starts.
        defer = self.session.capabilities.refresh_diagnostics
        digest, items = self.report(path, defer=defer) if path else (_NO_FINDINGS_ID, [])
        if path and self._must_wait(path, defer=defer):  # `report` has just found that out
            return self._wait()
        self.session.diagnosed = True
        if path:
            self._pulled.answer(path, digest)
        if params.get("previousResultId") == digest:
            return {"kind": "unchanged", "resultId": digest}
        return {"kind": "full", "resultId": digest, "items": items}

    def pull_all(self, params: Any) -> dict[str, Any] | Pending:
        """Answer ``workspace/diagnostic``: each file of each project, open or not.

        The result is pending if a file waits for a check in the background.
        """
        previous = previous_results(params)
        out = []
        defer = self.session.capabilities.refresh_diagnostics
        paths = self.session.all_paths()
        reports = [self.report(path, defer=defer) for path in paths]
        if any(self._must_wait(path, defer=defer) for path in paths):
            return self._wait()
        digests = [digest for digest, _ in reports]
        closed = self._pulled.answer_all(dict(zip(paths, digests, strict=True)))
        # Their reports are sent in full, for which '' differs from every digest.
        previous |= {self.session.positions.uri(path): "" for path in closed}
        for path, (digest, items) in zip(paths, reports, strict=True):
            uri = self.session.positions.uri(path)
            document = self.session.documents.get(uri)
            entry: dict[str, Any] = {
                "uri": uri,
                "version": document.version if document else None,
                "resultId": digest,
            }
            if previous.pop(uri, None) == digest:
                out.append({"kind": "unchanged", **entry})
            else:
                out.append({"kind": "full", **entry, "items": items})
        # What is left in `previous` is in no project now: an empty report clears its findings.
        empty: dict[str, Any] = {
            "kind": "full",
            "version": None,
            "resultId": _NO_FINDINGS_ID,
            "items": [],
        }
        out += [
            {**empty, "uri": uri}
            for uri, result_id in previous.items()
            if result_id != _NO_FINDINGS_ID
        ]
        return {"items": out}

    def publish(self, *, defer: bool = False) -> None:
        """Publish the reports that differ from the last published ones.

        Files that wait for a check in the background are published after it. Files that no
        project has now get an empty report.
        """
        current = {self.session.positions.uri(path): path for path in self.session.all_paths()}
        for uri, path in current.items():
            document = self.session.documents.get(uri)
            digest, items = self.report(path, defer=defer)
            if self._must_wait(path, defer=True):  # not known yet; stale findings are published
                continue
            state = f"{digest} {document.version if document else ''}"
            if self._published.get(uri) == state:
                continue
            # A closed file without findings needs no report, unless an earlier one may have some.
            if not items and uri not in self._published and not document:
                continue
            self._published[uri] = state
            self._send(uri, document.version if document else None, items)
        for uri in [uri for uri in self._published if uri not in current]:
            del self._published[uri]
            self._send(uri, None, [])

    def on_idle(self) -> None:
        """After an edit, restart the pause before the deferred rules, if it is running.

        Publish what the other rules found, unless the client pulls.
        """
        if self._timer:
            self._timer.cancel()
            self._timer = self.events.call_later(PAUSE, self._finish)
        if not self.session.capabilities.pull:
            self.publish(defer=True)

    def on_start(self) -> None:
        """Search for files that only a listing of the workspace shows."""
        self._other_files.search()

    def on_folders(self) -> None:
        """Search for memory files in the folders; drop the reports of folders that were closed.

        Otherwise each change would make these reports again, and read the closed folders.
        """
        paths = self.session.all_paths()
        self._reports.keep(paths)
        self._pulled.keep(paths)
        self._other_files.search()

    def on_stop(self) -> None:
        """Cancel the checks in the background."""
        self._other_files.stop()
        self._background.stop()

    def on_change(self) -> None:
        """Publish again, or make the client pull again; search again for other memory files."""
        self._other_files.search()
        self._refresh()

    def on_restored(self) -> None:
        """Correct the reports that were made between the change and the change back."""
        self._announce()

    def _refresh(self) -> None:
        """Publish what has changed; make a client that pulls pull again, if it supports that."""
        capabilities = self.session.capabilities
        if not capabilities.pull:
            self.publish()
        elif capabilities.refresh_diagnostics:
            self.client.request("workspace/diagnostic/refresh", None)

    def _send(self, uri: str, version: int | None, items: list[dict[str, Any]]) -> None:
        """Publish ``items`` as all diagnostics of ``uri``; a closed file has no ``version``."""
        params: dict[str, Any] = {"uri": uri, "diagnostics": items}
        if version is not None:
            params["version"] = version
        self.client.notify("textDocument/publishDiagnostics", params)
        self.session.diagnosed = True

    # -- findings that take longer

    def _is_large(self, path: Path) -> bool:
        """Whether ``path`` is a memory file of a project that is checked in the background."""
        projects = self.session.projects
        return projects.is_memory_file(path) and projects.view_of(path).is_large

    def _must_wait(self, path: Path, *, defer: bool) -> bool:
        """Whether an answer has to wait for a check in the background.

        It has to if the findings of ``path`` are unknown. Without ``defer``, the client gets no
        later answer: then it also has to wait if the project is large and any of its findings may
        be from before the last change.
        """
        if not self.session.projects.is_memory_file(path):
            return False
        view = self.session.projects.view_of(path)
        is_stale = view.is_large and view.has_stale
        return view.is_missing(path) or (is_stale and not defer)

    def _wait(self) -> Pending:
        """Return a result that is known after the next check in the background."""
        pending = Pending()
        self._waiting.append(pending)
        return pending

    def _finish_later(self) -> None:
        """Start to check projects with missing findings in the background.

        Run deferred rules when the typing pauses. A project that is being checked needs neither.
        """
        views = self.session.projects.cached_views()
        for view in views:
            if view.has_missing:
                self._check_in_background(view)
        is_due = any(view.has_stale for view in views if view not in self._checking)
        if is_due and self._timer is None:
            self._timer = self.events.call_later(PAUSE, self._finish)

    def _check_in_background(self, view: ProjectView) -> None:
        """Start a check of what is stale in ``view``, unless one is running."""
        if view in self._checking:
            return
        self._checking.add(view)
        check = view.background_check()

        def done(succeeded: bool) -> None:  # noqa: FBT001
            """Pass the result from the thread of the check to the main thread."""
            self.events.call_soon(partial(self._checked, view, check, succeeded))

        self._background.start(check, done)

    def _checked(self, view: ProjectView, check: Check, succeeded: bool) -> None:  # noqa: FBT001
        """Use the results of ``check`` of ``view``, and answer the pulls that waited for them."""
        self._checking.discard(view)
        view.accept(check, succeeded=succeeded)
        self._resume()
        self._announce()

    def _resume(self) -> None:
        """Answer the pulls that wait, unless they have to wait again."""
        waiting, self._waiting = self._waiting, []
        for pending in waiting:
            pending.resume()

    def _finish(self) -> None:
        """Run the deferred rules: of large projects in the background, of others at once."""
        self._timer = None
        for view in self.session.projects.cached_views():
            if view.is_large and view.has_stale:
                self._check_in_background(view)
        self._resume()  # some waited for a project that is no longer large
        # It makes reports without `defer`, which run the deferred rules of the other projects.
        self._announce()

    def _announce(self) -> None:
        """Publish the reports that have changed, or make the client pull them if one has.

        Then report to the other features that the deferred rules ran.
        """
        if not self.session.capabilities.pull:
            self.publish()
        else:
            shown = self._pulled.shown()
            current = {path: self.report(path)[0] for path in shown}
            if current != shown:
                self._pulled.expect(current)
                self._refresh()
        self.events.paused()
