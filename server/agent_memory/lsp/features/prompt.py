"""``agentMemory/prompt`` and ``agentMemory/sources``: the composed block and where it is from."""

from __future__ import annotations

import hashlib
import json
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

from agent_memory import runtimes, serialize
from agent_memory.base.errors import UsageError
from agent_memory.l10n import t
from agent_memory.lsp.features.prompt_patch import Patches
from agent_memory.lsp.transport.params import Params
from agent_memory.prompt.at_revision import compose_at
from agent_memory.prompt.compose import compose
from agent_memory.secrets import mask_parts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agent_memory.config.context import Context
    from agent_memory.lsp.server import MemoryServer
    from agent_memory.lsp.workspace.session import Session
    from agent_memory.prompt.compose import Prompt

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
    return _answer(session, Params(value, (*PLACE, "saved", "committed", "reveal")))


def _answer(session: Session, params: Params) -> dict[str, Any]:
    ctx, runtime = context(session, params)
    if params.flag("committed"):
        if not session.client.trusted:
            raise UsageError(t("git is asked only in a trusted workspace"))
        made, lines = compose_at(ctx, "HEAD", runtime)
    else:
        ctx = ctx.with_(store=ctx.store.on_disk()) if params.flag("saved") else ctx
        made, lines = compose(ctx, runtime), {}
    allowed = tuple(ctx.settings.allowed_secrets)
    answer = serialize.prompt_json(
        made,
        lambda path: lines[path] if path in lines else ctx.store.read(path).lines,
        ctx.settings.budget_tokens,
        None if params.flag("reveal") else lambda texts: _masked(tuple(texts), allowed),
        cache(session.places.uri),
    )
    return {**answer, **about(ctx, made, answer["sources"])}


@lru_cache(maxsize=4)
def _masked(texts: tuple[str, ...], allowed: tuple[str, ...]) -> list[str]:
    """Return ``texts`` masked. One state of the files is asked for by several parts of a client."""
    return mask_parts(texts, allowed)


def about(ctx: Context, made: Prompt, listed: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return the project and what may be picked for it, and ``state``.

    That is a digest of all that is said of a prompt beside its text. ``listed`` are its sources
    as they are answered.
    """
    choice = made.choice
    root = choice.runtime.root(ctx)
    project = {"root": str(root) if root else None, "agents": choice.runtime.agents(ctx)}
    said = [
        [choice.runtime.id, choice.runtime_reason, choice.agent, choice.agent_reason],
        [made.version, made.exactness, made.origin, ctx.settings.budget_tokens],
        [[item.message, str(item.path), item.severity] for item in made.problems],
        [project, listed],
    ]
    return {
        **project,
        "runtimes": [
            {"id": item.id, "title": t(item.title), "summary": t(item.summary)}
            for item in runtimes.RUNTIMES
        ],
        "state": hashlib.sha256(json.dumps(said).encode()).hexdigest()[:16],
    }


def listed_sources(session: Session, ctx: Context, made: Prompt) -> list[dict[str, Any]]:
    """Return the sources of ``made`` as they are answered: by the URIs the client knows."""
    uri = cache(session.places.uri)
    return serialize.sources_json(made, lambda path: ctx.store.read(path).lines, uri)


def sources(session: Session, value: Any) -> dict[str, Any]:
    """Answer ``agentMemory/sources``."""
    ctx, runtime = context(session, Params(value, PLACE))
    made = compose(ctx, runtime)
    listed = listed_sources(session, ctx, made)
    return {
        "runtime": made.choice.runtime.id,
        "title": t(made.choice.runtime.title),
        "runtimeReason": made.choice.runtime_reason,
        "agent": made.choice.agent,
        "agentReason": made.choice.agent_reason,
        "sources": listed,
        **about(ctx, made, listed),
    }


def register(server: MemoryServer) -> None:
    """Add the requests."""
    session = server.session
    patches = Patches()

    def answer(value: Any) -> dict[str, Any]:
        params = Params(value, (*PLACE, "saved", "committed", "reveal", "since"))
        whole = _answer(session, params)
        since = params.text("since")
        return whole if since is None else patches.compact(whole, since)

    server.connection.handlers |= {
        "agentMemory/prompt": answer,
        "agentMemory/sources": lambda params: sources(session, params),
    }
