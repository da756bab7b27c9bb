"""The MCP server, asked the same questions by the real client, in this process."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agent_memory.config.settings import Settings
from agent_memory.config.settings_files import load_project
from agent_memory.lint.known_names import KNOWN_NAMES
from requirements.face import Answer, Face, RefusedError
from requirements.faces import answer

if TYPE_CHECKING:
    from agent_memory.config.context import Context
    from requirements.face import Fact

EVERYTHING = frozenset({"user", "create", "evict", "forget"})


class Mcp(Face):
    """``agent-memory mcp`` for an agent that a person allows ``powers``."""

    name = "MCP"

    def __init__(self, ctx: Context) -> None:
        super().__init__(ctx)
        self.powers: frozenset[str] = EVERYTHING
        self._sessions: dict[str, Any] = {}
        self._stack = contextlib.AsyncExitStack()

    def opened(self) -> None:
        self._sessions.clear()

    async def close(self) -> None:
        await self._stack.aclose()

    def client(self, **changes: Any) -> Any:
        """Return a connected client, to be entered; ``changes`` are those of the context."""
        from mcp import Client  # noqa: PLC0415 -- loading it takes half a second

        from agent_memory.integrations.mcp_server import server  # noqa: PLC0415

        settings, _ = load_project(self.ctx.cwd, Settings(), KNOWN_NAMES)
        ctx = self.ctx.with_(settings=settings, **changes)
        return Client(server(ctx, None, self.powers))

    async def call(self, tool: str, changes: dict[str, Any] | None = None, **arguments: Any) -> Any:
        """Return the answer of a tool; ``changes`` of the context, and powers, have own sessions.

        Raises:
            RefusedError: it is an error.

        """
        key = f"{sorted(self.powers)} {changes}"
        if key not in self._sessions:
            client = self.client(**(changes or {}))
            self._sessions[key] = await self._stack.enter_async_context(client)
        return value(await self._sessions[key].call_tool(tool, arguments))

    async def prompt(self) -> Answer:
        return answer(await self.call("prompt"))

    async def write(self, text: str, section: str | None = None) -> None:
        under = section or ""
        done = await self.call("remember", text=text, section=under, create=True, evict=True)
        if done["outcome"] != "ready":
            raise RefusedError(done["message"])

    async def put(self, fact: Fact) -> Path:
        who = {"agent": fact.agent or self.ctx.agent, "run": fact.run}
        given = {"summary": fact.summary, "body": fact.body, "kind": fact.kind}
        given |= {"scope": fact.scope, "tags": list(fact.tags), "id": fact.id or ""}
        saved = await self.call("remember_entry", who, create=True, **given)
        return Path(saved["path"])

    async def forget(self, entry_id: str) -> None:
        await self.call("forget", id=entry_id)

    async def recall(self, query: str, **options: Any) -> list[dict[str, Any]] | None:
        if "ranking" in options:
            return None
        who = {name: options.pop(name) for name in ("agent", "run") if name in options}
        return (await self.call("recall", who, query=query, **options))["entries"]


def value(result: Any) -> Any:
    """Return the value of a tool's result.

    Raises:
        RefusedError: it is an error.

    """
    text = result.content[0].text if result.content else ""
    if result.is_error:
        raise RefusedError(text)
    return result.structured_content or (json.loads(text) if text.startswith("{") else text)
