"""What the runtimes of the deepagents family share: folders, agents and their notes."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, ClassVar

from agent_memory.base.model import Problem, Role, Scope, Source, Status
from agent_memory.config import project_root
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

    reads_each_folder: ClassVar[bool] = False
    folders: ClassVar[tuple[str, ...]] = (FOLDER,)
    user_folders: ClassVar[tuple[str, ...]] = (FOLDER,)

    @staticmethod
    def role_of(path: Path) -> Role | None:
        """Return NOTE for Markdown right in ``.deepagents``, None for any other file.

        Memory in this folder is a NOTE too: callers test memory names first.
        """
        is_note = path.parts[-2:-1] == (FOLDER,) and path.suffix.lower() == ".md"
        return Role.NOTE if is_note else None

    def owner_of(self, path: Path, home: Path) -> str:
        """Return the agent whose folder of ``~/.deepagents`` contains ``path``, '' for none."""
        users = home / FOLDER
        parts = path.relative_to(users).parts if path.is_relative_to(users) else ()
        return parts[0] if len(parts) > 1 else ""

    def agents(self, ctx: Context) -> list[str]:
        """Return the agents with memory or skills in a folder of ``~/.deepagents``, sorted."""
        folders = [ctx.user_folder / name for name in sorted(ctx.store.names(ctx.user_folder))]
        return [folder.name for folder in folders if _OF_AN_AGENT & ctx.store.names(folder)]

    @staticmethod
    @abstractmethod
    def is_root(folder: Path) -> bool | None:
        """Whether ``folder`` is a project; None ends the search upwards without a project."""

    def root(self, ctx: Context) -> Path | None:
        """Return the root in the settings, else the nearest that ``is_root`` accepts, or None."""
        return project_root.root_of(ctx, self.is_root)

    def missing_project(self, ctx: Context) -> str:
        """Return why there is no project, or why it is not that of the nearest ``.git`` file.

        The sentence also says what to do. '' if ``cwd`` is in a project and no nearer ``.git`` is
        refused.
        """
        git, root = self._unusable_git(ctx), self.root(ctx)
        if git is None:
            return "" if root else self._not_in_git(ctx)
        if self.is_root(git.parent) is None:  # the file names a missing git folder
            return t(
                "{0} does not point to a git folder, so {1} finds no project. Repair it with "
                "`git worktree repair`, or set projectRoot to {2}",
                git,
                self.id,
                git.parent,
            )
        if root:
            return t(
                "{0} is a file (worktree or submodule), but {1} needs a folder, so it uses {2} as "
                "the project. Set projectRoot to {3}",
                git,
                self.id,
                root,
                git.parent,
            )
        return t(
            "{0} is a file (worktree or submodule), but {1} needs a folder, so it finds no "
            "project. Set projectRoot to {2}",
            git,
            self.id,
            git.parent,
        )

    def _not_in_git(self, ctx: Context) -> str:
        """Return why there is no project outside of git, and what to do."""
        return t(
            "{0} is not in a git repository, so {1} finds no project. Run `git init` there, "
            "or set projectRoot to the folder",
            ctx.cwd.name,
            self.id,
        )

    def _unusable_git(self, ctx: Context) -> Path | None:
        """Return the ``.git`` file that this runtime does not accept, None without one.

        With a root in the settings git does not matter.
        """
        if ctx.given_root:
            return None
        return ctx.programs.recent(
            ("unusable git", self.is_root, ctx.cwd),
            lambda: project_root.unusable_git(ctx.cwd.resolve(), self.is_root),
        )

    def lost_project(self, ctx: Context) -> list[Problem]:
        """Return a problem if the nearest ``.git`` file is rejected, [] if not.

        It does not matter whether another folder counts as the project.
        """
        git = self._unusable_git(ctx)
        return [Problem(self.missing_project(ctx), git)] if git else []

    def lost_memory(self, ctx: Context) -> list[Source]:
        """Return as ignored the existing files that would be memory if a folder were the project.

        The folder is that of the ``.git`` file that this runtime does not accept, else ``cwd``. []
        if :meth:`missing_project` has nothing to report.
        """
        why = self.missing_project(ctx)
        if not why:
            return []
        git = self._unusable_git(ctx)
        folder = git.parent if git else ctx.cwd.resolve()
        paths = [folder / name for name in self.project_files]
        return [
            Source(path, Scope.PROJECT, Role.MEMORY, Status.IGNORED, why, str(path))
            for path in paths
            if ctx.store.read(path).failure is not Failure.MISSING
        ]
