"""What the runtimes of the agent.md generation share: the snippet and where files stand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.model import Role, Scope, Segment, Source, Status
from agent_memory.runtimes.base import status_of

if TYPE_CHECKING:
    from pathlib import Path

    from agent_memory.context import Context

NO_USER = "(No user agent.md)"
NO_PROJECT = "(No project agent.md)"


def source(ctx: Context, path: Path, scope: Scope, name: str = "") -> Source:
    """Return the source ``path``; an unreadable file is silently left out by these runtimes."""
    status, reason = status_of(ctx.store.read(path), empty="an empty file counts as none")
    if status is Status.UNREADABLE:
        reason += ": the agent is silently told that there is none"
    return Source(path, scope, Role.MEMORY, status, reason, str(path), name=name)


def memory_fields(ctx: Context, sources: list[Source]) -> dict[str, list[Segment]]:
    """Return the segments of user and project memory, placeholders where there is none."""
    out: dict[str, list[Segment]] = {"user_memory": [], "project_memory": []}
    for item in sources:
        if item.status is Status.LOADED:
            text = ctx.store.read(item.path).text.replace("\r\n", "\n").replace("\r", "\n")
            kind = item.name or str(item.scope)
            out[f"{item.scope}_memory"].append(Segment(text, kind, item.path))
    out["user_memory"] = out["user_memory"] or [Segment(NO_USER)]
    out["project_memory"] = out["project_memory"] or [Segment(NO_PROJECT)]
    return out


def project_info(root: Path | None, sources: list[Source]) -> str:
    """Return how the prompt names the project's memory."""
    if root is None:
        return "None (not in a git project)"
    loaded = any(item.scope is Scope.PROJECT and item.status is Status.LOADED for item in sources)
    return f"`{root}` (detected)" if loaded else f"`{root}` (no agent.md found)"
