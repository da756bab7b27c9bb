"""Hot reload: reports of the watcher and of the client become one refresh."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agent_memory.base.model import Role
from agent_memory.config.lock_files import LOCK_FILES
from agent_memory.config.settings_files import candidates
from agent_memory.l10n import t
from agent_memory.lsp.features.feature import Feature
from agent_memory.lsp.transport.client import INFO
from agent_memory.runtimes import drover_entries
from agent_memory.runtimes.classify import PROJECT_FOLDERS, USER_FOLDERS

if TYPE_CHECKING:
    from pathlib import Path

    from lsprotocol import types
    from pygls.lsp.server import LanguageServer

    from agent_memory.lsp.features.feature import Events, Handler
    from agent_memory.lsp.features.timer import Timer
    from agent_memory.lsp.transport.client import Client
    from agent_memory.lsp.workspace.session import Session
    from agent_memory.watch.snapshot import Targets
    from agent_memory.watch.watcher import Watcher

DELAY = 0.2
"""Seconds from the start until watching begins: importing watchdog and the first scan would delay
the first diagnostics by 20 ms. What changes until then is read again when watching begins."""
_METHOD = "workspace/didChangeWatchedFiles"
_PATTERNS = (*(f"**/{name}/**" for name in PROJECT_FOLDERS), "**/*.md", "**/pyproject.toml")
"""Globs of the paths whose changes the client should report."""
_BESIDE_MEMORY = (
    *(".git", ".venv", "node_modules"),
    *("pyproject.toml", "requirements.txt", "package.json", *LOCK_FILES),
)
"""Paths that decide how memory is read: the root, settings, installed runtimes."""


class FileWatching(Feature):
    """Watches the files that the session's projects read."""

    def __init__(self, session: Session, client: Client, events: Events) -> None:
        super().__init__(session, client, events)
        self._watcher: Watcher | None = None
        self._timer: Timer | None = None
        self._warned = False  # the user knows that changes are polled

    def fast_lane(self) -> dict[str, Handler]:
        """Return the handler of saves."""
        return {"textDocument/didSave": lambda _params: self._hint()}

    def register(self, server: LanguageServer) -> None:
        """Handle the reports of the client's own watching; request them if it supports that."""

        @server.feature(_METHOD)
        def files_changed(_params: types.DidChangeWatchedFilesParams) -> None:
            """Look for changes soon; the watcher finds the changed paths itself."""
            self._hint()

        if self.session.capabilities.register_watching:
            watchers = [{"globPattern": pattern} for pattern in _PATTERNS]
            self.client.register(_METHOD, {"watchers": watchers})

    def on_start(self) -> None:
        """Start to watch soon."""
        self._timer = self.events.call_later(DELAY, self._watch)

    def on_change(self) -> None:
        """Watch what the projects read now, if watching has begun."""
        if self._watcher:
            self._watch()

    def on_stop(self) -> None:
        """Stop watching, or do not begin."""
        if self._timer:
            self._timer.cancel()
        if self._watcher:
            self._watcher.stop()

    def status(self) -> dict[str, Any]:
        """Return {"watching"}: the backend, the watched folders, and why it polls, if it does."""
        if self._watcher is None:
            return {"watching": {"backend": "starting", "folders": [], "reason": ""}}
        status = self._watcher.status()
        return {
            "watching": {
                "backend": status.backend,
                "folders": [str(folder) for folder in status.folders],
                "reason": status.reason,
            }
        }

    def _watch(self) -> None:
        """Watch what the projects read; the first call starts the thread."""
        if self._watcher is None:
            from agent_memory.watch.watcher import Watcher  # noqa: PLC0415 -- not at start

            call_soon = self.events.call_soon
            self._watcher = Watcher(
                lambda paths: call_soon(lambda: self._changed(paths)),
                lambda reason: call_soon(lambda: self._degraded(reason)),
                restored=lambda: call_soon(self.restored),
            )
        self._watcher.watch(targets(self.session))

    def _hint(self) -> None:
        """Make the watcher look for changes soon: the client has reported one."""
        if self._watcher:
            self._watcher.hint()

    def _changed(self, paths: frozenset[Path]) -> None:
        """Read ``paths`` again, and report a change to all features.

        ``paths`` is empty if watching, or watching of other targets, has only begun. Files may have
        changed since they were read; a change is then reported only if a memory file or a setting
        differs, or if an index of entries is open.
        """
        for path in paths:
            self.session.store.forget(path)
        indexes = self.session.recall_indexes
        indexes.update(paths)
        are_entries_outdated = not paths and indexes.invalidate()
        if self.session.disk_changed() or paths or are_entries_outdated:
            self.events.changed()

    def restored(self) -> None:
        """Report files that changed and changed back; settings may have been read in between."""
        if self.session.disk_changed():
            self.events.changed()
        else:
            self.events.restored()

    def _degraded(self, reason: str) -> None:
        """Notify the user once that changes are polled, and of the ``reason``."""
        if not self._warned:
            self._warned = True
            self.client.show_message(
                t("Agent Memory polls for changes on disk every second: {0}.", reason), INFO
            )


def targets(session: Session) -> Targets:
    """Return the folders and files to watch for the session's projects.

    Folders are watched with all that is in them, so files in them are left out.
    """
    from agent_memory.watch.snapshot import Targets  # noqa: PLC0415 -- not at start

    folders = {session.home / name for name in USER_FOLDERS}
    files: set[Path] = set()
    for view in session.projects.views():
        project = view.project
        # Some runtimes read memory in the agent's working folder, others in the project's root.
        for base in {view.ctx.cwd, project.root or view.ctx.cwd}:
            if base == session.home:  # its memory folders are watched already
                continue
            folders |= {base / name for name in PROJECT_FOLDERS}
            files |= {base / name for name in _BESIDE_MEMORY}
        files |= set(candidates(view.ctx.cwd))  # the files of settings
        # A client may list and search the entries in any runtime.
        folders |= set(drover_entries.scope_folders(view.ctx, project.root))
        for source in project.sources:
            if source.role in (Role.SKILL, Role.ENTRY):
                # Others may be added next to its folder: next to `review` of
                # `skills/review/SKILL.md`, next to `global` of `global/<id>.md`.
                folders.add(source.path.parent.parent)
            else:
                files.add(source.path)
        files.update(project.files)  # also those that are checked although no runtime reads them
    in_folders = {path for path in files if any(path.is_relative_to(folder) for folder in folders)}
    return Targets(frozenset(folders), frozenset(files - in_folders))
