"""``agentMemory/changed``: tells the client that what the agent will remember is another text."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from agent_memory.base.errors import UsageError
from agent_memory.base.model import Severity
from agent_memory.lsp.features import recall
from agent_memory.lsp.features.prompt import about, listed_sources
from agent_memory.prompt.compose import compose
from agent_memory.runtimes import drover_entries

if TYPE_CHECKING:
    import asyncio

    from agent_memory.config.context import Context
    from agent_memory.lsp.server import MemoryServer

_DELAY = 0.12
"""Seconds after the last change; typing goes before counting."""


class Changed:
    """Sends the notification, once per change of what it tells."""

    def __init__(self, server: MemoryServer) -> None:
        self.server = server
        self._timer: asyncio.TimerHandle | None = None
        self._last: dict[str, Any] = {}
        self._saved: str | None = None

    def later(self) -> None:
        """Look soon, once for all changes until then."""
        if self._timer:
            self._timer.cancel()
        self._timer = self.server.later(_DELAY, self._look)

    def refreshed(self) -> None:
        """Look soon, also at what is saved: the disk or a setting changed."""
        self._saved = None
        self.later()

    def _look(self) -> None:
        self._timer = None
        session = self.server.session
        try:
            cwd = session.cwd_of(None)
            told = self._told(session.context(cwd))
            view = session.view(cwd)
            found = [item for path in view.paths() for item in view.findings(path, hurried=True)]
        except UsageError:
            return
        told["errors"] = sum(item.severity is Severity.ERROR for item in found)
        told["warnings"] = sum(item.severity is Severity.WARNING for item in found)
        if told != self._last:
            self._last = told
            self.server.connection.notify("agentMemory/changed", {**told, "at": time.time()})
            for call in self.server.on_prompt:
                call()

    def _told(self, ctx: Context) -> dict[str, Any]:
        session = self.server.session
        prompt = compose(ctx, session.runtime)
        listed = listed_sources(session, ctx, prompt)
        project = about(ctx, prompt, listed)
        root = session.view(ctx.cwd).project.root
        if self._saved is None:
            disk = ctx.with_(store=ctx.store.on_disk())
            self._saved = compose(disk, session.runtime).hash
        return {
            "runtime": prompt.choice.runtime.id,
            "agent": prompt.choice.agent,
            "root": project["root"],
            "hash": prompt.hash,
            "saved": self._saved,
            "state": project["state"],
            "entries": recall.changes(drover_entries.folder(ctx, root)),
            "bytes": prompt.size,
            "tokens": prompt.tokens,
            "budget": ctx.settings.budget_tokens,
            "uris": [session.places.uri(item.path) for item in prompt.sources if item.order],
        }


def register(server: MemoryServer) -> None:
    """Look after every change of a buffer, of the disk and of settings."""
    changed = Changed(server)
    server.on_idle.append(changed.later)
    server.on_refresh.append(changed.refreshed)
    server.on_pause.append(changed.later)
