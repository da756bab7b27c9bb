"""Hot reload: the watcher's reports, and the client's, become one refresh."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agent_memory.base.model import Role
from agent_memory.l10n import t
from agent_memory.lsp.features import recall
from agent_memory.lsp.features.configuration import register_capability
from agent_memory.runtimes.classify import PROJECT_FOLDERS, USER_FOLDERS
from agent_memory.watch.snapshot import Targets
from agent_memory.watch.watcher import Watcher

if TYPE_CHECKING:
    from pathlib import Path

    from agent_memory.lsp.server import MemoryServer

_PATTERNS = (*(f"**/{name}/**" for name in PROJECT_FOLDERS), "**/*.md", "**/pyproject.toml")
_BESIDE = (".git", "pyproject.toml", ".venv", "node_modules")
"""What stands beside memory and decides how it is read: root, settings, installed runtimes."""


class Watching:
    """Owns the watcher and keeps it on what the session's projects read."""

    def __init__(self, server: MemoryServer) -> None:
        self.server = server
        self.watcher = Watcher(
            lambda paths: server.soon(lambda: self._changed(paths)),
            lambda reason: server.soon(lambda: self._degraded(reason)),
        )
        self._told = False

    def retarget(self) -> None:
        """Watch what the projects of the session read now."""
        self.watcher.watch(targets(self.server))

    def status(self) -> dict[str, Any]:
        """Return how changes are noticed, as JSON."""
        status = self.watcher.status()
        return {
            "backend": status.backend,
            "folders": [str(folder) for folder in status.folders],
            "reason": status.reason,
        }

    def _changed(self, paths: frozenset[Path]) -> None:
        session = self.server.session
        for path in paths:
            session.store.forget(path)
        recall.touched(paths)
        if session.disk_changed() or paths:
            self.server.refresh()

    def _degraded(self, reason: str) -> None:
        if not self._told:
            self._told = True
            self.server.tell(
                t("Agent Memory looks for changes on disk once a second: {0}.", reason), level=3
            )


def targets(server: MemoryServer) -> Targets:
    """Return what has to be watched for the session's projects."""
    session = server.session
    folders = {session.home / name for name in USER_FOLDERS}
    files: set[Path] = set()
    for view in session.views():
        project = view.project
        for base in {view.ctx.cwd, project.root or view.ctx.cwd}:
            if base == session.home:
                continue
            folders |= {base / name for name in PROJECT_FOLDERS}
            files |= {base / name for name in _BESIDE}
        for source in project.sources:
            if source.role in (Role.SKILL, Role.ENTRY):
                folders.add(source.path.parent.parent)
            else:
                files.add(source.path)
    inside = {path for path in files if any(path.is_relative_to(item) for item in folders)}
    return Targets(frozenset(folders), frozenset(files - inside))


def register(server: MemoryServer) -> None:
    """Add the handlers and start to watch."""
    watching = server.watching = Watching(server)

    def client_saw(_params: Any) -> None:
        watching.watcher.hint()

    def start() -> None:
        watching.retarget()
        if server.session.client.register_watching:
            watchers = [{"globPattern": pattern} for pattern in _PATTERNS]
            register_capability(server, "workspace/didChangeWatchedFiles", {"watchers": watchers})

    server.on_start.append(start)
    server.on_refresh.append(watching.retarget)
    server.connection.handlers |= {
        "workspace/didChangeWatchedFiles": client_saw,
        "textDocument/didSave": client_saw,
    }


def stop(server: MemoryServer) -> None:
    """Stop watching."""
    server.watching.watcher.stop()
