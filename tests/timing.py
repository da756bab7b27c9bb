"""How the time of work grows with its size, on a machine that does other work too."""

from __future__ import annotations

import gc
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    Work = Callable[[], object]

ROUNDS = 20
"""Rounds after which a growth is taken as seen: other work does not slow all of them down."""


def growth(small: Work, large: Work, enough: float, offset: float = 0.0) -> float:
    """Return by what factor ``large`` takes longer than ``small``, in CPU time of this thread.

    The two are run in turns, and the fastest run of each counts: what slows down a run, for
    example another process on the same core, then needs to meet every run of one of them.
    Ends as soon as the factor is at most ``enough``, at the latest after ``ROUNDS`` rounds.
    ``offset`` (seconds) is added to the time of ``small``: the factor of times that are much
    shorter is close to 0.
    """
    fastest = [seconds(small), seconds(large)]
    for _ in range(ROUNDS - 1):
        if fastest[1] <= enough * (fastest[0] + offset):
            break
        fastest = [min(fastest[0], seconds(small)), min(fastest[1], seconds(large))]
    return fastest[1] / (fastest[0] + offset)


def seconds(work: Work) -> float:
    """Return the CPU seconds that ``work`` takes in this thread, without garbage collection."""
    gc.disable()
    try:
        start = time.thread_time()
        work()
        return time.thread_time() - start
    finally:
        gc.enable()
