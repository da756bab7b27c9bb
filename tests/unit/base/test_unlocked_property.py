"""A value is computed once per object, and never blocks another object."""

from __future__ import annotations

import threading

from agent_memory.base.unlocked_property import unlocked_property


class Slow:
    def __init__(self, wait: threading.Event | None = None) -> None:
        self.wait = wait
        self.computed = 0

    @unlocked_property
    def value(self) -> int:
        """Its value."""
        self.computed += 1
        if self.wait:
            self.wait.wait(60)
        return 7


def test_value_is_computed_once():
    slow = Slow()
    assert (slow.value, slow.value, slow.computed) == (7, 7, 1)
    assert Slow.value.__doc__ == "Its value."


def test_other_objects_do_not_wait():
    wait = threading.Event()
    slow = Slow(wait)
    thread = threading.Thread(target=lambda: slow.value)
    thread.start()
    assert Slow().value == 7
    assert thread.is_alive()
    wait.set()
    thread.join()
