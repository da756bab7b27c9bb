"""``agentMemory/changed``: notifies the client that the prompt, or a fact about it, has changed."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from agent_memory.base.errors import UsageError
from agent_memory.base.model import Severity
from agent_memory.lsp.features.feature import Feature
from agent_memory.prompt.compose import compose
from agent_memory.runtimes import drover_entries

if TYPE_CHECKING:
    from agent_memory.config.context import Context
    from agent_memory.lsp.features.feature import Events
    from agent_memory.lsp.features.timer import Timer
    from agent_memory.lsp.transport.client import Client
    from agent_memory.lsp.workspace.session import Session

_DELAY = 0.12
"""Seconds after the last change: a debounce, because typing has priority."""


class PromptChanged(Feature):
    """Sends the notification when its content differs from the last one."""

    def __init__(self, session: Session, client: Client, events: Events) -> None:
        super().__init__(session, client, events)
        self._timer: Timer | None = None
        self._last: dict[str, Any] = {}  # the content of the last notification
        self._saved_hashes: dict[tuple[str, str, str], str] = {}  # by root, runtime and agent

    def on_start(self) -> None:
        """From now on, report a change to all features after each search in an installed agent.

        Such a search, in a thread, finds the texts of the agent that the prompt contains.
        """
        self.session.programs.on_found = lambda: self.events.call_soon(self.events.changed)

    def on_idle(self) -> None:
        """Compare soon, once for all changes until then."""
        if self._timer:
            self._timer.cancel()
        self._timer = self.events.call_later(_DELAY, self._compare)

    def on_change(self) -> None:
        """Compare soon; compose the saved prompt again, which may differ, too."""
        self._saved_hashes.clear()
        self.on_idle()

    def on_pause(self) -> None:
        """Compare soon: the counts of errors and warnings are complete now."""
        self.on_idle()

    def _compare(self) -> None:
        """Send the notification for the active folder if its content differs from the last one.

        Nothing is sent before the end of the first check of a large project, which needs the
        processor, nor while a setting names an unknown runtime or agent: the user sees that
        problem elsewhere.
        """
        self._timer = None
        session = self.session
        try:
            cwd = session.projects.cwd_of(None)  # without a path: the active folder
            view = session.projects.view(cwd)
            if view.is_in_first_check:  # `on_pause` follows
                return
            content = self._content(session.context(cwd))
            paths = view.paths()
            findings = [finding for path in paths for finding in session.findings(path, defer=True)]
        except UsageError:
            return
        content["errors"] = sum(finding.severity is Severity.ERROR for finding in findings)
        content["warnings"] = sum(finding.severity is Severity.WARNING for finding in findings)
        if content != self._last:
            self._last = content
            self.client.notify("agentMemory/changed", {**content, "at": time.time()})
            self.events.prompt_changed()

    def _content(self, ctx: Context) -> dict[str, Any]:
        """Return the content of the notification without the counts of findings.

        ``hash`` is that of the prompt with unsaved buffers, ``saved`` that of the prompt on disk.
        While these two, ``state`` and ``entries`` stay equal, the answers that a client has are
        valid. ``bytes`` and ``tokens`` are the size of the prompt, ``uris`` those of the loaded
        files, and of the skills and entries that are listed in it.
        """
        # This imports modules for 10 ms; the first diagnostics do not need them.
        from agent_memory.lsp.features.prompt import project_facts, sources_with_uris  # noqa: PLC0415

        session = self.session
        prompt = compose(ctx)
        rows = sources_with_uris(session, ctx, prompt)
        project = project_facts(ctx, prompt, rows)
        root = session.projects.view(ctx.cwd).project.root
        key = (project["root"], prompt.choice.runtime.id, prompt.choice.agent)
        if key not in self._saved_hashes:  # cached until the disk changes
            saved = ctx.with_(store=ctx.store.on_disk())
            self._saved_hashes[key] = compose(saved).hash
        return {
            "runtime": prompt.choice.runtime.id,
            "agent": prompt.choice.agent,
            "root": project["root"],
            "hash": prompt.hash,
            "saved": self._saved_hashes[key],
            "state": project["state"],
            "entries": session.recall_indexes.generation(
                drover_entries.folder(ctx, root), drover_entries.mirrors(ctx, root)
            ),
            "bytes": prompt.size,
            "tokens": prompt.tokens,
            "budget": ctx.settings.budget_tokens,
            "uris": [
                session.positions.uri(source.path) for source in prompt.sources if source.order
            ],
        }
