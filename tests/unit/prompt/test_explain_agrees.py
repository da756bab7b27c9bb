"""Explanations agree with the prompt, in all fixtures of the agents and in random trees."""

from __future__ import annotations

import random

import pytest

from agent_memory.config.context import Context
from agent_memory.prompt.answer import FileOutcome
from agent_memory.prompt.explain import explain_in
from agent_memory.prompt.overview import overview
from agent_memory.prompt.runtime_view import RuntimeView
from agent_memory.runtimes import RUNTIMES
from conformance.agents import fixtures, trees
from effort import scaled
from kit import with_settings

pytestmark = pytest.mark.slow

AGENTS = [runtime.id for runtime in RUNTIMES if runtime.program]
SEEDS = [random.Random(seed).randrange(10**9) for seed in range(scaled(3))]


def agree(ctx):
    views = [RuntimeView(ctx, name) for name in AGENTS]
    for row in overview(ctx).rows:
        lines = ctx.store.read(row.path).lines[:12]
        for view, answer in zip(views, row.answers, strict=True):
            size = view.prompt.size
            assert answer.reason
            assert all(0 <= start < end <= size for start, end in answer.bytes)
            assert answer.is_loaded or answer.outcome is not FileOutcome.LOADED
            assert answer.bytes == () or answer.is_loaded or answer.outcome is FileOutcome.ON_DEMAND
            for number, line in enumerate(lines):
                by_line(explain_in(view, row.path, number), line)


def by_line(answer, line):
    """Check that the bytes of a loaded line are parts of it."""
    text = answer.prompt.text.encode("utf-8", "surrogatepass")
    if answer.outcome is FileOutcome.LOADED and "\ufffd" not in answer.prompt.text:
        for start, end in answer.bytes:
            sent = text[start:end].decode("utf-8", "surrogatepass")
            assert sent.strip("\ufeff\r\n \t") in line


def context(tree):
    return with_settings(Context(tree.home, tree.cwd, env={}), runtimes=AGENTS)


@pytest.mark.parametrize("name", fixtures.NAMES)
def test_explanations_agree_with_the_prompt_of_each_fixture(name, tmp_path):
    agree(context(fixtures.build(tmp_path, name)))


@pytest.mark.parametrize("seed", SEEDS)
def test_explanations_agree_with_the_prompt_of_random_trees(seed, tmp_path):
    agree(context(trees.build(tmp_path, seed)))
