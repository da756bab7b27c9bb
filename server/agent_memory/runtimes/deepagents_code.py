"""deepagents-code (command ``dcode``): AGENTS.md of the user, the project folder and the root.

Observed in 0.1.57, which pins deepagents 0.7.6: all files that exist are combined, each below
its absolute path; HTML comments and trailing white space are dropped; the block goes behind
the base prompt. Invalid UTF-8, a folder in a file's place and a symlinked user file end the
agent with an error; a project symlink is followed only inside the tree.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from agent_memory import project, templates
from agent_memory.files import Failure
from agent_memory.model import Problem, Role, Scope, Segment, Severity, Source, Status
from agent_memory.runtimes import wording
from agent_memory.runtimes.base import (
    Composition,
    Runtime,
    agent_of,
    fill,
    given_root,
    numbered,
    right_stripped,
    status_of,
    without_comments,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from agent_memory.context import Context

_MEMORY = "deepagents/middleware/memory.py"
_AGENT = "deepagents_code/agent.py"
KNOWN = {"b86e8c58": "deepagents 0.6.2 to 0.7.32", "d5ff25d5": "deepagents-code 0.1.57"}


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
        user = ctx.user_folder / agent_of(ctx, self) / "AGENTS.md"
        found = [_user_source(ctx, user)]
        root = self.root(ctx)
        if root:
            found += [
                _project_source(ctx, root, root / ".deepagents" / "AGENTS.md", "project"),
                _project_source(ctx, root, root / "AGENTS.md", "root"),
            ]
        return numbered(found)

    def compose(self, ctx: Context, sources: Sequence[Source], base: str = "") -> Composition:
        """Return base, a blank line and the memory block."""
        template = self._template(ctx)
        sections: list[Segment] = []
        for source in sources:
            if source.status is not Status.LOADED:
                continue
            kind = source.name or str(source.scope)
            text = ctx.store.read(source.path).text
            pieces = right_stripped(without_comments(Segment(text, kind, source.path)))
            if pieces:
                sections.append(Segment(("\n\n" if sections else "") + source.display + "\n\n"))
                sections += pieces
        block = fill(template.text, {"agent_memory": sections or wording.NOTHING_LOADED})
        placed = [Segment(base, "base"), Segment("\n\n"), *block] if base else block
        problems = tuple(
            Problem(f"{source.display}: {source.reason}", source.path, Severity.ERROR)
            for source in sources
            if source.status is Status.UNREADABLE
        )
        return Composition(
            tuple(placed), template.exactness, template.version, template.origin, problems
        )

    def _template(self, ctx: Context) -> templates.Template:
        root = self.root(ctx)
        if ctx.settings.auto_save:
            package = templates.find_package(ctx, root, "deepagents")
            return templates.load(
                package, _MEMORY, "MEMORY_SYSTEM_PROMPT", KNOWN, wording.AGENT_MEMORY
            )
        package = templates.find_package(ctx, root, "deepagents-code")
        name = "_MEMORY_READONLY_SYSTEM_PROMPT"
        return templates.load(package, _AGENT, name, KNOWN, wording.AGENT_MEMORY_READ_ONLY)


def _user_source(ctx: Context, path: Path) -> Source:
    content = ctx.store.read(path)
    status, reason = status_of(content)
    if content.symlink and content.failure is not Failure.MISSING:
        status, reason = Status.UNREADABLE, "a symlink here ends the agent with `invalid_path`"
    elif content.failure and content.failure is not Failure.MISSING:
        reason = f"{reason}: the agent ends with an error"
    return Source(path, Scope.USER, Role.MEMORY, status, reason, str(path))


def _project_source(ctx: Context, root: Path, path: Path, kind: str) -> Source:
    content = ctx.store.read(path)
    status, reason = status_of(content)
    display = str(path)
    if content.ok and path.resolve() != path:
        if path.resolve().is_relative_to(root.resolve()):
            display = str(path.resolve())
        else:
            status, reason = Status.IGNORED, "a symlink out of the project is skipped"
    elif content.failure and content.failure is not Failure.MISSING:
        reason = f"{reason}: the agent ends with an error"
    return Source(path, Scope.PROJECT, Role.MEMORY, status, reason, display, name=kind)
