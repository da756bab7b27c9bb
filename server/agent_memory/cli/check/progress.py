"""Progress of long runs on standard error: a bar in a terminal, else a line every 10 seconds."""

from __future__ import annotations

import sys
import time

from agent_memory.report.terminal import Controls

_DELAY_SECONDS = 0.5  # a short run shows no bar
_EVERY_SECONDS = 0.1  # between two bars
_LINE_SECONDS = 10.0  # between two lines, for example in the log of a CI job
_WIDTH = 24  # of the bar, in characters


class Progress:
    """The progress of one check, shown by a bar or by lines; ``quiet``: nothing is shown.

    The first output comes after half a second in a terminal, elsewhere after 10 seconds.
    """

    def __init__(self, *, quiet: bool = False) -> None:
        self.shown = False
        self._quiet = quiet
        self._is_terminal = sys.stderr.isatty()
        self._next = time.monotonic() + (_DELAY_SECONDS if self._is_terminal else _LINE_SECONDS)

    def show(self, done: int, total: int) -> None:
        """Show that ``done`` of ``total`` files are checked, if it is time for the next output.

        A terminal gets a bar, at most ten times a second, any other stream a line every 10 seconds.
        """
        now = time.monotonic()
        if self._quiet or now < self._next:
            return
        if not self._is_terminal:
            self._next = now + _LINE_SECONDS
            print(f"agent-memory: {done:,} of {total:,} files checked", file=sys.stderr)
            return
        self._next = now + _EVERY_SECONDS
        self.shown = True
        bar = ("#" * (done * _WIDTH // total)).ljust(_WIDTH, ".")
        sys.stderr.write(Controls(f"\r[{bar}] {done:,} of {total:,} files"))
        sys.stderr.flush()

    def close(self) -> None:
        """Erase the bar, if one was shown."""
        if self.shown:
            sys.stderr.write(Controls("\r\x1b[2K"))
            sys.stderr.flush()
