"""The state of one editor session: folders, settings, open documents and projects.

Independent of pygls and of JSON-RPC.
"""

from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING, Any

from agent_memory.config.context import Context
from agent_memory.fs.deleted_files import DeletedFiles
from agent_memory.fs.overlay import Store
from agent_memory.fs.program_text import ProgramTexts
from agent_memory.lsp.protocol.client_capabilities import ClientCapabilities
from agent_memory.lsp.protocol.convert import real
from agent_memory.lsp.workspace.documents import Documents
from agent_memory.lsp.workspace.position_mapper import PositionMapper
from agent_memory.lsp.workspace.projects import Projects
from agent_memory.lsp.workspace.recall_indexes import RecallIndexes
from agent_memory.lsp.workspace.session_settings import SessionSettings, innermost
from agent_memory.secrets import mask_parts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path

    from agent_memory.base.model import Edit, Finding
    from agent_memory.fs.write_roots import WriteRoots

_FRESH_SECONDS = 1.0
"""How long the search for an installed agent is not repeated: a prompt asks up to twelve times."""
_MAX_MASKED = 4
"""Results of :meth:`Session.mask` in the cache."""


class Session:
    """The state that all features share. Used from one thread."""

    def __init__(self, home: Path, env: Mapping[str, str] | None = None) -> None:
        self.home = home
        self.env = os.environ if env is None else env
        self.capabilities = ClientCapabilities({})
        self.store = Store()
        # The texts around memory in installed agents, and the files that commits deleted: git runs
        # only in the background (`OtherFiles`), not on demand.
        self.programs = ProgramTexts(_in_background, fresh_seconds=_FRESH_SECONDS)
        self.history = DeletedFiles(on_demand=False)
        self.documents = Documents(self.store)
        self.positions = PositionMapper(self.store, self.documents)
        self.settings = SessionSettings(home, self.store)
        self.projects = Projects(home, self.context)
        self.recall_indexes = RecallIndexes()
        self.diagnosed = False  # whether diagnostics have been sent
        # By (texts, allowed secrets): the masked texts.
        self._masked: dict[tuple[tuple[str, ...], tuple[str, ...]], list[str]] = {}

    @property
    def folders(self) -> list[Path]:
        """The workspace folders."""
        return self.projects.folders

    def set_folders(self, folders: list[Path]) -> None:
        """Use ``folders`` as the workspace, trusted as the client says.

        In an untrusted one, a path is hidden if a symlink leads out of the project to it.
        """
        self.positions.folders = self.settings.folders = folders
        self.settings.trusted = self.capabilities.trusted
        if self.capabilities.trusted:
            self.store.hide(None)
        else:
            from agent_memory.lsp.workspace.boundaries import hidden  # noqa: PLC0415 -- rarely needed

            self.store.hide(hidden(self.home, folders))
        self.settings.clear()
        self.projects.set_folders(folders)

    def context(self, cwd: Path, agent: str | None = None) -> Context:
        """Return the context of a request about ``cwd``.

        Without ``agent`` (None or ''), the agent is that of the settings, else detected.
        """
        settings, _ = self.settings.of(cwd)
        return Context(
            self.home,
            cwd,
            self.store,
            settings,
            self.env,
            agent or None,
            programs=self.programs,
            history=self.history,
        )

    def settings_folders(self) -> list[Path]:
        """Return the folders whose settings apply now: the workspace folders and the active one."""
        return list(dict.fromkeys([*self.folders, self.projects.cwd_of(None)]))

    def git_roots(self) -> set[Path]:
        """Return the roots of the cached projects whose git history may be read.

        Empty in an untrusted workspace: git is not used there.
        """
        views = self.projects.cached_views() if self.capabilities.trusted else []
        return {view.project.tree.root for view in views}

    def all_paths(self) -> list[Path]:
        """Return the files of all projects and all other memory files, each once.

        The others were found in the workspace, or are open.
        """
        paths = self.projects.paths()
        opened = [document.path for document in self.documents if document.path]
        real_paths = {real(path) for path in paths}  # a file may be open through a symlink
        is_memory_file = self.projects.is_memory_file
        only_open = [
            path for path in opened if real(path) not in real_paths and is_memory_file(path)
        ]
        return list(dict.fromkeys(paths + only_open))

    def findings(self, path: Path, *, defer: bool = False) -> Sequence[Finding]:
        """Return the findings in ``path``, none if it is not a memory file.

        ``defer``: slow rules may return the findings of their last run.
        """
        if not self.projects.is_memory_file(path):
            return ()
        return self.projects.view_of(path).findings(path, defer=defer)

    # -- edits

    def edit(
        self,
        edits: Sequence[Edit] = (),
        *,
        creates: Sequence[tuple[Path, str]] = (),
        renames: Sequence[tuple[Path, Path]] = (),
        roots: WriteRoots | None = None,
    ) -> dict[str, Any]:
        """Return a WorkspaceEdit for the client.

        ``roots`` are the folders that the edit may change; None: those of
        :func:`~agent_memory.lsp.workspace.boundaries.writable`, such as the workspace and the
        user's memory. ``creates`` are (path, text), ``renames`` are (old path, new path).

        Raises:
            UsageError: the edit would change a file outside of these folders.

        """
        changed = {edit.path for edit in edits} | {path for path, _ in creates}
        # A rename changes two folders: the old path's and the new path's.
        folders = {path.parent for old_and_new in renames for path in old_and_new}
        for path in sorted(changed | folders):
            (roots or self._roots_of(path)).check(path)
        from agent_memory.lsp.protocol.workspace_edit import workspace_edit  # noqa: PLC0415 -- not at start

        client = self.capabilities
        return workspace_edit(self.positions, client, edits, creates=creates, renames=renames)

    def _roots_of(self, path: Path) -> WriteRoots:
        """Return the folders that an edit of ``path`` may change.

        They depend on the project of the innermost workspace folder with ``path``; outside of all
        workspace folders, on the active project.
        """
        from agent_memory.lsp.workspace.boundaries import writable  # noqa: PLC0415 -- not at start

        folder = innermost(self.folders, path) or self.projects.cwd_of(None)
        # By opening a file, the user also allows edits of the project that contains it.
        opened = path if self.documents.at(path) else None
        return writable(self.projects.view(folder), self.folders, opened)

    def mask(self, texts: tuple[str, ...], allowed: tuple[str, ...]) -> list[str]:
        """Return ``texts`` with secrets masked, except those with a SHA-256 hash in ``allowed``.

        The latest results are cached: several parts of a client request the same texts.
        """
        key = (texts, allowed)
        if key not in self._masked:
            while len(self._masked) >= _MAX_MASKED:
                del self._masked[next(iter(self._masked))]  # the oldest
            self._masked[key] = mask_parts(texts, allowed)
        return self._masked[key]

    # -- change

    def disk_changed(self) -> bool:
        """Read the settings and open the cached projects again.

        Return whether a memory file or a setting of one of them differs.
        """
        self.settings.clear()
        self.programs.forget_recent()  # an agent may have been installed or removed
        return self.projects.renew()

    def refresh_settings(self, cwd: Path) -> None:
        """Apply settings for ``cwd`` that changed on disk, without a report to the features.

        No event reports a change outside of the workspace.
        """
        if self.settings.are_outdated(cwd):
            self.disk_changed()

    def set_other_files(self, found: Mapping[Path, Iterable[Path]]) -> bool:
        """Also check ``found``, memory files by workspace folder; return whether that is a change.

        Those that a runtime reads are checked already.
        """
        is_change = self.projects.set_other_files(found)
        if is_change:
            self.disk_changed()
        return is_change

    def settings_changed(self) -> None:
        """Drop the cached settings and projects: those of the client have changed."""
        self.settings.clear()
        self.projects.clear()


def _in_background(call: Callable[[], None]) -> None:
    """Run ``call`` in a thread that does not keep the process alive."""
    threading.Thread(target=call, name="program texts", daemon=True).start()
