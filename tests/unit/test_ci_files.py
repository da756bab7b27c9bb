"""The pre-commit hooks and the GitHub Action, as described in docs/ci.md."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from agent_memory.runtimes.classify import role_of
from kit import project

ROOT = Path(__file__).parents[2]
HOOKS = YAML(typ="safe").load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
ACTION = YAML(typ="safe").load((ROOT / "action.yml").read_text("utf-8"))


@pytest.mark.parametrize("hook", HOOKS, ids=lambda hook: hook["id"])
@pytest.mark.parametrize(
    "name",
    [
        "agent.md",
        "AGENTS.md",
        "pkg/CLAUDE.md",
        "docs/agents.md",
        ".deepagents/agent.md",
        ".deepagents/notes.md",
        ".deepagents/skills/web/SKILL.md",
        ".claude-mpm/memories/engineer_memories.md",
        "README.md",
        "docs/agent.mdx",
        "src/agents.py",
    ],
)
def test_hooks_match_only_memory_files(hook, name):
    assert bool(re.search(hook["files"], name)) == (role_of(Path("/x") / name) is not None)


def test_hooks_and_inputs_are_documented():
    page = (ROOT / "docs" / "ci.md").read_text("utf-8")
    assert all(f"`{hook['id']}`" in page or f"id: {hook['id']}\n" in page for hook in HOOKS)
    assert all(f"`{name}`" in page for name in ACTION["inputs"] if name != "python-version")


@pytest.mark.skipif(sys.platform == "win32", reason="the action's shell is bash")
def test_action_annotates_and_does_not_execute_its_inputs(tmp_path):
    ctx = project(tmp_path, {"AGENTS.md": "- a\u200b\n"}, {})
    binary = tmp_path / "agent-memory" / "bin" / "agent-memory"
    binary.parent.mkdir(parents=True)
    binary.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m agent_memory "$@"\n')
    binary.chmod(0o755)
    env = {
        **os.environ,
        "PYTHONPATH": str(ROOT / "server"),
        "HOME": str(ctx.home),
        "RUNNER_TEMP": str(tmp_path),
        "CHECK_PATHS": "AGENTS.md $(touch ran)",
        "CHECK_FAIL_ON": "error",
        "CHECK_ARGS": "--runtime deepagents-code",
    }
    script = ACTION["runs"]["steps"][-1]["run"]
    done = subprocess.run(
        ["bash", "-c", script], cwd=ctx.cwd, env=env, capture_output=True, text=True, check=False
    )
    assert not (ctx.cwd / "ran").exists()
    assert done.returncode == 2, "the second word is not a file"
    env["CHECK_PATHS"] = "AGENTS.md"
    done = subprocess.run(
        ["bash", "-c", script], cwd=ctx.cwd, env=env, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1, done.stderr
    assert done.stdout.startswith("::error file=AGENTS.md,line=1,")


def test_coverage_has_a_limit():
    makefile = (ROOT / "Makefile").read_text("utf-8")
    assert "branches.py $(RESULTS)/coverage.json 95" in makefile
    assert "--cov" in makefile
