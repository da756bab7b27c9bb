"""Map a function over many items, in forked processes if that is faster.

A forked process shares the memory of its parent, so only the numbers of items are sent to it. The
results are those of a loop; a system that cannot fork uses one.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

A = TypeVar("A")
B = TypeVar("B")

LEAST_ITEMS = 400
"""Fewer items are faster in a loop: starting a pool takes longer."""
_CHUNK = 32
"""Items that a process gets at a time."""
_shared: dict[str, Any] = {}
"""``function`` and ``items`` of the current call, which forked processes inherit."""


def mapped(
    function: Callable[[A], B], items: Sequence[A], jobs: int, *, least: int = LEAST_ITEMS
) -> Iterator[B]:
    """Yield ``function(item)`` for each of ``items``, in their order, with ``jobs`` processes.

    With fewer than two ``jobs`` or fewer than ``least`` items, or on a system that cannot fork,
    this process calls ``function`` in a loop instead.
    """
    if jobs < 2 or len(items) < least or not hasattr(os, "fork"):
        yield from map(function, items)
        return
    import multiprocessing  # noqa: PLC0415 -- 15 ms that a small check does not need

    _shared.update(function=function, items=items)
    try:
        with multiprocessing.get_context("fork").Pool(jobs) as pool:
            yield from pool.imap(_result_of, range(len(items)), _CHUNK)
    finally:
        _shared.clear()


def _result_of(number: int) -> Any:
    """Return the result for item ``number``, in a forked process, which inherited ``_shared``."""
    return _shared["function"](_shared["items"][number])
