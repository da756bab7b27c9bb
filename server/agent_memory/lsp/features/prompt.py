"""``agentMemory/prompt`` and ``agentMemory/sources``: the composed block and its sources."""

from __future__ import annotations

import hashlib
import json
from functools import cache
from typing import TYPE_CHECKING, Any

from agent_memory import runtimes, serialize
from agent_memory.base.errors import UsageError
from agent_memory.l10n import t
from agent_memory.lsp.features.feature import Feature
from agent_memory.lsp.features.prompt_patch import Patches
from agent_memory.lsp.transport.params import Params
from agent_memory.prompt.at_revision import compose_at
from agent_memory.prompt.compose import compose, compose_reading
from agent_memory.prompt.overview import overview
from agent_memory.runtimes.several import listed
from agent_memory.serialize_explained import overview_json

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from pygls.lsp.server import LanguageServer

    from agent_memory.config.context import Context
    from agent_memory.lsp.workspace.session import Session
    from agent_memory.prompt.compose import Prompt

PROJECT_KEYS = ("uri", "cwd", "runtime", "agent")
"""Parameters of custom requests that choose a project: a file in it or the agent's working folder,
the runtime, the agent."""
PROMPT_KEYS = (*PROJECT_KEYS, "saved", "committed", "reveal", "reading")
"""Parameters of a request for a prompt: see :func:`_answer`."""


class PromptRequests(Feature):
    """Both requests and their commands."""

    def register(self, server: LanguageServer) -> None:
        """Register the requests and their commands.

        A command has no ``since``: it always returns the complete prompt.
        """
        patches = Patches()

        @server.feature("agentMemory/prompt")
        def answer(value: Any) -> dict[str, Any]:
            """Return the prompt; with ``since``, a patch of the text that the client has."""
            params = Params(value, (*PROMPT_KEYS, "since"))
            complete = _answer(self.session, params)
            since = params.text("since")
            return complete if since is None else patches.compact(complete, since)

        @server.command("agentMemory.server.prompt")
        def run(value: Any) -> dict[str, Any]:
            return prompt(self.session, value)

        @server.feature("agentMemory/sources")
        @server.command("agentMemory.server.sources")
        def list_sources(value: Any) -> dict[str, Any]:
            return sources(self.session, value)


def named_agent(params: Params) -> str | None:
    """Return the parameter ``agent``; None if it is missing or 'auto'."""
    agent = params.text("agent")
    return None if agent == "auto" else agent


def context(session: Session, params: Params) -> tuple[Context, str | None]:
    """Return (context, id of the runtime) that a custom request chooses by ``PROJECT_KEYS``.

    Without ``cwd`` the project is that of the file ``uri``, else of the active folder. A missing
    ``agent`` is the one whose user memory contains that file, else that of the settings, else
    detected. The id is None if ``runtime`` is missing: then it is that of the settings, else
    detected. 'auto' is like missing. Settings that changed on disk are read again.

    Raises:
        BadParamsError, UsageError: the parameters are invalid.

    """
    path = params.path("uri")
    runtime, agent = params.text("runtime"), named_agent(params)
    runtime = None if runtime == "auto" else runtime
    agent = session.projects.agent_of(path) if agent is None else agent
    cwd = params.path("cwd") or session.projects.cwd_of(path)
    session.refresh_settings(cwd)
    return session.context(cwd, agent), runtime


def prompt(session: Session, value: Any) -> dict[str, Any]:
    """Return :func:`_answer` for ``value``, an object with some of ``PROMPT_KEYS``."""
    return _answer(session, Params(value, PROMPT_KEYS))


def _answer(session: Session, params: Params) -> dict[str, Any]:
    """Return the prompt as JSON: of the buffers, ``saved`` on disk, or ``committed`` in git.

    With the URI ``reading``, it is only the block that is added when the agent reads that file.
    ``committed`` comes first: with it, ``saved`` and ``reading`` have no effect. Secrets are
    masked except with ``reveal``. The JSON also has :func:`project_facts` and
    :func:`known_runtimes`.

    Raises:
        BadParamsError, UsageError: the parameters are invalid, or ``committed`` is requested in
            a workspace that is not trusted.

    """
    ctx, runtime = context(session, params)
    committed_lines: dict[Path, Sequence[str]] = {}
    if params.flag("committed"):
        if not session.capabilities.trusted:
            raise UsageError(t("git is used only in a trusted workspace"))
        composed, committed_lines = compose_at(ctx, "HEAD", runtime)
    else:
        ctx = ctx.with_(store=ctx.store.on_disk()) if params.flag("saved") else ctx
        reading = params.path("reading")
        composed = compose_reading(ctx, reading, runtime) if reading else compose(ctx, runtime)

    def lines_of(path: Path) -> Sequence[str]:
        """Return the lines of ``path`` from which the prompt was composed."""
        return committed_lines[path] if path in committed_lines else ctx.store.read(path).lines

    def masked(texts: Sequence[str]) -> list[str]:
        """Return ``texts`` with secrets masked except those that the settings allow."""
        return session.mask(tuple(texts), tuple(ctx.settings.allowed_secrets))

    answer = serialize.prompt_json(
        composed,
        lines_of,
        ctx.settings.budget_tokens,
        None if params.flag("reveal") else masked,
        cache(session.positions.uri),
    )
    return {**answer, **project_facts(ctx, composed, answer["sources"]), **known_runtimes(ctx)}


def project_facts(ctx: Context, composed: Prompt, rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return {"root": the project's or None, "agents": the ids to choose from, "state": digest}.

    ``state`` is a digest of what a client shows besides the text of the prompt. While it stays
    equal, the client need not request these facts again. ``rows`` are the sources as JSON.
    """
    choice = composed.choice
    root = choice.runtime.root(ctx)
    project = {"root": str(root) if root else None, "agents": choice.runtime.agents(ctx)}
    content = [
        [choice.runtime.id, choice.runtime_reason, choice.agent, choice.agent_reason],
        [composed.version, composed.exactness, composed.origin, ctx.settings.budget_tokens],
        [[problem.message, str(problem.path), problem.severity] for problem in composed.problems],
        [project, rows],
    ]
    return {
        **project,
        "state": hashlib.sha256(json.dumps(content).encode()).hexdigest()[:16],
    }


def known_runtimes(ctx: Context) -> dict[str, Any]:
    """Return {"runtimes": all known ones, "runtimesNote": a sentence if none was found, else ''}.

    A runtime is ``listed`` if its findings and explanations are shown; ``reason`` says why.
    """
    listed_runtimes = listed(ctx)
    reasons = listed_runtimes.reasons
    return {
        "runtimes": [
            {
                "id": runtime.id,
                "title": t(runtime.title),
                "summary": t(runtime.summary),
                "listed": runtime.id in reasons,
                "reason": reasons.get(runtime.id, ""),
            }
            for runtime in runtimes.RUNTIMES
        ],
        "runtimesNote": listed_runtimes.note,
    }


def sources_with_uris(session: Session, ctx: Context, composed: Prompt) -> list[dict[str, Any]]:
    """Return the sources of a prompt as JSON, with the URIs that the client uses."""
    uri = cache(session.positions.uri)
    return serialize.sources_json(composed, lambda path: ctx.store.read(path).lines, uri)


def sources(session: Session, value: Any) -> dict[str, Any]:
    """Return the sources of the prompt as JSON, without the text of the prompt.

    ``value`` is an object with some of ``PROJECT_KEYS``, and ``all``: with it, the table of all
    known files and what each listed runtime does with them is added.

    Raises:
        BadParamsError, UsageError: the parameters are invalid.

    """
    params = Params(value, (*PROJECT_KEYS, "all"))
    ctx, runtime = context(session, params)
    composed = compose(ctx, runtime)
    rows = sources_with_uris(session, ctx, composed)
    all_files: dict[str, Any] = {}
    if params.flag("all"):
        table = overview(ctx, chosen=composed.choice.runtime.id)
        all_files = overview_json(table, ctx, cache(session.positions.uri))
    return {
        "runtime": composed.choice.runtime.id,
        "title": t(composed.choice.runtime.title),
        "runtimeReason": composed.choice.runtime_reason,
        "agent": composed.choice.agent,
        "agentReason": composed.choice.agent_reason,
        "sources": rows,
        **project_facts(ctx, composed, rows),
        **known_runtimes(ctx),
        **all_files,
    }
