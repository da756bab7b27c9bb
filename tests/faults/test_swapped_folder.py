"""A program keeps replacing the memory folder by a link that leads out of the project."""

from __future__ import annotations

import multiprocessing
import sys

import pytest

from agent_memory.base.errors import UsageError
from agent_memory.fs.atomic_replace import exchange
from agent_memory.fs.overlay import Store
from agent_memory.learnings.sections import items_of
from agent_memory.remember import planner
from agent_memory.remember.plan import Outcome
from agent_memory.remember.snippet import Snippet
from effort import scaled
from kit import project, write

pytestmark = pytest.mark.slow

WRITES = scaled(100)
HEAD = "# Project memory\n\n## Facts\n\n"
SPAWN = multiprocessing.get_context("spawn")


def swap(root, stop, swaps):
    """Exchange ``.deepagents`` and ``link`` until told to stop; leave the folder in place."""
    while not stop.is_set() or (root / ".deepagents").is_symlink():
        exchange(root / "link", root / ".deepagents")
        swaps.value += 1


@pytest.mark.skipif(sys.platform != "linux", reason="renameat2 exchanges a folder and a link")
def test_nothing_is_written_outside_or_twice_and_no_temporary_file_is_left(tmp_path):
    files = {".deepagents/agent.md": HEAD}
    ctx = project(tmp_path, files, {})
    out = write(tmp_path / "out", {"agent.md": HEAD})
    (ctx.cwd / "link").symlink_to(out)
    stop, swaps = SPAWN.Event(), SPAWN.Value("i", 0)
    swapper = SPAWN.Process(target=swap, args=(ctx.cwd, stop, swaps))
    swapper.start()
    written = []
    for number in range(WRITES):
        fresh = ctx.with_(store=Store())
        snippet = Snippet(f"fact number {number} is about builds")
        plan = planner.plan(fresh, snippet, "project", section="Facts", runtime_id="deepagentsdk")
        if plan.outcome is not Outcome.READY:
            continue
        try:
            planner.apply(plan)
        except UsageError:
            continue
        written.append(snippet.text)
    stop.set()
    swapper.join()
    assert swapper.exitcode == 0
    assert swaps.value > WRITES // 10
    assert (out / "agent.md").read_text() == HEAD
    assert [item.name for item in out.iterdir()] == ["agent.md"]
    folder = ctx.cwd / ".deepagents"
    facts = items_of((folder / "agent.md").read_text())["Facts"]
    assert sorted(facts) == sorted(written)
    assert [item.name for item in folder.iterdir()] == ["agent.md"]
