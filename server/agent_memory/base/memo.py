"""Results of functions, computed at first use; the function is the key."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

P = ParamSpec("P")
T = TypeVar("T")


class Memo:
    """A cache with one result per function; the arguments must be the same in every call."""

    def __init__(self) -> None:
        self._results: dict[Callable[..., Any], Any] = {}

    def once(self, compute: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Return the result of ``compute(*args, **kwargs)``.

        Only the first call with this ``compute`` computes it; later ones return the same result.
        """
        if compute not in self._results:
            self._results[compute] = compute(*args, **kwargs)
        result: T = self._results[compute]
        return result
