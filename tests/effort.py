"""How thorough a test run is: AGENT_MEMORY_TESTS is ``fast``, ``usual`` or ``all``."""

from __future__ import annotations

import os

EFFORT = os.environ.get("AGENT_MEMORY_TESTS", "usual")


def scaled(usual: int) -> int:
    """Return a number of repetitions: a tenth of ``usual`` in a fast run, 4 times it in a full one.

    At least 5, so that a fast run still tries something.
    """
    return {"fast": max(5, usual // 10), "usual": usual, "all": 4 * usual}[EFFORT]
