"""A cached property without a lock."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar, overload

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")


class unlocked_property(Generic[T]):  # noqa: N801 -- used like functools.cached_property
    """Like ``functools.cached_property``, which in Python 3.11 has one lock for all instances.

    While a thread computes the value of one object, that lock blocks all others for every other
    object. Here two threads may compute the same value twice.
    """

    def __init__(self, compute: Callable[[Any], T]) -> None:
        self._compute = compute
        self._name = compute.__name__
        self.__doc__ = compute.__doc__

    @overload
    def __get__(self, instance: None, owner: type) -> Self: ...
    @overload
    def __get__(self, instance: object, owner: type) -> T: ...

    def __get__(self, instance: object | None, owner: type) -> Self | T:
        """Return the value of ``instance``, computed and stored in the instance's dictionary.

        Python then finds it there without calling this method. On the class, return the property.
        """
        if instance is None:
            return self
        value = instance.__dict__[self._name] = self._compute(instance)
        return value
