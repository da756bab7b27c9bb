"""The agents that most people use, compared with the real programs: same blocks, same bytes."""

from __future__ import annotations

import os
import random
from typing import TYPE_CHECKING

import pytest

from agent_memory.config.context import Context
from agent_memory.prompt.compose import compose
from conformance.agents import fixtures, programs, trees
from conformance.agents.mock_model import MockModel
from conformance.agents.report import Figures
from effort import EFFORT, scaled

if TYPE_CHECKING:
    from conformance.agents.trees import Tree

pytestmark = pytest.mark.conformance
EVERY_RUN = ("claude-code", "codex")
"""The others are only compared with AGENT_MEMORY_TESTS=all, because they start slowly."""
_RANDOM = random.Random(2026) if os.environ.get("CI") else random.SystemRandom()
SEEDS = [_RANDOM.randrange(10**9) for _ in range(scaled(12))]
"""The same ones in CI, where a new difference must not fail a change that has nothing to do with
it, and new ones in every other run. The name of a failed test has its seed, for ``trees.build``."""


@pytest.fixture(scope="module")
def model():
    with MockModel() as running:
        yield running


@pytest.fixture(scope="module")
def figures():
    counted = Figures()
    yield counted
    counted.write()


@pytest.fixture(params=programs.AGENTS if EFFORT == "all" else EVERY_RUN)
def agent_id(request):
    failed = programs.install(programs.AGENTS[request.param])
    if failed:
        pytest.fail(failed)
    return request.param


def ours(agent_id: str, tree: Tree) -> tuple[programs.Blocks, str]:
    """Return our blocks of ``tree`` and how exact they are."""
    folder = programs.AGENTS[agent_id].executable.parent
    cache = str(programs.FOLDER / "cache")
    env = {"PATH": str(folder), "HOME": str(tree.home), "XDG_CACHE_HOME": cache}
    prompt = compose(Context(tree.home, tree.cwd, env=env), agent_id)
    return [tuple(block) for block in prompt.blocks()], prompt.exactness


def theirs(agent_id: str, tree: Tree, model: MockModel) -> programs.Blocks:
    """Return the blocks that the real program sends."""
    agent = programs.AGENTS[agent_id]
    return programs.sent(agent, model.port, model.requests, tree.home, tree.cwd)


@pytest.mark.parametrize("name", fixtures.NAMES)
def test_each_behavior_gives_the_same_bytes(name, agent_id, tmp_path, model, figures):
    tree = fixtures.build(tmp_path, name)
    figures.compare(agent_id, "fixtures")
    mine, exactness = ours(agent_id, tree)
    assert mine == theirs(agent_id, tree, model)
    assert exactness == "exact"
    figures.equal(agent_id, "fixtures")


@pytest.mark.parametrize("seed", SEEDS)
def test_random_trees_give_the_same_bytes(seed, agent_id, tmp_path, model, figures):
    tree = trees.build(tmp_path, seed)
    figures.compare(agent_id, "random trees")
    assert ours(agent_id, tree)[0] == theirs(agent_id, tree, model)
    figures.equal(agent_id, "random trees")
