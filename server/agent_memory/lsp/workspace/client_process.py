"""The client's process: the server must not outlive it, even if it left standard input open."""

from __future__ import annotations

import logging
import os
import sys
import threading
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

logger = logging.getLogger(__name__)

EVERY = 3.0
"""Seconds between two looks at the process."""
GRACE = 4.0
"""Seconds for the event loop to end; a computation that takes longer is abandoned."""
_PID_MAX = 2**31 - 1  # the largest number that the system takes as an id
_SYNCHRONIZE, _WAIT_TIMEOUT = 0x00100000, 0x00000102  # of the Windows API


def watch(process_id: Any, gone: Callable[[], None]) -> None:
    """Call ``gone`` in a thread when the process ends; exit if the server does not end then.

    ``process_id`` is what the client sent, of any type. Nothing is watched if it is not the id of
    a process now: the client may run in another container, where the number has another meaning.
    """
    # `isinstance` would also accept True, which is not a number in JSON.
    if type(process_id) is not int or not 0 < process_id <= _PID_MAX or not is_running(process_id):
        return
    threading.Thread(
        target=_wait, args=(process_id, gone), daemon=True, name="agent-memory-client"
    ).start()


def _wait(process_id: int, gone: Callable[[], None]) -> None:
    """Wait for the end of the process ``process_id``, call ``gone``, then end this process.

    If ``gone`` ends the server, this process has ended before ``GRACE`` seconds are over.
    """
    pause = threading.Event()
    while is_running(process_id):
        pause.wait(EVERY)
    logger.warning("the client's process has ended; the server ends, too")
    gone()
    pause.wait(GRACE)
    os._exit(1)


def is_running(process_id: int) -> bool:
    """Whether a process with the id ``process_id`` exists."""
    if sys.platform == "win32":  # os.kill would send it Ctrl+C, which has the number 0, or end it
        import ctypes  # noqa: PLC0415 -- only there

        kernel = ctypes.windll.kernel32
        handle = kernel.OpenProcess(_SYNCHRONIZE, 0, process_id)
        # A wait of 0 ms times out while the process runs. It fails if there is no process: then
        # the handle is 0.
        is_waiting = kernel.WaitForSingleObject(handle, 0) == _WAIT_TIMEOUT
        kernel.CloseHandle(handle)
        return bool(is_waiting)
    try:
        os.kill(process_id, 0)  # 0 is no signal: it only checks whether the process exists
    except ProcessLookupError:
        return False
    except PermissionError:  # it exists and belongs to another user
        return True
    return True
