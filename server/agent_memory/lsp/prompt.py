"""``agentMemory/prompt`` and ``agentMemory/sources``: the composed block and where it is from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agent_memory import runtimes, wire
from agent_memory.context import UsageError
from agent_memory.lsp.params import Params
from agent_memory.pastprompt import compose_at
from agent_memory.prompt import compose
from agent_memory.secrets import mask_parts
from agent_memory.store import Store

if TYPE_CHECKING:
    from agent_memory.context import Context
    from agent_memory.lsp.server import MemoryServer
    from agent_memory.lsp.session import Session

PLACE = ("uri", "runtime", "agent")


def context(session: Session, params: Params) -> tuple[Context, str | None]:
    """Return the context and runtime a custom request asks about.

    Raises:
        BadParamsError, UsageError: they cannot be used as given.

    """
    path = params.path("uri")
    runtime, agent = params.text("runtime"), params.text("agent")
    runtime = session.runtime if runtime in (None, "auto") else runtime
    agent = session.agent_of(path) if agent in (None, "auto") else agent
    return session.context(session.cwd_of(path), agent), runtime


def prompt(session: Session, value: Any) -> dict[str, Any]:
    """Answer ``agentMemory/prompt``."""
    params = Params(value, (*PLACE, "saved", "committed", "reveal"))
    ctx, runtime = context(session, params)
    if params.flag("committed"):
        if not session.client.trusted:
            raise UsageError("git is asked only in a trusted workspace")
        made, lines = compose_at(ctx, "HEAD", runtime)
    else:
        ctx = ctx.with_(store=Store()) if params.flag("saved") else ctx
        made, lines = compose(ctx, runtime), {}
    allowed = ctx.settings.allowed_secrets
    return wire.prompt_json(
        made,
        lambda path: lines[path] if path in lines else ctx.store.read(path).lines,
        ctx.settings.budget_tokens,
        None if params.flag("reveal") else lambda texts: mask_parts(texts, allowed),
    )


def sources(session: Session, value: Any) -> dict[str, Any]:
    """Answer ``agentMemory/sources``."""
    ctx, runtime = context(session, Params(value, PLACE))
    made = compose(ctx, runtime)
    root = made.choice.runtime.root(ctx)
    return {
        "runtime": made.choice.runtime.id,
        "title": made.choice.runtime.title,
        "runtimeReason": made.choice.runtime_reason,
        "agent": made.choice.agent,
        "agentReason": made.choice.agent_reason,
        "root": str(root) if root else None,
        "runtimes": [{"id": item.id, "title": item.title} for item in runtimes.RUNTIMES],
        "agents": made.choice.runtime.agents(ctx),
        "sources": wire.sources_json(made, lambda path: ctx.store.read(path).lines),
    }


def register(server: MemoryServer) -> None:
    """Add the requests."""
    session = server.session
    server.connection.handlers |= {
        "agentMemory/prompt": lambda params: prompt(session, params),
        "agentMemory/sources": lambda params: sources(session, params),
    }
