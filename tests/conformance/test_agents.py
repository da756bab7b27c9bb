"""The agents that most people use, compared with the real programs: same blocks, same bytes."""

from __future__ import annotations

import os
import random
from typing import TYPE_CHECKING

import pytest

from agent_memory.config.context import Context
from agent_memory.config.settings import Settings
from agent_memory.prompt.compose import compose
from agent_memory.verify.mock_model import MockModel
from conformance.agents import fixtures, programs, trees
from conformance.agents.report import Figures
from effort import EFFORT, scaled

if TYPE_CHECKING:
    from conformance.agents.trees import Tree

pytestmark = pytest.mark.conformance
EVERY_RUN = ("claude-code", "codex")
"""The others are only compared with AGENT_MEMORY_TESTS=all, because they start slowly."""
FIRST = (*EVERY_RUN, "gemini-cli", "opencode")
"""Those that most people use are compared on more random trees."""
GUESSED = {("mistral-vibe", "invalid UTF-8")}
"""What an agent guesses, so the preview is not called exact and may differ."""
IN_ROOT = ("mistral-vibe", "cline")
"""They only read the files of the folder they start in, so they start in the root."""
_RUN = os.environ.get("PYTEST_XDIST_TESTRUNUID")  # all processes of a run need the same seeds
_RANDOM = random.Random(2026 if os.environ.get("CI") else _RUN)
SEEDS = [_RANDOM.randrange(10**9) for _ in range(scaled(12))]
"""The same ones in CI, where a new difference must not fail a change that has nothing to do with
it, and new ones in every other run. The name of a failed test has its seed, for ``trees.build``."""
AGENTS = tuple(programs.AGENTS) if EFFORT == "all" else EVERY_RUN
PAIRS = [
    (agent_id, seed) for agent_id in AGENTS for seed in (SEEDS if agent_id in FIRST else SEEDS[:12])
]


@pytest.fixture(scope="module")
def model():
    with MockModel() as running:
        yield running


@pytest.fixture(scope="module")
def figures():
    counted = Figures()
    yield counted
    counted.write()


@pytest.fixture(params=AGENTS)
def agent_id(request):
    failed = programs.install(programs.AGENTS[request.param])
    if failed:
        pytest.fail(failed)
    return request.param


def ours(agent_id: str, tree: Tree) -> tuple[programs.Blocks, str]:
    """Return our blocks of ``tree`` and how exact they are."""
    agent = programs.AGENTS[agent_id]
    cache = str(programs.FOLDER / "cache")
    env = {"PATH": str(agent.bin), "HOME": str(tree.home), "XDG_CACHE_HOME": cache}
    library = {"deepagents_js_path": str(agent.package_folder)} if agent.script else {}
    ctx = Context(tree.home, tree.cwd, settings=Settings(**library), env=env)
    prompt = compose(ctx, agent_id)
    return [tuple(block) for block in prompt.blocks()], prompt.exactness


def theirs(agent_id: str, tree: Tree, model: MockModel) -> programs.Blocks:
    """Return the blocks that the real program sends."""
    agent = programs.AGENTS[agent_id]
    return programs.sent(agent, model.port, model.requests, tree.home, tree.cwd)


@pytest.mark.parametrize("name", fixtures.NAMES)
def test_each_behavior_gives_the_same_bytes(name, agent_id, tmp_path, model, figures):
    tree = fixtures.build(tmp_path, name, "." if agent_id in IN_ROOT else "sub")
    figures.compare(agent_id, "fixtures")
    sent = theirs(agent_id, tree, model)  # first, because Qwen Code adds a file to the home
    mine, exactness = ours(agent_id, tree)
    if (agent_id, name) in GUESSED:
        assert exactness == "unverified"
        return
    assert mine == sent
    assert exactness == "exact"
    figures.equal(agent_id, "fixtures")


@pytest.mark.parametrize(("agent_id", "seed"), PAIRS, indirect=["agent_id"])
def test_random_trees_give_the_same_bytes(seed, agent_id, tmp_path, model, figures):
    tree = trees.build(tmp_path, seed)
    figures.compare(agent_id, "random trees")
    sent = theirs(agent_id, tree, model)
    assert ours(agent_id, tree)[0] == sent
    figures.equal(agent_id, "random trees")
