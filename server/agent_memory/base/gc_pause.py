"""Work without garbage collection.

Measured with Python 3.11: pygls imports in 360 ms of CPU time in place of 450 ms, and a full
collection afterwards takes 0.2 ms in place of 45 ms, which would delay a keystroke. A check of
5,000 files takes 6.4 s in place of 7.7 s, indexing of 100,000 entries 7 s in place of 8 s, both
with the same peak memory: what they create has hardly any reference cycles.
"""

from __future__ import annotations

import gc
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def gc_paused(*, freeze: bool = False) -> Iterator[None]:
    """Pause garbage collection; if it was off before, it stays off.

    With ``freeze``, later collections skip the objects that exist at the end, such as modules.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if freeze:
            gc.freeze()
        if was_enabled:
            gc.enable()
