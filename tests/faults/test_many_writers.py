"""Eight processes remember into one file while another program keeps rewriting it."""

from __future__ import annotations

import multiprocessing
import time
from collections import Counter

import pytest

from agent_memory.base.errors import UsageError
from agent_memory.fs.overlay import Store
from agent_memory.learnings.sections import items_of
from agent_memory.remember import planner
from agent_memory.remember.plan import Outcome
from agent_memory.remember.snippet import Snippet
from effort import scaled
from kit import project

WRITERS = 8
EACH = scaled(25)
HEAD = "# Project memory\n\n## Facts\n\n"
SPAWN = multiprocessing.get_context("spawn")


def write_many(ctx, number, count):
    for index in range(count):
        snippet = Snippet(f"writer {number} learned fact {index}")
        while not is_written(ctx, snippet):
            time.sleep(0.05)


def is_written(ctx, snippet):
    """File ``snippet``. On a busy machine it may be refused: nothing was changed then."""
    mine = ctx.with_(store=Store())
    plan = planner.plan(mine, snippet, "project", section="Facts", runtime_id="deepagentsdk")
    assert plan.outcome is Outcome.READY, plan.message
    try:
        planner.apply(plan)
    except UsageError:
        return False
    return True


def rewrite(path, stop, rewrites):
    """Be an editor that saves atomically: it renames a new file, unless the old one changed."""
    count = 0
    temp = path.with_name("editor.swp")
    while not stop.is_set():
        text = path.read_text()
        before = f"Saved {count} times.\n\n" if count else ""
        count += 1
        temp.write_text(text.replace(f"{before}## Facts", f"Saved {count} times.\n\n## Facts", 1))
        if path.read_text() == text:  # as editors do: they ask before they overwrite
            temp.replace(path)
        else:
            count -= 1
        time.sleep(0.02)
    rewrites.value = count


def watch(path, stop, torn):
    """Read the file again and again: it must be whole every time."""
    while not stop.is_set():
        text = path.read_text()
        if not text.startswith("# Project memory\n") or not text.endswith("\n"):
            torn.value += 1
        time.sleep(0.005)


@pytest.mark.slow
def test_no_item_is_lost_or_doubled_and_the_file_is_always_whole(tmp_path):
    ctx = project(tmp_path, {".deepagents/agent.md": HEAD}, {}).with_(env=None)
    path = ctx.cwd / ".deepagents" / "agent.md"
    stop = SPAWN.Event()
    rewrites, torn = SPAWN.Value("i", 0), SPAWN.Value("i", 0)
    others = [
        SPAWN.Process(target=rewrite, args=(path, stop, rewrites)),
        SPAWN.Process(target=watch, args=(path, stop, torn)),
    ]
    writers = [
        SPAWN.Process(target=write_many, args=(ctx, number, EACH)) for number in range(WRITERS)
    ]
    for process in [*others, *writers]:
        process.start()
    for process in writers:
        process.join()
    stop.set()
    for process in others:
        process.join()
    assert [process.exitcode for process in writers] == [0] * WRITERS
    counts = Counter(items_of(path.read_text())["Facts"])
    expected = {f"writer {w} learned fact {i}" for w in range(WRITERS) for i in range(EACH)}
    assert set(counts) == expected
    assert set(counts.values()) == {1}
    assert torn.value == 0
    assert rewrites.value > EACH
    assert [item.name for item in path.parent.iterdir()] == ["agent.md"]
