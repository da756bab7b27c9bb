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
        """Return NOTE for Markdown directly in ``.deepagents``, None for any other file.

        So it is NOTE for AGENTS.md in this folder too: callers test ``memory_names`` first.
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
        """Return whether ``folder`` is the root of a project.

        None: it is not, and the search in the folders above ends.
        """

    def root(self, ctx: Context) -> Path | None:
        """Return the root in the settings, else the nearest that ``is_root`` accepts, or None."""
        return project_root.root_of(ctx, self.is_root)

    def missing_project(self, ctx: Context) -> str:
        """Return why there is no project, or why the nearest ``.git`` file is not accepted.

        The sentence also says what to do. '' if there is a project and no such file.
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
        """Return the nearest ``.git`` file if this runtime does not accept it, else None.

        None if the settings contain the root: then git does not matter. In an editor the result is
        cached for a short time.
        """
        if ctx.given_root:
            return None
        return ctx.programs.recent(
            ("unusable git", self.is_root, ctx.cwd),
            lambda: project_root.unusable_git(ctx.cwd.resolve(), self.is_root),
        )

    def lost_project(self, ctx: Context) -> list[Problem]:
        """Return a problem if the runtime does not accept the nearest ``.git`` file, else [].

        The problem is reported even if another folder counts as the project.
        """
        git = self._unusable_git(ctx)
        return [Problem(self.missing_project(ctx), git)] if git else []

    def lost_memory(self, ctx: Context) -> list[Source]:
        """Return as ignored the memory files of a folder that users take for the project.

        The folder is that of the ``.git`` file that this runtime does not accept, else ``cwd``. []
        if :meth:`missing_project` has nothing to report. Missing files are left out.
        """
        why = self.missing_project(ctx)
        if not why:
            return []
        git = self._unusable_git(ctx)
        supposed_root = git.parent if git else ctx.cwd.resolve()
        paths = [supposed_root / name for name in self.project_files]
        return [
            Source(path, Scope.PROJECT, Role.MEMORY, Status.IGNORED, why, str(path))
            for path in paths
            if ctx.store.read(path).failure is not Failure.MISSING
        ]
