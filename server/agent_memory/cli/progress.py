"""A progress bar on standard error for long runs, only in a terminal."""

from __future__ import annotations

import sys
import time

_DELAY_SECONDS = 0.5
_EVERY_SECONDS = 0.1
_WIDTH = 24


class Progress:
    """A progress bar that appears after half a second."""

    def __init__(self) -> None:
        self.shown = False
        self._on = sys.stderr.isatty()
        self._next = time.monotonic() + _DELAY_SECONDS

    def show(self, done: int, total: int) -> None:
        """Draw the bar, at most ten times a second."""
        if not self._on or time.monotonic() < self._next:
            return
        self._next = time.monotonic() + _EVERY_SECONDS
        self.shown = True
        bar = ("#" * (done * _WIDTH // total)).ljust(_WIDTH, ".")
        sys.stderr.write(f"\r[{bar}] {done:,} of {total:,} files")
        sys.stderr.flush()

    def close(self) -> None:
        """Erase the bar."""
        if self.shown:
            sys.stderr.write("\r\x1b[2K")
            sys.stderr.flush()
