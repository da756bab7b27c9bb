"""Saving a learning of Claude MPM: limits and evictions."""

from __future__ import annotations

import json
import re
import sys

import pytest

from agent_memory.base.text import apply_edits
from agent_memory.learnings.extract import SECTION_OF
from agent_memory.remember import planner
from agent_memory.remember.plan import Outcome
from agent_memory.remember.snippet import Snippet
from kit import cli, github_token, project

FILE = ".claude-mpm/memories/qa_agent.md"
CLOCK = re.compile(r"\d\d:\d\d:\d\d")


def planned(ctx, text, **options):
    return planner.plan(ctx, Snippet(text), "project", runtime_id="claude-mpm", **options)


def context(tmp_path, files):
    return project(tmp_path, files, {}).with_(agent="qa")


@pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse such a name")
def test_new_file_of_a_folder_whose_name_is_not_utf8_can_be_written(tmp_path):
    (tmp_path / "caf\udce9").mkdir()  # Python's form of the byte 0xE9
    ctx = project(tmp_path, {}, {}).with_(agent="qa")
    ctx.cwd.rename(tmp_path / "caf\udce9/shop\udce9")
    ctx = ctx.with_(cwd=tmp_path / "caf\udce9/shop\udce9")
    ((_, text),) = planned(ctx, "Never sleep in tests.", create=True).creates
    assert text.encode().startswith("# Qa Agent Memory - shop\ufffd\n".encode())


def test_learning_type_selects_the_section_of_a_default_file(tmp_path):
    ctx = context(tmp_path, {".claude-mpm/config.yml": "memory:\n  enabled: true\n"})
    plan = planned(ctx, "Never sleep in tests.", section="mistake")
    assert plan.outcome is Outcome.CONSENT
    plan = planned(ctx, "Never sleep in tests.", section="mistake", create=True)
    planner.apply(plan)
    text = (ctx.cwd / FILE).read_text()
    ((path, foreseen),) = plan.creates
    assert (path, CLOCK.sub("", foreseen)) == (ctx.cwd / FILE, CLOCK.sub("", text))
    assert "## Common Mistakes to Avoid (Max: 15 items)\n- Never sleep in tests\n" in text
    assert (ctx.cwd / ".claude-mpm/memories/README.md").exists()


def test_evicted_items_are_in_message_and_edits(tmp_path):
    items = "".join(f"- fact {number}\n" for number in range(15))
    before = f"# Qa\n\n## Coding Patterns Learned\n{items}\n## Recent Learnings\n"
    ctx = context(tmp_path, {FILE: before})
    plan = planned(ctx, "The newest fact", section="Coding patterns learned")
    assert "The oldest item, '- fact 0', moves to the archive" in plan.message
    (edit,) = plan.edits
    ((archive, kept),) = plan.creates
    assert archive == ctx.cwd / ".claude-mpm/memories/archive/qa.md"
    assert "- fact 0 <!-- Coding Patterns Learned, " in kept
    lines = before.splitlines(keepends=True)
    after = apply_edits(lines, [(edit.span, edit.text)])
    planner.apply(plan)
    assert (ctx.cwd / FILE).read_text() == after
    assert after == before.replace("- fact 0\n", "").replace(
        "- fact 14\n", "- fact 14\n- The newest fact\n"
    )
    assert archive.read_text() == kept


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("fact ONE", Outcome.DUPLICATE),
        ("x" * 119, Outcome.REFUSED),
        ("```\ncode\n```", Outcome.REFUSED),
    ],
)
def test_too_long_learning_is_refused(tmp_path, text, outcome):
    ctx = context(tmp_path, {FILE: "# Qa\n\n## Facts\n- Fact one\n"})
    plan = planned(ctx, text)
    assert plan.outcome is outcome
    assert plan.edits == ()


def test_unreadable_file_is_refused(tmp_path):
    ctx = context(tmp_path, {FILE: b"\xff"})
    assert planned(ctx, "a fact").outcome is Outcome.REFUSED


FULL = "# Qa\n\n## Recent Learnings\n" + "".join(f"- fact {at}\n" for at in range(15))


def test_command_line_asks_before_eviction(tmp_path):
    ctx = context(tmp_path, {FILE: FULL})
    args = ("remember", "A new fact", "--runtime", "claude-mpm", "--agent", "qa")
    done = cli(ctx, *args)
    assert done.code == 2
    assert "'- fact 0', moves to the archive" in done.err
    assert (ctx.cwd / FILE).read_text() == FULL
    dry_run = json.loads(cli(ctx, *args, "--dry-run", "--format", "json").out)
    assert (dry_run["evicts"], dry_run["written"]) == (["- fact 0"], False)
    assert cli(ctx, *args, "--yes").code == 0
    assert "- fact 0\n" not in (ctx.cwd / FILE).read_text()


def test_evicted_secret_is_masked(tmp_path):
    token = github_token(3)
    ctx = context(tmp_path, {FILE: FULL.replace("fact 0", f"use {token}")})
    plan = planned(ctx, "A new fact")
    assert plan.evicts
    assert token not in plan.message + "".join(plan.evicts)


@pytest.mark.parametrize(("kind", "title"), sorted(SECTION_OF.items()))
def test_every_learning_type_has_a_section(tmp_path, kind, title):
    ctx = context(tmp_path, {FILE: "# Qa\n\n## Recent Learnings\n"})
    assert planned(ctx, "A new fact", section=kind).section == title


def test_learning_goes_to_the_file_of_an_agent_with_a_hyphen(tmp_path):
    name = ".claude-mpm/memories/data-engineer_agent.md"
    ctx = project(tmp_path, {name: "# D\n\n## Facts\n\n- Use uv\n"}, {})
    saved = cli(ctx, "remember", "Use ruff", "--runtime", "claude-mpm", "--agent", "data-engineer")
    assert (saved.code, "- Use ruff" in (ctx.cwd / name).read_text()) == (0, True)
