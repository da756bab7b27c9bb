"""Memory as tools of the Model Context Protocol: remember, recall, forget and prompt.

The rules are those of the command line: secrets are refused, duplicates are not added, an agent
sees and changes only its own entries, and no project folder is created without consent.
Requires the optional package ``mcp``; no other module imports it.
"""

from __future__ import annotations

import contextlib
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.shared.exceptions import MCPError
from mcp_types import ToolAnnotations

from agent_memory import serialize
from agent_memory.base.errors import UsageError
from agent_memory.base.version import __version__
from agent_memory.entries.index_block import WriteLimit
from agent_memory.entries.store import Filter
from agent_memory.fs.overlay import Store
from agent_memory.prompt.compose import compose
from agent_memory.recall.engine import LIMIT, Recall
from agent_memory.remember import planner
from agent_memory.remember.entry_planner import EntryTarget, entries_of
from agent_memory.remember.plan import Outcome
from agent_memory.remember.snippet import Snippet
from agent_memory.secrets import mask_parts, shown, shown_json

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mcp.server.context import CallNext, ServerRequestContext

    from agent_memory.config.context import Context
    from agent_memory.remember.plan import Plan

_INSTRUCTIONS = (
    "Memory across sessions. Remember only facts that are not obvious and will be useful again, "
    "one at a time; never keys, tokens or passwords. Recall before you ask the user."
)
_READS = ToolAnnotations(read_only_hint=True, open_world_hint=False)
_WRITES = ToolAnnotations(read_only_hint=False, destructive_hint=False, open_world_hint=False)
_REMOVES = ToolAnnotations(read_only_hint=False, destructive_hint=True, open_world_hint=False)


class MemoryTools:
    """The tools for one project and agent. ``ctx.entries`` is the folder of entries, if any.

    Drover limits the entries an agent saves in one turn. MCP has no notion of turns, so calling
    ``prompt``, which composes the model's next prompt, starts a new one.
    """

    def __init__(
        self, ctx: Context, runtime: str | None = None, *, allow_forget: bool = False
    ) -> None:
        self._ctx = ctx
        self._runtime = runtime
        self._allow_forget = allow_forget
        self._writes = WriteLimit(ctx.settings.drover_writes)

    def remember(
        self,
        text: str,
        scope: str = "project",
        section: str = "",
        file: str = "",
        *,
        create: bool = False,
        evict: bool = False,
    ) -> dict[str, Any]:
        """Save a fact to the memory files.

        scope: project (how this project works) or user (how this person likes to work). file:
        instead of a scope, a skill's SKILL.md, a note that memory links to, or another memory
        file of this project. section: the heading to add it under (empty: the best match); for
        Claude MPM also a learning type. create: only after the user agreed to create the
        project's memory folder. evict: only after you were told which items will be evicted.
        """
        with _readable_errors():
            plan = planner.plan(
                self._fresh(),
                Snippet(text),
                Path(file) if file else scope,
                section=section or None,
                create=create,
                runtime_id=self._runtime,
                by_agent=True,
            )
            if plan.outcome is Outcome.READY and plan.evicts and not evict:
                raise ToolError(
                    f"Nothing was written yet. {plan.message}. Pass evict=true to agree"
                )
            if plan.outcome is Outcome.READY:
                plan = planner.apply(plan)
            elif plan.outcome is not Outcome.DUPLICATE:
                raise _refusal(plan)
        return {
            "outcome": str(plan.outcome),
            "message": plan.message,
            "path": str(plan.path),
            "line": plan.line + 1,
        }

    def remember_entry(  # noqa: PLR0913 -- the parameters of the tool
        self,
        summary: str,
        body: str,
        kind: str = "project",
        scope: str = "global",
        tags: list[str] | None = None,
        id: str = "",  # noqa: A002 -- the name drover's tool has
        *,
        create: bool = False,
    ) -> dict[str, Any]:
        """Save a learned entry for recall.

        summary: one line of at most 200 characters. body: the rule first, then a **Why:** and a
        **How to apply:** line. kind: user, feedback, project or reference. scope: global, agent
        or run. id: the entry to replace. create: only after the user agreed to create the folder
        of entries. The number of entries per turn is limited; calling prompt starts a new turn.
        """
        target = EntryTarget(
            scope, kind, summary, tuple(tags or ()), self._ctx.agent, self._ctx.run, id or None
        )
        with _readable_errors():
            entries_of(self._fresh())
            self._writes.attempt()
            plan = planner.plan(self._fresh(), Snippet(body), target, create=create)
            if plan.outcome is Outcome.READY:
                plan = planner.apply(plan)
            if plan.entry is None or plan.outcome not in (Outcome.READY, Outcome.DUPLICATE):
                raise _refusal(plan)
        return {**serialize.entry_json(plan.entry), "outcome": str(plan.outcome)}

    def recall(
        self,
        query: str,
        scopes: list[str] | None = None,
        kinds: list[str] | None = None,
        tags: list[str] | None = None,
        limit: int = LIMIT,
    ) -> dict[str, Any]:
        """Search learned entries, best match first; an empty query lists the latest.

        scopes: global, agent, run. kinds: user, feedback, project, reference. tags: any of them.
        """
        wanted = Filter(
            self._ctx.agent, self._ctx.run, tuple(scopes or ()), tuple(kinds or ()),
            tuple(tags or ()),
        )  # fmt: skip
        with (
            _readable_errors(),
            contextlib.closing(Recall.open(entries_of(self._fresh()).root, self._ctx.env)) as index,
        ):
            hits = index.search(query, wanted, limit)
        allowed = self._ctx.settings.allowed_secrets
        return {"entries": [serialize.entry_json(hit.entry, hit.score, allowed) for hit in hits]}

    def forget(self, id: str) -> str:  # noqa: A002 -- the name drover's tool has
        """Remove a learned entry by its id, if the user allows it."""
        if not self._allow_forget:
            raise ToolError("Nothing was removed: the user must allow it with --allow-forget")
        with _readable_errors():
            entry = entries_of(self._fresh()).forget(id, self._ctx.agent, self._ctx.run)
        return f"forgot memory '{entry.id}'."

    def prompt(self) -> dict[str, Any]:
        """Return the memory block of the system prompt, with its sources and sizes.

        Starts a new turn for the limit on saved entries.
        """
        self._writes.start_turn()
        with _readable_errors():
            ctx = self._fresh()
            prompt = compose(ctx, self._runtime)
        mask = partial(mask_parts, allowed=ctx.settings.allowed_secrets)
        read = ctx.store.read
        answer = serialize.prompt_json(
            prompt, lambda path: read(path).lines, ctx.settings.budget_tokens, mask
        )
        return {key: answer[key] for key in ("runtime", "agent", "text", "tokens", "sources")}

    def _fresh(self) -> Context:
        return self._ctx.with_(store=Store())


def server(
    ctx: Context, runtime: str | None = None, *, allow_forget: bool = False
) -> MCPServer[Any]:
    """Return the server. ``forget`` refuses unless allowed, as by drover's default."""
    tools = MemoryTools(ctx, runtime, allow_forget=allow_forget)
    mcp: MCPServer[Any] = MCPServer(
        "agent-memory", instructions=_INSTRUCTIONS, version=__version__, log_level="ERROR"
    )
    mcp.middleware.append(_masked)
    mcp.tool(annotations=_WRITES)(tools.remember)
    mcp.tool(annotations=_READS)(tools.prompt)
    mcp.tool(annotations=_WRITES)(tools.remember_entry)
    mcp.tool(annotations=_READS)(tools.recall)
    mcp.tool(annotations=_REMOVES)(tools.forget)
    return mcp


async def _masked(ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> Any:
    """Mask secrets in the answer of each request, also those of its parameters."""
    shown_json(ctx.params, default=str)  # a message may quote a part of a value
    try:
        answer = await call_next(ctx)
    except MCPError as error:
        raise MCPError(error.code, shown(error.message), shown_json(error.data)) from None
    return shown_json(answer)


def _refusal(plan: Plan) -> ToolError:
    if plan.outcome is Outcome.CONSENT:
        return ToolError(f"{plan.message} Ask the user, then pass create=true")
    return ToolError(plan.message)


@contextlib.contextmanager
def _readable_errors() -> Iterator[None]:
    try:
        yield
    except UsageError as error:
        raise ToolError(str(error)) from error
