"""The server: one connection, one session, and the features in a table."""

from __future__ import annotations

import asyncio
import logging
import os
import sys
import threading
from typing import TYPE_CHECKING, Any, BinaryIO

from agent_memory.lsp.features import (
    code_actions,
    commands,
    configuration,
    diagnostics,
    file_watching,
    lifecycle,
    prompt,
    prompt_changed,
    prompt_document,
    recall,
    remember,
    status,
    text_sync,
)
from agent_memory.lsp.protocol.capabilities import TYPED
from agent_memory.lsp.transport.fast_lane import Connection
from agent_memory.lsp.transport.framing import Frames, FramingError
from agent_memory.lsp.transport.gc_pause import gc_paused
from agent_memory.lsp.workspace.session import Session

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

logger = logging.getLogger(__name__)

FEATURES = (
    lifecycle,
    text_sync,
    configuration,
    file_watching,
    diagnostics,
    code_actions,
    prompt,
    remember,
    recall,
    commands,
    status,
    prompt_changed,
    prompt_document,
)
"""Modules with ``register(server)``; those on pygls are in the table of ``typed``."""

_CHUNK = 1 << 20


class MemoryServer:
    """A language server for one client on one pair of streams."""

    watching: file_watching.Watching

    def __init__(self, home: Path) -> None:
        self.session = Session(home)
        self.connection = Connection()
        self.connection.features = TYPED
        self.connection.typed = self._load_features
        self.exit_code = 1  # what a client that just goes away gets
        self.on_start: list[Callable[[], None]] = []
        self.on_folders: list[Callable[[], None]] = []
        self.on_idle: list[Callable[[], None]] = []
        self.on_refresh: list[Callable[[], None]] = []
        self.on_pause: list[Callable[[], None]] = []
        self.on_prompt: list[Callable[[], None]] = []
        self._stopped: asyncio.Event | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._idle: asyncio.Handle | None = None
        for feature in FEATURES:
            feature.register(self)

    # -- running

    def run(self, frames: Frames, first: Iterable[tuple[bytes, bool]], output: BinaryIO) -> int:
        """Serve until ``exit`` or the end of the input; return the exit code.

        ``first`` are messages that were read before, each with whether it is answered.
        """

        def write(data: bytes) -> None:
            try:
                output.write(data)
                output.flush()
            except (BrokenPipeError, ValueError):
                self.hang_up()

        self.connection.write = write
        asyncio.run(self._main(frames, first))
        return self.exit_code

    async def _main(self, frames: Frames, first: Iterable[tuple[bytes, bool]]) -> None:
        self._loop = asyncio.get_running_loop()
        self._stopped = asyncio.Event()
        for body, answered in first:
            self.connection.receive(body, answered=answered)
        self._read(frames)
        await self._stopped.wait()
        file_watching.stop(self)

    def _read(self, frames: Frames) -> None:
        """Feed ``frames`` from standard input, without a thread where the loop can wait for it."""
        loop, fd = self._loop, sys.stdin.fileno()
        assert loop is not None  # noqa: S101 -- told to the type checker

        def take(chunk: bytes) -> None:
            if not chunk:
                self.hang_up()
                return
            bodies: list[bytes] = []
            try:
                for body in frames.feed(chunk):
                    bodies.append(body)  # noqa: PERF402 -- those before an error are taken
            except FramingError as error:
                logger.error("standard input is no language client: %s", error)  # noqa: TRY400
                self.hang_up()
            self.connection.receive_all(bodies)

        def ready() -> None:
            chunk = os.read(fd, _CHUNK)
            if not chunk:
                loop.remove_reader(fd)
            take(chunk)

        def block() -> None:
            chunk = b"-"
            while chunk:
                chunk = os.read(fd, _CHUNK)
                loop.call_soon_threadsafe(take, chunk)

        try:
            loop.add_reader(fd, ready)
        except (NotImplementedError, OSError):  # Windows; a file in place of a pipe
            threading.Thread(target=block, daemon=True, name="agent-memory-stdin").start()

    def hang_up(self) -> None:
        """End :meth:`run`."""
        if self._stopped:
            self._stopped.set()

    # -- for features

    def soon(self, call: Callable[[], None]) -> None:
        """Run ``call`` in the server's thread. May be called from any thread."""
        if self._loop and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(call)

    def later(self, seconds: float, call: Callable[[], None]) -> asyncio.TimerHandle:
        """Run ``call`` in the server's thread after ``seconds``."""
        assert self._loop is not None  # noqa: S101 -- handlers only run in the loop
        return self._loop.call_later(seconds, call)

    def settle(self) -> None:
        """Call :attr:`on_idle` once the messages that have arrived are done."""
        if self._idle is None and self._loop:
            self._idle = self._loop.call_soon(self._settled)

    def _settled(self) -> None:
        self._idle = None
        for call in self.on_idle:
            call()

    def refresh(self) -> None:
        """Call :attr:`on_refresh`: something changed that the client does not know of."""
        for call in self.on_refresh:
            call()

    def tell(self, message: str, level: int = 2) -> None:
        """Show ``message`` to the user; ``level`` is LSP's MessageType (2: warning)."""
        self.connection.notify("window/showMessage", {"type": level, "message": message})

    def _load_features(self, message: dict[str, Any]) -> None:
        """Load pygls and hand it ``message``, the first for one of its features."""
        with gc_paused():
            from agent_memory.lsp.transport.pygls_adapter import Features  # noqa: PLC0415 -- 200 ms, so not before

            features = Features(self)
        self.connection.typed = features.take
        features.take(message)
