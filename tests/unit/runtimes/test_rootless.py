"""A folder outside git: runtimes find no project there, and a reason says so."""

from __future__ import annotations

import pytest

from agent_memory import runtimes
from agent_memory.base.model import Scope, Status
from agent_memory.config.context import Context
from agent_memory.lint.engine import check
from agent_memory.prompt.compose import compose
from agent_memory.remember.plan import Outcome
from agent_memory.remember.planner import apply, plan
from agent_memory.remember.snippet import Snippet

NEED_GIT = ("deepagents-code", "deepagents-cli", "deepagents", "deepagentsdk")


@pytest.fixture
def ctx(tmp_path):
    (tmp_path / "home").mkdir()
    (tmp_path / "plain").mkdir()
    return Context(tmp_path / "home", tmp_path / "plain", env={})


@pytest.mark.parametrize("runtime_id", NEED_GIT)
def test_memory_outside_a_project_is_listed_but_not_in_the_prompt(ctx, runtime_id):
    path = ctx.cwd / runtimes.get(runtime_id).project_files[0]
    path.parent.mkdir()
    path.write_text("- lost words\n")
    prompt = compose(ctx, runtime_id)
    lost = [source for source in prompt.sources if source.path == path]
    assert [source.status for source in lost] == [Status.IGNORED]
    assert "git init" in lost[0].reason
    assert "lost words" not in prompt.text


def test_a_memory_file_outside_a_project_gets_a_finding(ctx):
    path = ctx.cwd / ".deepagents" / "agent.md"
    path.parent.mkdir()
    path.write_text("# Words\n\n- lost words\n")
    findings = check(ctx).findings
    assert [(item.code, item.path) for item in findings] == [("AM109", path)]
    assert "not in a git repository" in findings[0].message


def test_remembering_outside_a_project_asks_saves_and_reports(ctx):
    snippet = Snippet("Run the linter before a commit")
    asked = plan(ctx, snippet, Scope.PROJECT)
    assert asked.outcome is Outcome.CONSENT
    filed = apply(plan(ctx, snippet, Scope.PROJECT, create=True))
    assert "only after plain becomes a git repository" in filed.message
    assert "- Run the linter" in (ctx.cwd / ".deepagents" / "agent.md").read_text()
