"""Imports without garbage collection.

Measured with Python 3.11 (CPU time): pygls imports in 360 ms in place of 450 ms, and a full
collection afterwards takes 0.2 ms in place of 45 ms, which would delay a keystroke.
"""

from __future__ import annotations

import gc
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def gc_paused() -> Iterator[None]:
    """Pause garbage collection; later collections skip the objects that exist at the end."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        if was_on:
            gc.enable()
