"""How thorough a test run is: AGENT_MEMORY_TESTS is ``fast``, ``usual`` or ``all``."""

from __future__ import annotations

import os
from itertools import cycle, product
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

EFFORT = os.environ.get("AGENT_MEMORY_TESTS", "usual")


def scaled(usual: int) -> int:
    """Return a number of repetitions: a tenth of ``usual`` in a fast run, 4 times it in a full one.

    At least 5, so that a fast run still tries something.
    """
    return {"fast": max(5, usual // 10), "usual": usual, "all": 4 * usual}[EFFORT]


def alternating(cases: Sequence[str], ways: Sequence[str]) -> list[tuple[str, str]]:
    """Return each of ``cases`` with one of ``ways``, the next one for the next case.

    In a full run, each of them with each way.
    """
    return list(product(cases, ways) if EFFORT == "all" else zip(cases, cycle(ways), strict=False))
