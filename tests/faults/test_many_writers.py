"""Eight processes remember into one file while another program keeps rewriting it."""

from __future__ import annotations

import multiprocessing
import time
from collections import Counter

import pytest

from agent_memory.base.errors import UsageError
from agent_memory.fs.atomic_replace import exchange
from agent_memory.fs.overlay import Store
from agent_memory.learnings.sections import items_of
from agent_memory.remember import planner
from agent_memory.remember.plan import Outcome
from agent_memory.remember.snippet import Snippet
from effort import scaled
from kit import project

WRITERS = 8
EACH = scaled(12)
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


def rewrite(path, stop, rewrites, overwritten):
    """Be an editor that saves atomically: it renames a new file, unless the old one changed.

    Between its comparison and its rename it can overwrite an item that was just written, as any
    editor can. It sends the items that it overwrote.
    """
    count = 0
    temp = path.with_name("editor.swp")
    while not stop.is_set():
        text = path.read_text()
        before = f"Saved {count} times.\n\n" if count else ""
        count += 1
        temp.write_text(text.replace(f"{before}## Facts", f"Saved {count} times.\n\n## Facts", 1))
        if path.read_text() != text:  # editors ask before they overwrite
            count -= 1
        elif exchange(temp, path):  # on Linux: an atomic rename that keeps the replaced file
            for item in set(facts(temp.read_text())) - set(facts(text)):
                overwritten.put(item)
            temp.unlink()
        else:
            temp.replace(path)
        time.sleep(0.02)
    rewrites.value = count


def facts(text):
    return items_of(text)["Facts"]


def watch(path, stop, torn):
    """Read the file repeatedly: it must be complete every time."""
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
    rewrites, torn, overwritten = SPAWN.Value("i", 0), SPAWN.Value("i", 0), SPAWN.SimpleQueue()
    others = [
        SPAWN.Process(target=rewrite, args=(path, stop, rewrites, overwritten), daemon=True),
        SPAWN.Process(target=watch, args=(path, stop, torn), daemon=True),
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
    counts = Counter(facts(path.read_text()))
    expected = {f"writer {w} learned fact {i}" for w in range(WRITERS) for i in range(EACH)}
    lost_by_the_editor = set()
    while not overwritten.empty():
        lost_by_the_editor.add(overwritten.get())
    assert expected - set(counts) <= lost_by_the_editor
    assert set(counts) <= expected
    assert set(counts.values()) == {1}
    assert torn.value == 0
    assert rewrites.value > EACH
    assert [item.name for item in path.parent.iterdir()] == ["agent.md"]
