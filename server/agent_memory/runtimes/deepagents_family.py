"""What the runtimes of the deepagents family share: folders, agents and their notes."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from agent_memory.base.model import Role, Scope, Source, Status
from agent_memory.fs.reader import Failure
from agent_memory.l10n import t
from agent_memory.runtimes.base import Runtime

if TYPE_CHECKING:
    from pathlib import Path

    from agent_memory.config.context import Context

FOLDER = ".deepagents"
_OF_AN_AGENT = frozenset({"agent.md", "AGENTS.md", "skills"})
"""A folder of ``~/.deepagents`` with one of these belongs to an agent."""


class DeepagentsRuntime(Runtime):
    """A runtime that reads ``~/.deepagents/{agent}`` and the project's ``.deepagents``."""

    folders: ClassVar[tuple[str, ...]] = (FOLDER,)
    user_folders: ClassVar[tuple[str, ...]] = (FOLDER,)

    @staticmethod
    def role_of(path: Path) -> Role | None:
        """Return NOTE for Markdown right in ``.deepagents``."""
        is_note = path.parts[-2:-1] == (FOLDER,) and path.suffix.lower() == ".md"
        return Role.NOTE if is_note else None

    def owner_of(self, path: Path, home: Path) -> str:
        """Return the agent whose folder of ``~/.deepagents`` contains ``path``, '' for none."""
        users = home / FOLDER
        parts = path.relative_to(users).parts if path.is_relative_to(users) else ()
        return parts[0] if len(parts) > 1 else ""

    def agents(self, ctx: Context) -> list[str]:
        """Return the agents with a folder in ``~/.deepagents``."""
        folders = [ctx.user_folder / name for name in sorted(ctx.store.names(ctx.user_folder))]
        return [folder.name for folder in folders if _OF_AN_AGENT & ctx.store.names(folder)]

    def rootless(self, ctx: Context) -> list[Source]:
        """Return what would be project memory if this runtime found a project at ``cwd``."""
        why = t(
            "{0} is not in a git repository, so {1} finds no project. Run `git init` there, "
            "or set projectRoot to the folder",
            ctx.cwd.name,
            self.id,
        )
        paths = [ctx.cwd.resolve() / name for name in self.project_files]
        return [
            Source(path, Scope.PROJECT, Role.MEMORY, Status.IGNORED, why, str(path))
            for path in paths
            if ctx.store.read(path).failure is not Failure.MISSING
        ]
