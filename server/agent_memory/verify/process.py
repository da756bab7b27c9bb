"""Run an agent once, with its child processes, for a limited time."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path


_POLL_SECONDS = 0.2  # how often a run looks whether it was canceled


@dataclass(frozen=True)
class Limit:
    """How long a program may run: ``seconds``, or until ``canceled`` is set in another thread."""

    seconds: float
    canceled: threading.Event = field(default_factory=threading.Event)


def run(argv: Sequence[str], cwd: Path, env: Mapping[str, str], limit: Limit) -> bytes | None:
    """Return the standard output of the program ``argv``; if that is empty, its error output.

    None if it did not end within ``limit`` or was canceled. Its process group (on Windows: the
    process alone) is killed in any case, also if the program itself has ended.

    Raises:
        OSError: it cannot be started.

    """
    deadline = time.monotonic() + limit.seconds
    process = subprocess.Popen(
        argv,
        cwd=cwd,
        env=dict(env),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,  # so that its children are in a process group of their own
    )
    try:
        while not limit.canceled.is_set():
            left = deadline - time.monotonic()
            if left <= 0:
                break
            with suppress(subprocess.TimeoutExpired):
                output, errors = process.communicate(timeout=min(left, _POLL_SECONDS))
                return output or errors
        return None
    finally:
        _end(process)


def _end(process: subprocess.Popen[bytes]) -> None:
    """Kill ``process``, which may have ended already, with its children, which are in its group.

    On Windows, the children are not killed.
    """
    if sys.platform == "win32":
        process.kill()
    else:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    for stream in (process.stdout, process.stderr):
        if stream:  # a pipe, so never None
            stream.close()
