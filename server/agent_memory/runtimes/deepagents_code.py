"""deepagents-code (command ``dcode``): AGENTS.md of the user, the project folder and the root.

Observed in 0.1.57, which pins deepagents 0.7.6: all files that exist are combined, each below
its absolute path; HTML comments and trailing white space are dropped; the block goes behind
the base prompt. Invalid UTF-8, a folder in a file's place and a symlinked user file end the
agent with an error; a project symlink is followed only inside the tree.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from agent_memory import project, templates
from agent_memory.model import Exactness, Problem, Scope, Source
from agent_memory.runtimes import agents_md, wording
from agent_memory.runtimes.base import (
    Composition,
    Runtime,
    agent_of,
    failures,
    fill,
    given_root,
    merged,
    numbered,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from agent_memory.context import Context

_CHECKED = ("0.1.57", "0.1.57")
_SAVING = templates.Wanted(
    agents_md.MODULE,
    "MEMORY_SYSTEM_PROMPT",
    agents_md.KNOWN,
    frozenset({"agent_memory"}),
    wording.AGENT_MEMORY,
)
_READ_ONLY = templates.Wanted(
    "deepagents_code/agent.py",
    "_MEMORY_READONLY_SYSTEM_PROMPT",
    {"d5ff25d5f77319b2": _CHECKED},
    frozenset({"agent_memory"}),
    wording.AGENT_MEMORY_READ_ONLY,
)


class DeepagentsCode(Runtime):
    """The profile of deepagents-code."""

    id: ClassVar[str] = "deepagents-code"
    title: ClassVar[str] = "deepagents-code (AGENTS.md)"
    packages: ClassVar[tuple[str, ...]] = ("deepagents-code",)
    container_tags: ClassVar[tuple[str, ...]] = ("agent_memory", "memory_guidelines")
    strips_comments: ClassVar[bool] = True

    def root(self, ctx: Context) -> Path | None:
        """Return the nearest folder with a live ``.git``; the file system's root counts."""
        return given_root(ctx) or project.find_root(ctx.cwd.resolve(), project.has_live_git)

    def sources(self, ctx: Context) -> list[Source]:
        """Return user, project and root AGENTS.md, in this order."""
        user = ctx.user_folder / agent_of(ctx, self)
        found = [agents_md.opened(ctx, user / "AGENTS.md", Scope.USER)]
        root = self.root(ctx)
        if root:
            for folder, kind in ((root / ".deepagents", "project"), (root, "root")):
                found.append(_in_project(ctx, root, folder / "AGENTS.md", kind))
        return numbered(found)

    def compose(self, ctx: Context, sources: Sequence[Source], base: str = "") -> Composition:
        """Return base, a blank line and the memory block."""
        template, exactness, version = self._template(ctx)
        memory = agents_md.memory(ctx, sources, agents_md.RULES[0])
        block = fill(template.text, {"agent_memory": memory})
        placed = agents_md.in_place(block, base, before=False)
        problems = [*failures(sources), *self._lost_project(ctx)]
        return Composition(
            tuple(merged(placed)), exactness, version, template.origin, tuple(problems)
        )

    def _template(self, ctx: Context) -> tuple[templates.Template, Exactness, str]:
        """Return the template, how exact the whole is, and the runtime's version."""
        root = self.root(ctx)
        runtime = templates.find_package(ctx, root, "deepagents-code")
        if not ctx.settings.auto_save:
            template = templates.load(ctx, root, runtime, _READ_ONLY)
            return template, template.exactness, template.version
        package = templates.find_package(ctx, root, "deepagents") if runtime else None
        template = templates.load(ctx, root, package, _SAVING)
        if runtime is None:
            return template, template.exactness, ""
        exactness = template.exactness
        if exactness is Exactness.EXACT and not templates.within(runtime.version, _CHECKED):
            why = f"{template.origin} ({runtime} was not compared with this profile)"
            template, exactness = replace(template, origin=why), Exactness.UNVERIFIED
        return template, exactness, runtime.version

    def _lost_project(self, ctx: Context) -> list[Problem]:
        if given_root(ctx):
            return []
        git = project.unusable_git(ctx.cwd.resolve(), project.has_live_git)
        if git is None:
            return []
        why = f"{git} does not lead to a git folder: {self.id} finds no project, loads no memory"
        return [Problem(f"{why} of it", git)]


def _in_project(ctx: Context, root: Path, path: Path, kind: str) -> Source:
    source = agents_md.opened(ctx, path, Scope.PROJECT, name=kind, resolved=True)
    return agents_md.resolved_in(ctx, source, root)
