"""Checks of large projects in a thread, so that the server goes on answering.

A check of 1 MB takes seconds of CPU time. It works on a snapshot, so nothing that it reads changes
meanwhile; its results go back to the thread of the event loop, which owns all state.
"""

from __future__ import annotations

import logging
import threading
import time
from dataclasses import replace
from queue import SimpleQueue
from typing import TYPE_CHECKING

from agent_memory.lint.engine import file_findings, project_findings
from agent_memory.lsp.workspace.deferred_rules import CheckCanceledError, DeferredRules
from agent_memory.prompt.compose import compose_chosen

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from agent_memory.base.model import Finding
    from agent_memory.lint.line_cache import LineCache
    from agent_memory.lint.project import Project

logger = logging.getLogger(__name__)


class Check:
    """One check of ``paths`` in a snapshot of ``project``.

    After :meth:`run`, ``across`` has the findings of the project rules by path, in any file, and
    ``found`` has the findings of all rules in each of ``paths`` that is a file of the project.
    """

    def __init__(self, project: Project, paths: Iterable[Path], line_cache: LineCache) -> None:
        self.project = _snapshot(project)
        self.rules = DeferredRules(time.thread_time)  # wall time would count the other threads
        self.across: dict[Path, list[Finding]] = {}
        self.found: dict[Path, list[Finding]] = {}
        self.paths = list(paths)
        self.seconds = 0.0
        self._line_cache = line_cache

    def run(self) -> None:
        """Run all rules; set ``across``, ``found`` and ``seconds``, the CPU time that they took.

        Raises:
            CheckCanceledError: ``rules.is_canceled`` was set.

        """
        start = time.thread_time()
        with self.rules.run(defer=False):
            self.across = project_findings(self.project, self.rules.project)
            for path in self.paths:
                if path not in self.project.files:
                    continue
                across = self.across.get(path, ())
                self.found[path] = file_findings(
                    self.project, path, across, self.rules.file, line_cache=self._line_cache
                )
        self.seconds = time.thread_time() - start


def _snapshot(project: Project) -> Project:
    """Return a copy of ``project`` that edits in the other thread do not change."""
    ctx = project.ctx.with_(store=project.ctx.store.snapshot())
    choice, sources = project.choice, project.sources
    return replace(
        project,
        ctx=ctx,
        # Copies of the files: two threads must not share the cached results of a file (`Memo`).
        files={path: file.edited(file.content) for path, file in project.files.items()},
        compose=lambda: compose_chosen(ctx, choice, sources=sources),
        opened_others={},  # the projects of other runtimes are opened again, for the snapshot
    )


class BackgroundChecks:
    """Runs checks one after the other in one thread, which starts with the first of them."""

    def __init__(self) -> None:
        self._queue: SimpleQueue[tuple[Check, Callable[[bool], None]]] = SimpleQueue()
        self._thread: threading.Thread | None = None
        self._running: Check | None = None  # the check that started last
        self._stopped = False

    def start(self, check: Check, done: Callable[[bool], None]) -> None:
        """Run ``check`` in the thread after the earlier ones, then call ``done`` there.

        ``done`` gets True if the check succeeded. It is not called if the check was canceled.
        """
        self._queue.put((check, done))
        if self._thread is None:
            self._thread = threading.Thread(
                target=self._work, daemon=True, name="agent-memory-check"
            )
            self._thread.start()

    def stop(self) -> None:
        """Cancel all checks; the running one ends after its current rule."""
        self._stopped = True
        if self._running:
            self._running.rules.is_canceled = True

    def _work(self) -> None:
        """Run the checks in the queue, one at a time, until :meth:`stop` is called."""
        while not self._stopped:
            self._running, done = self._queue.get()
            try:
                self._running.run()
            except CheckCanceledError:  # by `stop`, which cancels all checks
                return
            except Exception as error:  # noqa: BLE001 -- the thread must go on with other checks
                logger.error("a check failed: %s", type(error).__name__)  # noqa: TRY400 -- no values
                done(False)  # noqa: FBT003
            else:
                done(True)  # noqa: FBT003
