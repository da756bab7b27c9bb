"""The part in which two texts differ, as the length of their common start and end."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_FIRST_STEP = 8
"""Items of the first slice that is compared."""


def common_ends(old: Sequence[object], new: Sequence[object]) -> tuple[int, int]:
    """Return how many items ``old`` and ``new`` share at their start and at their end.

    The items are the lines of a list or the characters of a string. The two parts do not
    overlap, so ``old[head : len(old) - tail]`` was replaced by ``new[head : len(new) - tail]``.
    """
    most = min(len(old), len(new))
    if len(old) == len(new) and old == new:  # one comparison in C
        return most, 0
    head = _common_length(old, new, most, from_end=False)
    return head, _common_length(old, new, most - head, from_end=True)


def _common_length(
    old: Sequence[object], new: Sequence[object], most: int, *, from_end: bool
) -> int:
    """Return the length of the common start of ``old`` and ``new``, at most ``most``.

    ``from_end``: the length of the common end. Slices are compared in C: their size doubles until
    one differs or is too long, then it is halved down to one item.
    """
    outermost = -1 if from_end else 0
    if not most or old[outermost] != new[outermost]:  # often so: this saves the slices
        return 0
    size = 0  # items that are equal so far
    step = _FIRST_STEP  # items that are compared next
    growing = True
    while step:
        end = size + step
        if end <= most and _slice(old, size, end, from_end) == _slice(new, size, end, from_end):
            size = end
            step *= 2 if growing else 1
        else:
            growing = False
            step //= 2
    return size


def _slice(items: Sequence[object], start: int, end: int, from_end: bool) -> Sequence[object]:  # noqa: FBT001
    """Return items ``start`` to ``end`` (exclusive), in their order.

    ``from_end``: both are counted from the end, where 0 is after the last item.
    """
    return items[len(items) - end : len(items) - start] if from_end else items[start:end]
