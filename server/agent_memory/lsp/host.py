"""The process: one client on standard input and output, its session and its features.

The fast lane works from the start, also before there is an event loop: messages that are in the
pipe by then are answered before asyncio is imported. pygls is imported in a thread when the client
has been quiet for a moment after the first diagnostics, or at once for the first message that needs
it.
"""

from __future__ import annotations

import logging
import os
import select
import sys
import threading
from importlib import import_module
from itertools import takewhile
from typing import TYPE_CHECKING, Any, BinaryIO

from agent_memory.base.gc_pause import gc_paused
from agent_memory.lsp.features.feature import Events
from agent_memory.lsp.protocol.methods import features
from agent_memory.lsp.transport.client import Client
from agent_memory.lsp.transport.fast_lane import CANCEL, FastLane
from agent_memory.lsp.transport.framing import Frames, FramingError
from agent_memory.lsp.workspace.session import Session

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Iterable
    from pathlib import Path

    from agent_memory.lsp.features.timer import Timer
    from agent_memory.lsp.server import AgentMemoryServer

logger = logging.getLogger(__name__)

QUIET_SECONDS = 0.5
"""pygls is imported after this time without a message, once diagnostics were sent."""
QUIET_PERIODS_AT_START = 10
"""After so many of these it is imported also without diagnostics: no memory file may be open."""
_CHUNK = 1 << 20
"""Bytes of one read of standard input, at most."""


class Host:
    """Serves one client. ``home`` is the folder with ``.deepagents``."""

    def __init__(self, home: Path) -> None:
        self.session = Session(home)
        self.client = Client()
        self.events = Events()
        self.fast_lane = FastLane(self.client, self._to_pygls)
        self._server: AgentMemoryServer | None = None
        self._quiet: Timer | None = None  # the end of the current quiet period
        self._quiet_periods = 0  # how many have ended since the last message
        self._importing = False  # a thread imports pygls, or has done so
        self._waiting: list[dict[str, Any]] = []  # messages for the event loop
        for name in features(early=True):
            feature = self.events.add(name, self.session, self.client)
            self.fast_lane.handlers |= feature.fast_lane()

    def _to_pygls(self, message: dict[str, Any]) -> None:
        """Handle ``message`` in the language server, which may have to be imported for it."""
        if self._server or message["method"] != CANCEL:  # nothing to cancel before it is loaded
            self.server().handle(message)

    def server(self) -> AgentMemoryServer:
        """Return the language server; the first call imports pygls, which takes 200 ms."""
        if self._server is None:
            self._cancel_quiet()  # the timer would import it in a thread
            with gc_paused(freeze=True):
                from agent_memory.lsp.server import AgentMemoryServer  # noqa: PLC0415 -- not earlier

                self._server = AgentMemoryServer(self.session, self.client, self.events)
        return self._server

    def run(self, frames: Frames, first: Iterable[tuple[bytes, bool]], output: BinaryIO) -> int:
        """Serve until ``exit`` or the end of the input; return the exit code.

        ``first`` are the messages read before, each with whether it has been answered.
        """

        def write(data: bytes) -> None:
            """Write ``data`` to the client; stop the server if the client has closed the pipe."""
            try:
                output.write(data)
                output.flush()
            except (BrokenPipeError, ValueError):  # ValueError: `output` itself is closed
                self.events.stop()

        self.client.write = write
        self._answer_early(frames, first)
        import asyncio  # noqa: PLC0415 -- 20 ms of 165 until the first diagnostics

        asyncio.run(self._main(frames))
        return self.events.exit_code

    async def _main(self, frames: Frames) -> None:
        """Handle the messages that waited for the loop, then all others until the end."""
        import asyncio  # noqa: PLC0415 -- 20 ms that the early answers do not need

        self.events.bind()
        waiting, self._waiting = self._waiting, []
        self.fast_lane.handle_all(waiting)
        self._wait_for_quiet()
        self._read(asyncio.get_running_loop(), frames)
        await self.events.wait()

    # -- reading

    def _answer_early(self, frames: Frames, first: Iterable[tuple[bytes, bool]]) -> None:
        """Handle ``first``, then the input that has arrived.

        Ends early when diagnostics were sent, a message needs pygls, or the server stops.
        """
        fd = sys.stdin.fileno()
        for body, answered in first:
            if answered:
                self.fast_lane.receive(body, answered=True)
            else:
                self._handle(self.fast_lane.parse([body]))
        # `frames` may contain a malformed header after `first`: stop now, not at the next input.
        self._feed(frames, b"")
        self.events.idle()  # there is no loop yet that would call it
        while not (self._waiting or self.session.diagnosed or self.events.is_stopped):
            if not _has_input(fd):
                break
            self._take(frames, os.read(fd, _CHUNK))
            self.events.idle()

    def _handle(self, messages: list[dict[str, Any]]) -> None:
        """Handle ``messages``. Before the event loop runs, a message for pygls waits for the loop.

        All later messages wait, too, because messages are handled in order.
        """
        if self.events.is_bound:
            self.fast_lane.handle_all(messages)
            return
        fast = [] if self._waiting else list(takewhile(self.fast_lane.handles, messages))
        self.fast_lane.handle_all(fast)
        self._waiting += messages[len(fast) :]

    def _read(self, loop: asyncio.AbstractEventLoop, frames: Frames) -> None:
        """Begin to feed ``frames`` from standard input, and return at once.

        The loop waits for the input, or a thread where the loop cannot, until the input ends.
        """
        fd = sys.stdin.fileno()

        def read_available() -> None:
            """Read once: the loop has found that input has arrived or has ended."""
            chunk = os.read(fd, _CHUNK)
            if not chunk:  # the input ended
                loop.remove_reader(fd)
            self._take(frames, chunk)

        def read_all() -> None:
            """Read in a thread, where waiting does not block the loop, until the input ends."""
            while True:
                chunk = os.read(fd, _CHUNK)
                loop.call_soon_threadsafe(self._take, frames, chunk)
                if not chunk:  # the input ended
                    return

        try:
            loop.add_reader(fd, read_available)
        except (NotImplementedError, OSError):  # Windows; a file in place of a pipe
            threading.Thread(target=read_all, daemon=True, name="agent-memory-stdin").start()

    def _take(self, frames: Frames, chunk: bytes) -> None:
        """Handle the messages that ``chunk`` completes; stop if it is empty: the input ended."""
        if chunk:
            self._feed(frames, chunk)
        else:
            self.events.stop()

    def _feed(self, frames: Frames, chunk: bytes) -> None:
        """Handle the messages that ``chunk`` completes; stop if the input is not framed."""
        bodies: list[bytes] = []
        try:
            for body in frames.feed(chunk):
                bodies.append(body)  # noqa: PERF402 -- those before an error are handled
        except FramingError as error:
            logger.error(error.explanation)  # noqa: TRY400 -- no traceback
            self.events.stop()
        self._handle(self.fast_lane.parse(bodies))
        if self._server is None and not self._importing:
            self._wait_for_quiet()

    # -- loading pygls while nothing is waiting

    def _wait_for_quiet(self) -> None:
        """Start the first quiet period, or start it again: a message has arrived."""
        self._cancel_quiet()
        self._quiet_periods = 0
        self._quiet = self.events.call_later(QUIET_SECONDS, self._check_quiet)

    def _cancel_quiet(self) -> None:
        """End the current quiet period, if any, without a check."""
        if self._quiet:
            self._quiet.cancel()

    def _check_quiet(self) -> None:
        """Import pygls now if that does not delay the first diagnostics, else check again later.

        Called after each quiet period.
        """
        self._quiet_periods += 1
        if self.session.diagnosed or self._quiet_periods >= QUIET_PERIODS_AT_START:
            self._importing = True
            threading.Thread(target=self._import, daemon=True, name="agent-memory-pygls").start()
        else:
            self._quiet = self.events.call_later(QUIET_SECONDS, self._check_quiet)

    def _import(self) -> None:
        """Import pygls while the loop handles messages; then create the server.

        Runs in a thread of its own; the server is created in the thread of the loop.
        """

        def create_server() -> None:
            """Create the server, unless it was created for a message during the import."""
            self.server()  # creates it at the first call

        with gc_paused(freeze=True):
            import_module("agent_memory.lsp.server")
        self.events.call_soon(create_server)


def _has_input(fd: int) -> bool:
    """Whether reading from ``fd`` would not block; False if that is unknown (Windows)."""
    try:
        return bool(select.select([fd], [], [], 0)[0])
    except (OSError, ValueError):
        return False
