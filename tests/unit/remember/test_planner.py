"""Applying a plan, also to a file that changed after planning."""

from __future__ import annotations

import pytest

from agent_memory.base.errors import UsageError
from agent_memory.remember import planner
from agent_memory.remember.plan import Outcome
from agent_memory.remember.snippet import Snippet
from remember_kit import MEMORY, PROJECT
from unit.secrets.generate import Maker


def test_change_after_planning_is_kept(ctx):
    plan = planner.plan(ctx, Snippet("new fact"), "project", section="Style")
    plan.path.write_text("# Project\n\n## Style\n\n- Spaces\n")
    planner.apply(plan)
    assert plan.path.read_text() == "# Project\n\n## Style\n\n- Spaces\n- new fact\n"


def test_item_added_meanwhile_is_not_added_twice(ctx):
    plan = planner.plan(ctx, Snippet("new fact"), "project")
    plan.path.write_text(MEMORY + "- New fact.\n")
    done = planner.apply(plan)
    assert done.outcome is Outcome.READY
    assert plan.path.read_text() == MEMORY + "- New fact.\n"


def test_block_opened_after_planning_is_refused(ctx):
    plan = planner.plan(ctx, Snippet("new fact"), "project")
    plan.path.write_text("# A\n\n```\nnever closed\n")
    with pytest.raises(UsageError, match=r"agent\.md changed: line 3 opens a code block"):
        planner.apply(plan)
    assert plan.path.read_text() == "# A\n\n```\nnever closed\n"


def test_only_ready_plans_are_applied(ctx):
    plan = planner.plan(ctx, Snippet(""), "project")
    with pytest.raises(UsageError, match="Nothing to save"):
        planner.apply(plan)


def test_other_hard_links_keep_the_old_text_and_the_result_says_so(ctx):
    (ctx.cwd / "copy.md").hardlink_to(ctx.cwd / PROJECT)
    done = planner.apply(planner.plan(ctx, Snippet("Use make"), "project"))
    assert done.notes == ("Other hard links of agent.md keep the old text. Use a symlink instead",)
    assert (ctx.cwd / "copy.md").read_text() == MEMORY


def test_a_secret_in_a_comment_is_redacted_too(ctx):
    value = Maker("comment").make("{an:12}")
    text = f'"""\nThe db password: {value}\n"""'
    snippet = Snippet(text, ctx.cwd / "a.py", 0, 2, "python", comment=f"The db password: {value}")
    assert planner.plan(ctx, snippet, "project").outcome is Outcome.SECRET
    plan = planner.plan(ctx, snippet, "project", redact=True)
    assert plan.outcome is Outcome.READY
    assert value not in repr((plan.edits, plan.creates, plan.item, plan.formatted))
