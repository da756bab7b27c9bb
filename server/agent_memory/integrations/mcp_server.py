"""Memory as tools of the Model Context Protocol: remember, recall, forget and prompt.

The rules are those of the other faces: secrets are refused, what is said is not said twice, an
agent sees and changes only what is its own, and no folder of a project is made without consent.
Needs the optional package ``mcp``; nothing else imports it.
"""

from __future__ import annotations

import contextlib
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
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
from agent_memory.secrets import mask_parts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.config.context import Context

_INSTRUCTIONS = (
    "Memory that lasts across sessions. Remember only what is not obvious and will be of use "
    "again, one fact at a time; never keys, tokens or passwords. Recall before you ask."
)
_READS = ToolAnnotations(read_only_hint=True, open_world_hint=False)
_WRITES = ToolAnnotations(read_only_hint=False, destructive_hint=False, open_world_hint=False)
_REMOVES = ToolAnnotations(read_only_hint=False, destructive_hint=True, open_world_hint=False)


class MemoryTools:
    """The tools for one project and agent. ``ctx.entries`` is the folder of entries, if any.

    Drover limits the entries an agent saves in one turn. A server of tools is not told of turns
    or of model calls, so here one turn ends and the next begins where ``prompt`` is called: that
    is what composes the model's next prompt. A server without such calls serves one turn.
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
        """File a fact into the memory files.

        scope: project (how this project works) or user (how this person likes to work). file: in
        place of a scope, a skill's SKILL.md, a note that memory links to, or another memory file
        of this project. section: the heading to file it under; empty: the one that fits; for
        Claude MPM also a type of learning. create: only after the user agreed that the project's
        memory folder is made. evict: only after you were told which items make place.
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
                    f"Nothing was written yet. {plan.message}. Call it with evict=true to agree"
                )
            if plan.outcome is Outcome.READY:
                plan = planner.apply(plan)
            elif plan.outcome is not Outcome.DUPLICATE:
                raise ToolError(plan.message)
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
        """Save a learned entry that recall finds again.

        summary: one line of at most 200 characters. body: the rule first, then a **Why:** and a
        **How to apply:** line. kind: user, feedback, project or reference. scope: global, agent
        or run. id: that of an entry to take the place of. create: only after the user agreed that
        the folder of entries is made. The entries of one turn are limited; the tool prompt begins
        the next one.
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
                raise ToolError(plan.message)
        return {**serialize.entry_json(plan.entry), "outcome": str(plan.outcome)}

    def recall(
        self,
        query: str,
        scopes: list[str] | None = None,
        kinds: list[str] | None = None,
        tags: list[str] | None = None,
        limit: int = LIMIT,
    ) -> dict[str, Any]:
        """Search learned entries, best first; an empty query lists the latest.

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
        """Remove a learned entry by its id, where the user allows that."""
        if not self._allow_forget:
            raise ToolError("Nothing was removed: the user has not allowed it (--allow-forget)")
        with _readable_errors():
            entry = entries_of(self._fresh()).forget(id, self._ctx.agent, self._ctx.run)
        return f"forgot memory '{entry.id}'."

    def prompt(self) -> dict[str, Any]:
        """Return the memory block of the system prompt, with its sources and sizes.

        Begins a turn: what was saved before no longer counts.
        """
        self._writes.start_turn()
        with _readable_errors():
            ctx = self._fresh()
            made = compose(ctx, self._runtime)
        mask = partial(mask_parts, allowed=ctx.settings.allowed_secrets)
        read = ctx.store.read
        answer = serialize.prompt_json(
            made, lambda path: read(path).lines, ctx.settings.budget_tokens, mask
        )
        return {key: answer[key] for key in ("runtime", "agent", "text", "tokens", "sources")}

    def _fresh(self) -> Context:
        return self._ctx.with_(store=Store())


def server(
    ctx: Context, runtime: str | None = None, *, allow_forget: bool = False
) -> MCPServer[Any]:
    """Return the server. ``forget`` refuses unless it is allowed, which drover's default is not."""
    tools = MemoryTools(ctx, runtime, allow_forget=allow_forget)
    made: MCPServer[Any] = MCPServer(
        "agent-memory", instructions=_INSTRUCTIONS, version=__version__, log_level="ERROR"
    )
    made.tool(annotations=_WRITES)(tools.remember)
    made.tool(annotations=_READS)(tools.prompt)
    made.tool(annotations=_WRITES)(tools.remember_entry)
    made.tool(annotations=_READS)(tools.recall)
    made.tool(annotations=_REMOVES)(tools.forget)
    return made


@contextlib.contextmanager
def _readable_errors() -> Iterator[None]:
    try:
        yield
    except UsageError as error:
        raise ToolError(str(error)) from error
