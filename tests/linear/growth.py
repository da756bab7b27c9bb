"""How the time of a function grows with its input."""

from __future__ import annotations

import functools
import gc
import time
from typing import TYPE_CHECKING, Any

from agent_memory.base.text_cache import TextCache

if TYPE_CHECKING:
    from collections.abc import Callable

    Work = Callable[[], object]
    Subject = Callable[[str], Work]
    Shape = Callable[[int], str]

FACTOR = 2.8
"""Growth of the time above which a doubled input is not handled in linear time."""
LEAST = 0.02
"""CPU seconds that the larger input must take: shorter times are mostly noise."""
ROUNDS = 10
"""Runs of a growth that looks too large: other work does not slow all of them down."""
START = 1 << 10
CHARS_MAX = 1 << 16
"""Size of the larger input at most; what takes less than ``LEAST`` there is fast enough."""


def growth(subject: Subject, shape: Shape, most: int = CHARS_MAX, start: int = START) -> float:
    """Return by what factor the CPU time grows when the input doubles; 0 if it is negligible.

    ``subject`` prepares the work for a text, ``shape`` makes a text of about the given length.
    The sizes double from ``start`` until the larger one takes ``LEAST``. A growth that looks too
    large is measured again, up to ``ROUNDS`` times.
    """
    size = start
    small = cost(subject, shape(size))
    while size < most:
        large = cost(subject, shape(2 * size))
        if large >= LEAST:
            if large <= FACTOR * small:
                return large / small
            small, large = fastest(subject, shape(size), shape(2 * size))
            if large <= FACTOR * small or large >= 2 * LEAST or 4 * size > most:
                return large / small if large >= LEAST else 0.0
        size, small = 2 * size, large
    return 0.0


def fastest(subject: Subject, small: str, large: str) -> tuple[float, float]:
    """Return the CPU seconds of the fastest runs with both texts, measured in turns.

    Ends as soon as the growth is at most ``FACTOR``.
    """
    times = cost(subject, small), cost(subject, large)
    for _ in range(ROUNDS - 1):
        if times[1] <= FACTOR * times[0]:
            break
        times = min(times[0], cost(subject, small)), min(times[1], cost(subject, large))
    return times


def cost(subject: Subject, text: str) -> float:
    """Return the CPU seconds of one run without cached results."""
    work = subject(text)
    for cached in _caches():
        (cached.clear if isinstance(cached, TextCache) else cached.cache_clear)()
    gc.disable()
    try:
        start = time.thread_time()
        work()
        return time.thread_time() - start
    finally:
        gc.enable()


@functools.cache
def _caches() -> list[Any]:
    """Return the caches of the package that depend on text."""
    return [
        item
        for item in gc.get_objects()
        if isinstance(item, TextCache)
        or (
            isinstance(item, functools._lru_cache_wrapper)
            and item.__module__.startswith("agent_memory.")
            and item.cache_parameters()["maxsize"] is not None
        )
    ]
