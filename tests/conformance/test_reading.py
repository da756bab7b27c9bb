"""What agents add to the result when they read a file, compared with the real programs."""

from __future__ import annotations

import pytest

from agent_memory.config.context import Context
from agent_memory.prompt.compose import compose_reading
from agent_memory.verify import mock_model
from agent_memory.verify.mock_model import MockModel
from conformance.agents import programs
from conformance.read_calls import CALLS
from conformance.reading_trees import TREES
from kit import write

pytestmark = pytest.mark.conformance
GIT = {".git/HEAD": "ref: refs/heads/main\n"}


@pytest.mark.parametrize(
    ("agent_id", "name"), [(agent_id, name) for agent_id in TREES for name in TREES[agent_id]]
)
def test_a_read_adds_the_same_bytes(agent_id, name, tmp_path, monkeypatch):
    files, home_files, start, read = TREES[agent_id][name]
    agent, call = programs.AGENTS[agent_id], CALLS[agent_id]
    failed = programs.install(agent)
    assert not failed
    root = write(tmp_path / "w", {**GIT, read: "x\n", **files})
    home = write(tmp_path / "home", {".keep": "", **home_files})
    cwd, target = root / start, root / read
    key = next(key for key, value in mock_model.SERVICES.items() if value is call.service)
    monkeypatch.setitem(mock_model.SERVICES, key, call.asking(target))
    with MockModel() as model:
        programs.sent(agent, model.port, model.requests, home, cwd)
        bodies = [body for path, body in model.requests if path.endswith(agent.path)]
        theirs = call.added(bodies[-1])
    env = {"PATH": str(agent.bin), "XDG_CACHE_HOME": str(programs.FOLDER / "cache")}
    ours = compose_reading(Context(home, cwd, env=env), target, agent_id)
    assert ours.text == theirs
    assert ours.exactness == "exact"
