"""The Python API for programs with an event loop: each call runs in a thread."""

from __future__ import annotations

import asyncio
from functools import wraps
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

from agent_memory.api import Memory
from agent_memory.fs.overlay import Store

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

P = ParamSpec("P")
R = TypeVar("R")


def _threaded(
    method: Callable[Concatenate[Memory, P], R],
) -> Callable[Concatenate[AsyncMemory, P], Coroutine[Any, Any, R]]:
    """Return ``method`` of Memory as a method of AsyncMemory that runs it in a thread."""

    @wraps(method)
    async def run(self: AsyncMemory, /, *args: P.args, **options: P.kwargs) -> R:
        # A memory of its own for each call, because a store is not thread-safe.
        return await asyncio.to_thread(method, self.fresh(), *args, **options)

    return run


class AsyncMemory:
    """The methods of ``memory`` that are listed below, as coroutines.

    Any number of them may run at once.
    """

    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    def fresh(self) -> Memory:
        """Return the memory with a store of its own, for one thread."""
        memory = self._memory.with_settings()  # a copy with the same settings
        memory.context = memory.context.with_(store=Store())
        return memory

    check = _threaded(Memory.check)
    prompt = _threaded(Memory.prompt)
    sources = _threaded(Memory.sources)
    explain = _threaded(Memory.explain)
    overview = _threaded(Memory.overview)
    fixed = _threaded(Memory.fixed)
    remember = _threaded(Memory.remember)
    recall = _threaded(Memory.recall)
    entries = _threaded(Memory.entries)
    forget = _threaded(Memory.forget)
    restore = _threaded(Memory.restore)
    promote = _threaded(Memory.promote)
    targets = _threaded(Memory.targets)
