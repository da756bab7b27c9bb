"""A call at a later time, which can be set before the event loop exists."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from agent_memory.base.failures import log_failure

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable


class Timer:
    """Calls ``call`` once, ``seconds`` after its creation, in the loop of :meth:`start`."""

    def __init__(self, seconds: float, call: Callable[[], None]) -> None:
        self._due = time.monotonic() + seconds
        self._call = call
        self._is_canceled = False
        self._handle: asyncio.TimerHandle | None = None

    def start(self, loop: asyncio.AbstractEventLoop) -> None:
        """Wait in ``loop`` for the rest of the time, unless the timer was canceled."""
        if not self._is_canceled:
            left = max(0.0, self._due - time.monotonic())
            self._handle = loop.call_later(left, run_logged, self._call)

    def cancel(self) -> None:
        """Do not call ``call``, even if the loop already waits for the due time."""
        self._is_canceled = True
        if self._handle:
            self._handle.cancel()


def run_logged(call: Callable[[], None]) -> None:
    """Run ``call``, of a timer or of ``Events.call_soon``; if it fails, log the type of the error.

    The event loop would also log the message of the error, which may quote memory.
    """
    try:
        call()
    except Exception as error:  # noqa: BLE001 -- each error is logged
        log_failure(error, "a scheduled call")
