"""The memory files of Claude MPM: what every interface writes into them."""

from __future__ import annotations

import random
import re
import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from agent_memory.learnings.sections import items_of
from requirements.face import RefusedError
from requirements.scenario import ALL, WRITERS, asks

if TYPE_CHECKING:
    from pathlib import Path

    from requirements.face import Face

MEMORIES = ".claude-mpm/memories"
MINE = f"{MEMORIES}/{{agent}}_agent.md"
CONFIG = ".claude-mpm/config.yml"
REQUIRED = (
    "Project Architecture",
    "Implementation Guidelines",
    "Common Mistakes to Avoid",
    "Current Technical Context",
)
SECTIONS = {
    "pattern": "Coding Patterns Learned",
    "architecture": "Project Architecture",
    "guideline": "Implementation Guidelines",
    "mistake": "Common Mistakes to Avoid",
    "strategy": "Effective Strategies",
    "integration": "Integration Points",
    "performance": "Performance Considerations",
    "context": "Current Technical Context",
    "domain": "Domain-Specific Knowledge",
}
STAMP = re.compile(r"<!-- Last Updated: (.+) UTC \| Auto-updated by: (\w+) -->")
ONE_KB = {CONFIG: "memory:\n  limits:\n    default_size_kb: 1\n"}


def memory(face: Face) -> Path:
    """Return the only memory file of the project."""
    (path,) = (path for path in _folder(face).glob("*.md") if path.name != "README.md")
    return path


def text(face: Face) -> str:
    return memory(face).read_bytes().decode()


def archive(face: Face) -> list[str]:
    """Return the lines of the archive without the comments after them."""
    files = (_folder(face) / "archive").glob("*.md")
    rows = [row for path in files for row in path.read_text("utf-8").splitlines()]
    return [row.partition(" <!--")[0] for row in rows if row.lstrip().startswith("- ")]


def _folder(face: Face) -> Path:
    return face.ctx.cwd / MEMORIES


@asks("E9 E10 E11 E15 E16 X34 X35", *WRITERS, "MCP")
async def a_new_file_has_a_header_and_empty_required_sections(face):
    face.project("claude-mpm", agent="data_engineer")
    before = datetime.now(UTC).replace(microsecond=0, tzinfo=None)
    await face.write("Use one queue", "architecture")
    after = datetime.now(UTC).replace(tzinfo=None)
    assert memory(face).name == "data_engineer_agent.md"
    title, _, limits, stamp, blank, *_ = text(face).split("\n")
    assert (title, blank) == ("# Data Engineer Agent Memory - shop", "")
    assert limits == "<!-- MEMORY LIMITS: 8KB max | 10 sections max | 15 items per section -->"
    written, _by = STAMP.fullmatch(stamp).groups()
    assert before <= datetime.strptime(written, "%Y-%m-%d %H:%M:%S") <= after  # noqa: DTZ007 -- UTC
    items = items_of(text(face))
    assert list(items) == [*REQUIRED, "Recent Learnings"]
    assert items.pop("Project Architecture") == ["Use one queue"]
    assert not any(items.values())


@asks("E12 E13 X31 X36", *WRITERS)
async def each_type_has_its_section_and_a_new_file_has_room_for_all(face):
    face.project("claude-mpm")
    for kind in SECTIONS:
        await face.write(f"A {kind} of ours", kind)
    items = items_of(text(face))
    assert {name: rows for name, rows in items.items() if rows} == {
        section: [f"A {kind} of ours"] for kind, section in SECTIONS.items()
    }
    assert len(items) == 10
    assert "## Effective Strategies (Max: 15 items)\n- A strategy of ours\n" in text(face)


@asks("E5", *WRITERS)
async def an_eleventh_section_is_not_added(face):
    titles = [*(f"Own {number}" for number in range(9)), "Recent Learnings"]
    before = "# T\n\n" + "".join(f"## {title}\n- in {title}\n\n" for title in titles)
    face.project("claude-mpm", {MINE: before})
    await face.write("A rule of taxes", "domain")
    assert list(items_of(text(face))) == titles
    assert items_of(text(face))["Recent Learnings"][-1] == "A rule of taxes"


@asks("E6 E21 E22 E23 X27", *WRITERS, "MCP")
async def a_full_section_loses_its_oldest_item_whole(face):
    rows = "- fact 0\n  - its detail\n" + "".join(f"- fact {number}\n" for number in range(1, 15))
    face.project("claude-mpm", {MINE: f"# T\n\n## Project Architecture\n{rows}"})
    await face.write("fact 15", "architecture")
    wanted = [f"fact {number}" for number in range(1, 16)]
    assert items_of(text(face))["Project Architecture"] == wanted
    assert "its detail" not in text(face)
    assert archive(face) == ["- fact 0", "  - its detail"]


@asks("E8 E24 E42 X33", *WRITERS)
async def a_large_file_loses_recent_learnings_then_the_longest_section(face):
    long = [f"- a{number} {'x' * 80}" for number in range(9)]
    recent = [f"- r{number} {'x' * 40}" for number in range(2)]
    parts = ["## Project Architecture", "Prose stays.", *long, "## Integration Points", "- one"]
    before = "\n".join([*parts, "## Recent Learnings", *recent, ""])
    face.project("claude-mpm", {**ONE_KB, MINE: before})
    for number, gone in enumerate((recent[:1], [*recent, long[0]])):
        await face.write(f"new {number} {'y' * 100}", "integration")
        assert archive(face) == gone
        assert len(text(face).encode()) <= 1024
    assert "\nProse stays.\n" in text(face)
    assert [row[:5] for row in items_of(text(face))["Integration Points"]] == [
        "one", "new 0", "new 1",
    ]  # fmt: skip


@asks("E40 E50", *WRITERS)
async def an_edit_by_hand_is_kept_byte_for_byte(face):
    head = "Mine, by hand.\r\n\r\n## Integration Points\r\n\r\n* a star\r\n"
    tail = "\r\n## Notes\r\n\r\n1. first\r\n\r\n```\r\n## no section\r\n```\r\n"
    face.project("claude-mpm", {MINE: head + tail})
    await face.write("Use one queue", "integration")
    assert text(face) == f"{head}* Use one queue\r\n{tail}"


@asks("E40 E44", *ALL)
async def an_edit_by_hand_is_in_the_next_prompt(face):
    face.project("claude-mpm", {MINE: "# T\n"})
    assert "- by hand" not in (await face.prompt()).text
    memory(face).write_text("# T\n\n- by hand\n")
    shown = (await face.prompt()).text
    assert "\nAGENT MEMORY - PROJECT-SPECIFIC KNOWLEDGE:\n# T\n\n- by hand\n" in shown
    assert "## PROJECT-SPECIFIC MEMORY" not in shown


@asks("E20", *WRITERS)
async def a_section_is_found_by_its_whole_name(face):
    face.project("claude-mpm", {MINE: "## Project Architecture v2 (Max: 15 items)\n- old\n"})
    await face.write("Use one queue", "architecture")
    items = items_of(text(face))
    assert items == {"Project Architecture v2": ["old"], "Project Architecture": ["Use one queue"]}


@asks("E25 X37", *WRITERS)
async def the_header_says_when_and_by_whom_it_was_changed(face):
    old = "<!-- Last Updated: 2025-06-01 10:00:00 | Auto-updated by: research -->"
    face.project("claude-mpm", {MINE: f"# T\n\n{old}\n\n## Integration Points\n"})
    await face.write("Use one queue", "integration")
    assert STAMP.search(text(face))[2] == "system"
    assert text(face).count("Last Updated") == 1


OVERRIDES = """memory:
  limits:
    default_size_kb: 1
  agent_overrides:
    data_engineer_agent:
      size_kb: 2
"""
FULL = "## Integration Points\n" + "".join(f"- {number} {'x' * 80}\n" for number in range(14))


@asks("X29 X32", *WRITERS)
async def the_limit_of_an_agent_is_found_in_any_spelling(face):
    for agent, kept in (("data-engineer", True), ("data_engineer", True), ("qa", False)):
        face.project("claude-mpm", {CONFIG: OVERRIDES, MINE: FULL}, agent=agent)
        await face.write("Use one queue", "integration")
        assert (archive(face) == []) is kept, agent


@asks("E27 X28", *ALL)
async def the_file_of_an_agent_with_a_hyphen_is_read_and_written(face):
    name = f"{MEMORIES}/data-engineer_agent.md"
    face.project("claude-mpm", {name: "## Integration Points\n- old\n"}, agent="data_engineer")
    await face.write("Use one queue", "integration")
    assert memory(face).name == "data-engineer_agent.md"
    answer = await face.prompt()
    assert "- old\n- Use one queue\n" in answer.text
    assert answer.sources[face.ctx.cwd / name] == "loaded"


@asks("X30", *WRITERS)
async def no_item_is_lost_at_any_limit(face):
    limits = "    default_size_kb: 1\n    max_sections: 3\n    max_items_per_section: 2\n"
    face.project("claude-mpm", {CONFIG: f"memory:\n  limits:\n{limits}"})
    rng = random.Random(15)
    saved = [f"fact {number} {'x' * rng.randint(1, 90)}" for number in range(10)]
    for item in saved:
        await face.write(item, rng.choice(list(SECTIONS)))
    items = items_of(text(face))
    held = [f"- {row}" for rows in items.values() for row in rows]
    assert sorted(held + archive(face)) == sorted(f"- {item}" for item in saved)
    assert all(len(rows) <= 2 for rows in items.values())
    assert len(text(face).encode()) <= 1024


@asks("E38 E43 E35", *WRITERS, "MCP")
async def memory_that_is_switched_off_is_not_written(face):
    face.project("claude-mpm", {CONFIG: "memory:\n  enabled: false\n", MINE: "# T\n"})
    with pytest.raises(RefusedError, match=r"memory\.enabled is false"):
        await face.write("Use one queue", "integration")
    assert text(face) == "# T\n"


@asks("E47", "command line", "API", why="only the processor time of this process can be compared")
async def a_full_memory_takes_less_than_50_ms_of_a_task(face):
    face.project("claude-mpm", {MINE: "# T\n\n## Own\n" + "- an item of a full file\n" * 300})
    seconds = []
    for _ in range(5):
        before = time.thread_time()
        await face.prompt()
        seconds.append(time.thread_time() - before)
    assert min(seconds) < 0.05
