"""deepagentsdk as its plan specifies it (requirements A1 to A48, decisions X1 to X14).

User agent.md, then the project's: ``.deepagents/agent.md``, else the root's ``agent.md``. The
whole section is put before the base prompt. The published package differs and is not on the
registries this project builds from, so the wording here is our own and the prompt says so.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from agent_memory import project
from agent_memory.model import Exactness, Role, Scope, Segment, Source, Status
from agent_memory.runtimes import agent_md, wording
from agent_memory.runtimes.base import (
    Composition,
    Runtime,
    agent_of,
    fill,
    fill_custom,
    given_root,
    merged,
    numbered,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from agent_memory.context import Context


class Deepagentsdk(Runtime):
    """The profile of the deepagentsdk plan."""

    id: ClassVar[str] = "deepagentsdk"
    title: ClassVar[str] = "deepagentsdk plan (agent.md)"
    container_tags: ClassVar[tuple[str, ...]] = ("user_memory", "project_memory")

    def root(self, ctx: Context) -> Path | None:
        """Return the given root, else the nearest folder whose ``.git`` is a folder."""
        return given_root(ctx) or project.find_root(ctx.cwd.resolve(), project.has_git_folder)

    def sources(self, ctx: Context) -> list[Source]:
        """Return user memory, project memory (preferred, fallback) and the notes beside it."""
        user = ctx.user_folder / agent_of(ctx, self) / "agent.md"
        found = [agent_md.source(ctx, user, Scope.USER)]
        root = self.root(ctx)
        if root:
            preferred = agent_md.source(
                ctx, root / ".deepagents" / "agent.md", Scope.PROJECT, "project"
            )
            fallback = agent_md.source(ctx, root / "agent.md", Scope.PROJECT, "root")
            if preferred.status is not Status.MISSING and fallback.status is not Status.MISSING:
                why = ".deepagents/agent.md is read in its place"
                fallback = replace(fallback, status=Status.SHADOWED, reason=why)
            found += [preferred, fallback, *_notes(root)]
        return numbered(found)

    def compose(self, ctx: Context, sources: Sequence[Source], base: str = "") -> Composition:
        """Return the memory section, a blank line and the base prompt."""
        root, agent = self.root(ctx), agent_of(ctx, self)
        memory = agent_md.memory_fields(ctx, list(sources))
        custom = ctx.settings.memory_template
        missing = "[project-root]/.deepagents (not in a project)"
        fields = {
            "agent_dir_absolute": str(ctx.user_folder / agent),
            "agent_dir_display": f"~/.deepagents/{agent}",
            "project_memory_info": agent_md.project_info(root, list(sources)),
            "project_deepagents_dir": str(root / ".deepagents") if root else missing,
        }
        segments = (
            fill_custom(custom, memory)
            if custom
            else [Segment("## Agent Memory\n\n"), *fill(wording.AGENT_MD_SNIPPET, memory)]
        )
        segments += fill(wording.AGENT_MD_GUIDE, fields)
        if base:
            segments += [Segment("\n\n"), Segment(base, "base")]
        return Composition(
            tuple(merged(segments)),
            Exactness.OWN_WORDING,
            origin="the plan's structure, wording of Agent Memory",
        )


def _notes(root: Path) -> list[Source]:
    folder = root / ".deepagents"
    if not folder.is_dir():
        return []
    return [
        Source(path, Scope.PROJECT, Role.NOTE, Status.LISTED, "read by the agent when it needs it")
        for path in sorted(folder.glob("*.md"))
        if path.name.lower() not in ("agent.md", "agents.md")
    ]
