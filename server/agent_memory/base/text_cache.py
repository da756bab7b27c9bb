"""Results of a function by text, such as the text of a line.

A language server sees a new line with every keystroke and needs the old one never again. With a
cache of a fixed size its memory grows until the cache is full, which takes days. So a cache has
two generations: a used result moves to the young one, and the old one is dropped when the next
generation begins.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

K = TypeVar("K")
V = TypeVar("V")

MOST = 1 << 16
"""Results of one generation. A document of 1 MB has 27,000 lines."""


_MISSING = object()


class _Clock:
    now = 0  # the number of the current generation, for all caches


class TextCache(dict[K, V]):
    """The results of ``compute``, also as a decorator. Call it, or use it as a dictionary.

    A look-up that succeeds runs no Python code: a keystroke in a file of 1 MB looks up 27,000
    lines in 6 ms, against 13 ms with a method call for each. ``most`` is the number of results
    after which a generation ends. Threads may share a cache: at worst both compute a result.
    """

    def __init__(self, compute: Callable[[K], V], most: int = MOST) -> None:
        super().__init__()
        self.__doc__ = compute.__doc__
        self._compute = compute
        self._most = most
        self._old: dict[K, V] = {}
        self._generation = _Clock.now

    if TYPE_CHECKING:

        def __call__(self, key: K) -> V:
            """Return the result for ``key``."""

    else:
        __call__ = dict.__getitem__

    def __missing__(self, key: K) -> V:
        """Return the result for ``key``, which is not in the young generation, and add it there."""
        if self._generation != _Clock.now or len(self) >= self._most:
            self._generation = _Clock.now
            self._old = dict(self)
            super().clear()
        value: V | object = self._old.pop(key, _MISSING)  # another thread may age the cache
        if value is _MISSING:
            value = self._compute(key)
        self[key] = value  # type: ignore[assignment]
        return value  # type: ignore[return-value]

    def clear(self) -> None:
        """Drop all results."""
        self._old = {}
        super().clear()

    def size(self) -> int:
        """Return the number of results of both generations."""
        return len(self) + len(self._old)


def next_generation() -> None:
    """Let each cache drop what was not used since the last call, at its next new text."""
    _Clock.now += 1
