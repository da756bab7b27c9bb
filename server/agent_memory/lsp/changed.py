"""``agentMemory/changed``: tells the client that what the agent will remember is another text."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from agent_memory.context import UsageError
from agent_memory.model import Severity
from agent_memory.prompt import compose

if TYPE_CHECKING:
    import asyncio

    from agent_memory.lsp.server import MemoryServer
    from agent_memory.prompt import Prompt

_DELAY = 0.12
"""Seconds after the last change; typing goes before counting."""


class Changed:
    """Sends the notification, once per change of prompt or sources."""

    def __init__(self, server: MemoryServer) -> None:
        self.server = server
        self._timer: asyncio.TimerHandle | None = None
        self._last: dict[str, Any] = {}

    def later(self) -> None:
        """Look soon, once for all changes until then."""
        if self._timer:
            self._timer.cancel()
        self._timer = self.server.later(_DELAY, self._look)

    def _look(self) -> None:
        self._timer = None
        session = self.server.session
        try:
            cwd = session.cwd_of(None)
            ctx = session.context(cwd)
            state = self._state(compose(ctx, session.runtime))
            view = session.view(cwd)
            found = [item for path in view.paths() for item in view.findings(path, hurried=True)]
        except UsageError:
            return
        state["budget"] = ctx.settings.budget_tokens
        state["errors"] = sum(item.severity is Severity.ERROR for item in found)
        state["warnings"] = sum(item.severity is Severity.WARNING for item in found)
        if state != self._last:
            self._last = state
            shown = {key: value for key, value in state.items() if key != "sources"}
            self.server.connection.notify("agentMemory/changed", {**shown, "at": time.time()})
            for call in self.server.on_prompt:
                call()

    def _state(self, prompt: Prompt) -> dict[str, Any]:
        uri = self.server.session.places.uri
        return {
            "runtime": prompt.choice.runtime.id,
            "agent": prompt.choice.agent,
            "hash": prompt.hash,
            "bytes": prompt.size,
            "tokens": prompt.tokens,
            "sources": prompt.sources,
            "uris": [uri(source.path) for source in prompt.sources if source.order],
        }


def register(server: MemoryServer) -> None:
    """Look after every change of a buffer, of the disk and of settings."""
    changed = Changed(server)
    server.on_idle.append(changed.later)
    server.on_refresh.append(changed.later)
    server.on_pause.append(changed.later)
