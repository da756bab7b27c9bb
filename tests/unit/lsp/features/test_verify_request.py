"""``agentMemory/verify`` runs one agent at a time, also after a canceled request."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest

from agent_memory.base.errors import UsageError
from agent_memory.lsp.features import verify as feature
from agent_memory.lsp.features.prompt import PROJECT_KEYS
from agent_memory.lsp.features.verify import VerifyRequest
from agent_memory.lsp.host import Host
from agent_memory.lsp.transport.params import Params
from kit import write

pytestmark = pytest.mark.asyncio(loop_scope="function")
SECONDS = 20.0


class _Agent:
    """An agent that ends only when the test says so."""

    def __init__(self) -> None:
        self.started, self.may_end, self.ended = (threading.Event() for _ in range(3))

    def run(self, *_: Any) -> None:
        self.started.set()
        self.may_end.wait(SECONDS)
        self.ended.set()
        raise UsageError("it has ended")


@pytest.fixture
def agent(monkeypatch):
    agent = _Agent()
    monkeypatch.setattr(feature, "verify", agent.run)
    yield agent
    agent.may_end.set()


@pytest.fixture
def verifying(tmp_path):
    host = Host(write(tmp_path / "home", {".keep": ""}))
    host.session.set_folders([write(tmp_path / "project", {".git/HEAD": "x"})])
    return VerifyRequest(host.session, host.client, host.events)


async def _verify(verifying: VerifyRequest) -> dict[str, Any]:
    return await verifying._answer(Params({"runtime": "claude-code"}, PROJECT_KEYS))


async def _cancel(verifying: VerifyRequest, agent: _Agent) -> None:
    """Send a request, and cancel it when its agent has started."""
    task = asyncio.create_task(_verify(verifying))
    assert await asyncio.to_thread(agent.started.wait, SECONDS)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_a_second_agent_is_refused_until_a_canceled_one_has_ended(verifying, agent):
    await _cancel(verifying, agent)
    with pytest.raises(UsageError, match="an agent is already running"):
        await asyncio.wait_for(_verify(verifying), SECONDS / 10)
    agent.may_end.set()
    await asyncio.to_thread(verifying._thread.join, SECONDS)
    with pytest.raises(UsageError, match="it has ended"):
        await _verify(verifying)
    with pytest.raises(UsageError, match="it has ended"):  # at once after the previous one
        await _verify(verifying)


async def test_the_server_waits_until_a_canceled_agent_has_ended(verifying, agent):
    await _cancel(verifying, agent)
    threading.Timer(0.3, agent.may_end.set).start()
    await asyncio.to_thread(verifying.on_stop)
    assert agent.ended.is_set()
