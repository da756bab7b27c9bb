"""A folder that a runtime does not accept as a project: the reason, and advice that works."""

from __future__ import annotations

import subprocess

import pytest

from agent_memory import runtimes
from agent_memory.base.model import Scope, Status
from agent_memory.config.context import Context
from agent_memory.lint.engine import check
from agent_memory.prompt.compose import compose
from agent_memory.remember.plan import Outcome
from agent_memory.remember.planner import apply, plan
from agent_memory.remember.snippet import Snippet
from kit import cli, write

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
    assert "plain is not in a git repository, so deepagentsdk finds no project" in filed.message
    assert "- Run the linter" in (ctx.cwd / ".deepagents" / "agent.md").read_text()


@pytest.fixture
def worktree(tmp_path):
    """Return the context of a real worktree with project memory in both generations."""
    main = write(tmp_path / "main", {"x": ""})
    git(main, "init", "-q")
    git(main, "commit", "-qm", "1", "--allow-empty")
    git(main, "worktree", "add", "-q", "../tree")
    files = {
        f".deepagents/{name}": "# Words\n\n- kept words\n" for name in ("agent.md", "AGENTS.md")
    }
    tree = write(tmp_path / "tree", {**files, "sub/x": ""})
    return Context(write(tmp_path / "home", {".keep": ""}), tree / "sub", env={})


def git(folder, *args):
    who = ("-c", "user.name=n", "-c", "user.email=e@localhost", "-c", "protocol.file.allow=always")
    subprocess.run(["git", "-C", str(folder), *who, *args], check=True)


def test_a_worktree_gets_the_true_reason_and_its_advice_works(worktree):
    tree = worktree.cwd.parent
    path = tree / ".deepagents" / "agent.md"
    (finding,) = [
        item for item in check(worktree, runtime_id="deepagentsdk").findings if item.code == "AM109"
    ]
    assert finding.path == path
    assert f"{tree / '.git'} is a file (worktree or submodule)" in finding.message
    assert "git init" not in finding.message
    assert finding.message.endswith(f"Set projectRoot to {tree}")
    assert "kept words" not in cli(worktree, "prompt", "--runtime", "deepagentsdk").out
    write(tree, {".deepagents/agent-memory.toml": 'projectRoot = "."\n'})
    assert "kept words" in cli(worktree, "prompt", "--runtime", "deepagentsdk").out
    assert "AM109" not in cli(worktree, "check", "--runtime", "deepagentsdk").out


@pytest.mark.parametrize("runtime_id", ["deepagents-code", "deepagents-cli", "deepagents"])
def test_a_worktree_is_a_project_for_the_python_runtimes(worktree, runtime_id):
    assert "kept words" in compose(worktree, runtime_id).text
    problems = compose(worktree, runtime_id).problems
    assert [item for item in problems if ".git" in item.message] == []


@pytest.mark.parametrize("runtime_id", ["deepagents-code", "deepagents"])
def test_a_worktree_with_a_broken_pointer_can_be_repaired(worktree, runtime_id, tmp_path):
    (tmp_path / "main").rename(tmp_path / "moved")
    prompt = compose(worktree, runtime_id)
    reason = next(item.reason for item in prompt.sources if item.status is Status.IGNORED)
    assert "does not point to a git folder" in reason
    assert "Repair it with `git worktree repair`" in reason
    assert [item.message for item in prompt.problems] == [reason]
    git(tmp_path / "moved", "worktree", "repair")
    assert "kept words" in compose(worktree, runtime_id).text


def test_a_submodule_is_said_to_be_part_of_the_outer_project(tmp_path):
    inner = write(tmp_path / "inner", {".deepagents/agent.md": "- inner words\n"})
    outer = write(tmp_path / "outer", {".deepagents/agent.md": "- outer words\n"})
    for folder in (inner, outer):
        git(folder, "init", "-q")
        git(folder, "add", ".")
        git(folder, "commit", "-qm", "1")
    git(outer, "submodule", "--quiet", "add", str(inner), "sub")
    ctx = Context(write(tmp_path / "home", {".keep": ""}), outer / "sub", env={})
    prompt = compose(ctx, "deepagentsdk")
    assert ("outer words" in prompt.text, "inner words" in prompt.text) == (True, False)
    (ignored,) = [item for item in prompt.sources if item.status is Status.IGNORED]
    assert ignored.path == outer / "sub" / ".deepagents" / "agent.md"
    assert f"so it uses {outer} as the project. Set projectRoot to" in ignored.reason
    saved = plan(ctx, Snippet("Run the linter"), Scope.PROJECT, runtime_id="deepagentsdk")
    assert saved.path == outer / ".deepagents" / "agent.md"
    assert f"so it uses {outer} as the project" in saved.message
