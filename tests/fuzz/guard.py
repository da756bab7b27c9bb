"""Limits of one fuzzing step, and what counts as a finding."""

from __future__ import annotations

import signal
import traceback
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import FrameType

CPU_SECONDS = 5.0
"""CPU time of one step; a small input that needs more is a finding."""
WAIT_SECONDS = 60.0
"""Time of one step on a busy machine."""


class SlowError(BaseException):
    """A step needs too much CPU time, or waits. No handler of the product catches it."""


@dataclass(frozen=True)
class Finding:
    """An input that breaks a promise. ``case`` is a Python expression of the input."""

    target: str
    case: str
    error: str

    def __str__(self) -> str:
        return f"{self.error}\n  reproduce: Case({self.target!r}, {self.case})"


def _too_slow(_signal: int, _frame: FrameType | None) -> None:
    raise SlowError


@contextmanager
def limited(seconds: float = CPU_SECONDS) -> Iterator[None]:
    """Raise :class:`SlowError` if the block needs more CPU time, or waits, such as for a pipe."""
    signal.signal(signal.SIGPROF, _too_slow)
    signal.signal(signal.SIGALRM, _too_slow)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    signal.setitimer(signal.ITIMER_REAL, WAIT_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)


def broken(step: Callable[[], None]) -> str:
    """Run ``step``; return what it raised and where, or ''."""
    try:
        with limited():
            step()
    except (Exception, SlowError) as error:  # noqa: BLE001 -- any exception is a finding
        frames = traceback.extract_tb(error.__traceback__)
        place = next(
            (item for item in reversed(frames) if "agent_memory" in item.filename), frames[-1]
        )
        name = place.filename.rpartition("agent_memory/")[2]
        text = str(error)[:200] if isinstance(error, AssertionError) else ""
        return f"{type(error).__name__} {text} in {name}:{place.lineno} {place.name}"
    return ""


def smallest(text: str, fails: Callable[[str], bool]) -> str:
    """Return a part of ``text`` that still fails, by removing ever smaller pieces."""
    size = len(text) // 2
    while size:
        at = 0
        while at < len(text):
            shorter = text[:at] + text[at + size :]
            if fails(shorter):
                text = shorter
            else:
                at += size
        size //= 2
    return text
