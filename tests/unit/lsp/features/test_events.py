"""The timers of features."""

from __future__ import annotations

import asyncio

import pytest

from agent_memory.lsp.features.feature import Events


@pytest.mark.parametrize("is_ending", [False, True])
def test_no_timer_runs_after_shutdown(is_ending):
    ran = []

    async def run():
        events = Events()
        events.bind()
        events.call_later(0, lambda: ran.append("due"))
        events.is_ending = is_ending
        await asyncio.sleep(0.05)

    asyncio.run(run())
    assert ran == ([] if is_ending else ["due"])
