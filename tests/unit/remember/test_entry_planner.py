"""Saving a text as a learned entry."""

from __future__ import annotations

import json

import pytest

from agent_memory import EntryTarget, Memory, UsageError
from agent_memory.entries.entry_file import EntryPlace, parse
from agent_memory.fs.overlay import Store
from agent_memory.remember import planner
from agent_memory.remember.plan import Outcome
from agent_memory.remember.snippet import Snippet
from kit import cli, project, write


@pytest.fixture
def ctx(tmp_path):
    return project(tmp_path, {".memory/global/.keep": ""}, {})


def planned(ctx, text, target=None, **options):
    return planner.plan(ctx, Snippet(text), target or EntryTarget(), **options)


def test_text_is_the_body_and_its_first_line_the_summary(ctx):
    plan = planned(ctx, "No deploys on Fridays\n\n**Why:** nobody is there.")
    ((path, text),) = plan.creates
    entry = parse(text, EntryPlace("global"))
    assert (entry.summary, entry.scope, entry.kind) == (
        "No deploys on Fridays",
        "global",
        "project",
    )
    assert entry.body == "No deploys on Fridays\n\n**Why:** nobody is there."
    assert not path.exists()
    planner.apply(plan)
    assert path.read_text() == text


def test_code_is_fenced_with_its_origin(ctx):
    snippet = Snippet("x = 1\n", ctx.cwd / "a.py", 4, 4, "python")
    plan = planner.plan(ctx, snippet, EntryTarget(summary="how x is set"))
    assert plan.item == "`a.py:5`\n\n```python\nx = 1\n```"


def test_scope_agent_and_tags_are_kept(ctx):
    target = EntryTarget("agent", "feedback", "s", ("ops",), agent="writer")
    done = planner.apply(planned(ctx, "b", target))
    entry = parse(done.path.read_text(), EntryPlace("agent", agent="writer"))
    assert done.path.parent == ctx.cwd / ".memory/agents/writer"
    assert (entry.agent, entry.tags, entry.kind) == ("writer", ("ops",), "feedback")


def test_same_entry_is_not_saved_twice(ctx):
    first = planner.apply(planned(ctx, "No deploys on Fridays"))
    again = planned(ctx, "no deploys on  Fridays")
    assert again.outcome is Outcome.DUPLICATE
    assert again.path == first.path
    assert planned(ctx, "No deploys on Fridays", allow_duplicate=True).outcome is Outcome.READY
    assert planned(ctx, "No deploys on Mondays").outcome is Outcome.READY


def test_replacing_an_entry_is_one_edit(ctx):
    first = planner.apply(planned(ctx, "Old body", EntryTarget(summary="s"))).entry
    plan = planned(ctx, "New body", EntryTarget(summary="s", id=first.id))
    (edit,) = plan.edits
    assert edit.text.endswith("---\n\nNew body\n")
    planner.apply(plan)
    assert plan.path.read_text() == edit.text
    moved = planned(ctx, "New body", EntryTarget("agent", summary="s", agent="w", id=first.id))
    assert (moved.edits, moved.creates) == ((), ())
    planner.apply(moved)
    assert not plan.path.exists()
    assert moved.path.exists()


def test_file_that_is_not_an_entry_is_not_overwritten(ctx):
    write(ctx.cwd, {".memory/global/01K5ZQ8V3M7Y2XB4T6N9C0DEFG.md": "not an entry"})
    plan = planned(ctx, "x", EntryTarget(id="01K5ZQ8V3M7Y2XB4T6N9C0DEFG"))
    assert (plan.outcome, plan.edits, plan.creates) == (Outcome.REFUSED, (), ())
    assert "is not the entry" in plan.message


def test_no_folder_is_created_without_consent(tmp_path):
    pyproject = "[tool.agent-memory]\ndrover.entries = 'learned'\n"
    ctx = project(tmp_path, {"pyproject.toml": pyproject}, {})
    memory = Memory(ctx.cwd, home=ctx.home)
    plan = memory.remember("A fact", entry=EntryTarget())
    assert plan.outcome is Outcome.CONSENT
    assert "learned" in plan.message
    assert not (ctx.cwd / "learned").exists()
    assert memory.remember("A fact", entry=EntryTarget(), create=True).path.exists()


def test_first_entry_of_a_project_needs_consent(tmp_path):
    ctx = project(tmp_path, {}, {})
    plan = planned(ctx, "x")
    assert plan.outcome is Outcome.CONSENT
    assert plan.folder == ctx.cwd / ".memory"
    assert Memory(ctx.cwd, home=ctx.home).recall("x") == []


def test_hidden_folder_is_neither_read_nor_created(tmp_path):
    ctx = project(tmp_path, {".memory/global/x": ""}, {})
    hidden = ctx.with_(store=Store(outside=lambda path: ".memory" in path.parts))
    with pytest.raises(UsageError, match="outside of what may be read"):
        planned(hidden, "x")


@pytest.mark.parametrize(
    ("target", "why"),
    [
        (EntryTarget(summary="x" * 201), "summary must be 1-200 chars"),
        (EntryTarget("agent"), "requires agentId"),
        (EntryTarget("agent", agent="../x"), "agentId must match"),
        (EntryTarget(kind="note"), "kind must be one of"),
    ],
)
def test_broken_limit_is_an_error(ctx, target, why):
    with pytest.raises(UsageError, match=why):
        planned(ctx, "b", target)


def test_command_line_reports_a_duplicate_entry(tmp_path, ctx):
    args = ("remember", "A fact", "--store", str(ctx.cwd / ".memory"), "--format", "json")
    first = json.loads(cli(ctx, *args).out)
    again = cli(ctx, *args)
    assert (again.code, json.loads(again.out)["outcome"]) == (1, "duplicate")
    assert json.loads(again.out)["path"] == first["path"]
    assert json.loads(cli(ctx, *args, "--anyway").out)["id"] != first["id"]
    dry = cli(ctx, *args[:2], "--dry-run", *args[2:4], "--anyway")
    assert dry.out.endswith("A fact\nDry run: nothing was written\n")
    assert len(list((ctx.cwd / ".memory/global").glob("*.md"))) == 2


def test_entries_folder_of_the_project_needs_no_store(ctx):
    args = ("remember", "A fact", "--scope", "agent", "--agent", "w", "--kind", "feedback")
    assert cli(ctx, *args).out.startswith("saved agent/feedback memory '")
    assert len(list((ctx.cwd / ".memory/agents/w").glob("*.md"))) == 1
    assert "requires agentId" in cli(ctx, *args[:4]).err
    assert cli(ctx, "remember").err.startswith("agent-memory remember: TEXT is missing")
