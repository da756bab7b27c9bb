"""Checks before an item is saved: secrets, consent, limits, refusals."""

from __future__ import annotations

import pytest

from agent_memory.base.errors import UsageError
from agent_memory.remember import planner
from agent_memory.remember.plan import Outcome
from agent_memory.remember.snippet import Snippet
from kit import github_token, project, with_settings
from remember_kit import save


def test_secret_is_refused_and_not_repeated(ctx):
    token = github_token()
    plan = planner.plan(ctx, Snippet(f"use {token} for the api"), "project")
    assert plan.outcome is Outcome.SECRET
    assert len(plan.secrets) == 1
    assert token not in repr(plan)


def test_secret_can_be_redacted(ctx):
    token = github_token()
    plan = planner.plan(ctx, Snippet(f"use {token} for the api"), "project", redact=True)
    assert plan.outcome is Outcome.READY
    planner.apply(plan)
    assert token not in plan.path.read_text()
    assert "for the api" in plan.path.read_text()


def test_secret_in_the_heading_is_refused(ctx):
    section = f"Key {github_token()}"
    plan = planner.plan(ctx, Snippet("Use tabs"), "project", section=section)
    assert plan.outcome is Outcome.SECRET
    assert section not in repr(plan)
    text = save(ctx, "Use tabs at last", section=section, redact=True)
    assert "## Key $" in text
    assert section not in text


def test_new_project_folder_needs_consent(tmp_path):
    ctx = project(tmp_path, {}, {})
    plan = planner.plan(ctx, Snippet("x y z"), "project")
    assert plan.outcome is Outcome.CONSENT
    assert plan.creates == ()
    assert plan.folder == ctx.cwd / ".deepagents"
    assert plan.message == "Create the .deepagents folder in this project?"
    plan = planner.plan(ctx, Snippet("x y z"), "project", create=True)
    planner.apply(plan)
    assert plan.path.read_text() == "# Project memory\n\n- x y z\n"


def test_new_user_folder_needs_no_consent(tmp_path):
    ctx = project(tmp_path, {}, {})
    plan = planner.plan(ctx, Snippet("x y z"), "user")
    planner.apply(plan)
    assert (ctx.home / ".deepagents/agent/agent.md").read_text() == "# User memory\n\n- x y z\n"


@pytest.mark.parametrize("text", ["", "  \n\t\n"])
def test_empty_text_is_refused(ctx, text):
    assert planner.plan(ctx, Snippet(text), "project").outcome is Outcome.REFUSED


def test_unreadable_target_is_refused(tmp_path):
    ctx = project(tmp_path, {".deepagents/agent.md": b"\xff"}, {})
    plan = planner.plan(ctx, Snippet("b"), "project")
    assert plan.outcome is Outcome.REFUSED
    assert "undecodable" in plan.message


def test_size_over_the_users_limit_is_noted(ctx):
    plan = planner.plan(with_settings(ctx, file_bytes=20), Snippet("b"), "project")
    assert "more than your limit of 20" in plan.message


def test_unknown_scope_is_refused(ctx):
    with pytest.raises(UsageError, match="use user or project"):
        planner.plan(ctx, Snippet("b"), "global")


def test_runtime_without_user_memory_is_refused(ctx):
    with pytest.raises(UsageError, match=r"Claude MPM has no user memory here"):
        planner.plan(ctx, Snippet("x y z"), "user", runtime_id="claude-mpm")


def test_memory_that_is_switched_off_is_named(tmp_path):
    ctx = project(tmp_path, {".claude-mpm/config.yml": "memory:\n  enabled: false\n"}, {})
    with pytest.raises(UsageError, match=r"no project memory here: memory\.enabled is false"):
        planner.plan(ctx, Snippet("x y z"), "project", runtime_id="claude-mpm")


def test_an_agent_saves_to_its_own_file_in_another_spelling(tmp_path):
    files = {f".claude-mpm/memories/{name}_agent.md": "# T\n" for name in ("a-b", "c-d", "c_d")}
    ctx = project(tmp_path, files, {})

    def outcome(agent, target):
        mine = ctx.with_(agent=agent)
        plan = planner.plan(mine, Snippet("x y z"), target, runtime_id="claude-mpm", by_agent=True)
        return plan.outcome

    folder = ctx.cwd / ".claude-mpm" / "memories"
    assert outcome("a_b", "project") is Outcome.READY
    assert outcome("a_b", folder / "a-b_agent.md") is Outcome.READY
    assert outcome("c_d", folder / "c-d_agent.md") is Outcome.REFUSED
    (folder / "a-b_agent.md").unlink()
    (folder / "a-b_agent.md").symlink_to("c-d_agent.md")
    assert outcome("a_b", "project") is Outcome.REFUSED


def test_root_file_is_used_if_the_runtime_reads_it(tmp_path):
    ctx = project(tmp_path, {"agent.md": "- a\n"}, {})
    assert planner.plan(ctx, Snippet("b"), "project").path == ctx.cwd / "agent.md"


def test_folder_in_the_home_needs_no_consent_for_the_project(tmp_path):
    ctx = project(tmp_path, {}, {})
    plan = planner.plan(ctx, Snippet("Short answers"), "user", runtime_id="claude-code")
    assert plan.outcome is Outcome.READY
    assert planner.apply(plan).path.is_relative_to(ctx.home)
