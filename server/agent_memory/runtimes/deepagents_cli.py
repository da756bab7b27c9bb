"""deepagents-cli 0.0.10 to 0.0.12: agent.md of the user and of the project's ``.deepagents``.

The root's own agent.md is never read, although the prompt says so. Memory goes before the base
prompt, the guide behind it. A file that cannot be decoded becomes the placeholder without a word.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from agent_memory import project, templates
from agent_memory.model import Scope, Segment, Source, Status
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

_MODULE = "deepagents_cli/agent_memory.py"
KNOWN = {"a6b1ed92": "0.0.10 to 0.0.12", "6bc04773": "0.0.10 to 0.0.12"}


class DeepagentsCli(Runtime):
    """The profile of deepagents-cli before it moved to AGENTS.md."""

    id: ClassVar[str] = "deepagents-cli"
    title: ClassVar[str] = "deepagents-cli 0.0.10 to 0.0.12 (agent.md)"
    packages: ClassVar[tuple[str, ...]] = ("deepagents-cli",)
    container_tags: ClassVar[tuple[str, ...]] = ("user_memory", "project_memory")

    def matches(self, version: str) -> bool:
        """Whether ``version`` still reads agent.md: 0.0.13 moved to AGENTS.md."""
        return version in ("0.0.10", "0.0.11", "0.0.12")

    def root(self, ctx: Context) -> Path | None:
        """Return the nearest folder with any ``.git``."""
        return given_root(ctx) or project.find_root(ctx.cwd.resolve(), project.has_git)

    def sources(self, ctx: Context) -> list[Source]:
        """Return the user's and the project's agent.md, and the root's, which is not read."""
        user = ctx.user_folder / agent_of(ctx, self) / "agent.md"
        found = [agent_md.source(ctx, user, Scope.USER)]
        root = self.root(ctx)
        if root:
            found.append(
                agent_md.source(ctx, root / ".deepagents" / "agent.md", Scope.PROJECT, "project")
            )
            lost = agent_md.source(ctx, root / "agent.md", Scope.PROJECT, "root")
            if lost.status is not Status.MISSING:
                why = "deepagents-cli never reads the root's agent.md, although its prompt says so"
                found.append(
                    Source(lost.path, lost.scope, lost.role, Status.IGNORED, why, lost.display)
                )
        return numbered(found)

    def compose(self, ctx: Context, sources: Sequence[Source], base: str = "") -> Composition:
        """Return memory, base prompt and guide."""
        root = self.root(ctx)
        package = templates.find_package(ctx, root, "deepagents-cli")
        snippet = templates.load(
            package, _MODULE, "DEFAULT_MEMORY_SNIPPET", KNOWN, wording.AGENT_MD_SNIPPET
        )
        guide = templates.load(
            package, _MODULE, "LONGTERM_MEMORY_SYSTEM_PROMPT", KNOWN, wording.AGENT_MD_GUIDE
        )
        memory = agent_md.memory_fields(ctx, list(sources))
        custom = ctx.settings.memory_template
        agent = agent_of(ctx, self)
        missing = "[project-root]/.deepagents (not in a project)"
        fields = {
            "agent_dir_absolute": str(ctx.user_folder / agent),
            "agent_dir_display": f"~/.deepagents/{agent}",
            "project_memory_info": agent_md.project_info(root, list(sources)),
            "project_deepagents_dir": str(root / ".deepagents") if root else missing,
        }
        segments = fill_custom(custom, memory) if custom else fill(snippet.text, memory)
        if base:
            segments += [Segment("\n\n"), Segment(base, "base")]
        segments += [Segment("\n\n"), *fill(guide.text, fields)]
        exactness = min(snippet.exactness, guide.exactness, key=wording.rank)
        return Composition(tuple(merged(segments)), exactness, guide.version, guide.origin)
