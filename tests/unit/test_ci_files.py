"""The pre-commit hooks and the GitHub Action, as described in docs/ci.md."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from agent_memory.runtimes.classify import MEMORY_NAMES, PROJECT_FOLDERS
from kit import project

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
HOOKS = YAML(typ="safe").load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
MEMORIES = ".claude-mpm/memories"
ACTION = YAML(typ="safe").load((ROOT / "action.yml").read_text("utf-8"))


MEMORY = [
    "agent.md",
    "AGENTS.md",
    "AGENTS.override.md",
    "GEMINI.md",
    "pkg/CLAUDE.md",
    "pkg/CLAUDE.local.md",
    ".claude/rules/testing.md",
    ".claude/skills/web/SKILL.md",
    ".deepagents/agent.md",
    ".deepagents/notes.md",
    ".memory/global/01ARZ3NDEKTSV4RRFFQ69G5FAV.md",
    ".memory/agents/qa/01ARZ3NDEKTSV4RRFFQ69G5FAV.md",
    ".claude-mpm/memories/engineer_memories.md",
]
OTHERS = ["README.md", "docs/agents.md", "docs/agent.mdx", "src/agents.py", ".claude/settings.json"]


@pytest.mark.parametrize("hook", HOOKS, ids=lambda hook: hook["id"])
def test_hooks_match_memory_files(hook):
    assert [name for name in MEMORY if not re.search(hook["files"], name)] == []
    assert [name for name in OTHERS if re.search(hook["files"], name)] == []


@pytest.mark.parametrize("hook", HOOKS, ids=lambda hook: hook["id"])
def test_hooks_match_every_name_and_folder_that_a_runtime_knows(hook):
    known = [*MEMORY_NAMES, *(f"{folder}/a.md" for folder in (*PROJECT_FOLDERS, MEMORIES))]
    assert [name for name in known if not re.search(hook["files"], name)] == [".claude-mpm/a.md"]


def test_hooks_and_inputs_are_documented():
    page = (ROOT / "docs" / "ci.md").read_text("utf-8")
    assert all(f"`{hook['id']}`" in page or f"id: {hook['id']}\n" in page for hook in HOOKS)
    assert all(f"`{name}`" in page for name in (*ACTION["inputs"], *ACTION["outputs"]))


@pytest.fixture
def action(tmp_path):
    """Return a function that runs the action in a project and returns the process."""
    files = {"AGENTS.md": "- a\u200b\n", "my docs/AGENTS.md": "- b\u200b\n"}
    ctx = project(tmp_path, files, {})
    binary = tmp_path / "agent-memory" / "bin" / "agent-memory"
    binary.parent.mkdir(parents=True)
    binary.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m agent_memory "$@"\n')
    binary.chmod(0o755)

    def run(**inputs):
        env = {
            **os.environ,
            "PYTHONPATH": str(ROOT / "server"),
            "SOURCE": str(ROOT),
            "HOME": str(ctx.home),
            "RUNNER_TEMP": str(tmp_path),
            "GITHUB_OUTPUT": str(tmp_path / "outputs"),
            "GITHUB_STEP_SUMMARY": str(tmp_path / "summary"),
            "CHECK_FAIL_ON": "error",
            "CHECK_ARGS": "--runtime deepagents-code",
            "PATH": f"{tmp_path / 'tools'}{os.pathsep}{os.environ['PATH']}",
            **{f"CHECK_{name.upper()}": value for name, value in inputs.items()},
        }
        script = ACTION["runs"]["steps"][-1]["run"]
        command = ["bash", "-c", script]
        return subprocess.run(
            command, cwd=ctx.cwd, env=env, capture_output=True, text=True, check=False
        )

    return run


bash = pytest.mark.skipif(sys.platform == "win32", reason="the test's program is a shell script")


@bash
def test_action_does_not_execute_its_inputs(action, tmp_path):
    done = action(paths="AGENTS.md $(touch ran)")
    assert (done.returncode, "does not exist" in done.stderr) == (2, True)
    assert not (tmp_path / "project" / "ran").exists()


@bash
def test_action_annotates_each_path_of_a_line(action, tmp_path):
    done = action(paths="AGENTS.md\n  my docs\n\n", sarif="memory.sarif")
    assert done.returncode == 1, done.stderr
    places = re.findall("^::error file=(.+?),line=1,", done.stdout, re.MULTILINE)
    assert places == ["AGENTS.md", "my docs/AGENTS.md"]
    outputs = dict(line.split("=") for line in (tmp_path / "outputs").read_text().splitlines())
    assert (outputs["errors"], outputs["exit-code"]) == ("2", "1")
    assert outputs.keys() == set(ACTION["outputs"])
    assert "| my docs/AGENTS.md:1 | error |" in (tmp_path / "summary").read_text("utf-8")
    assert '"2.1.0"' in (tmp_path / "project" / "memory.sarif").read_text("utf-8")


@bash
def test_action_shows_and_posts_how_the_prompts_change(action, tmp_path):
    tools = tmp_path / "tools"
    tools.mkdir()
    (tools / "gh").write_text(
        '#!/bin/sh\necho "$@" > "$RUNNER_TEMP/posted"; cat >> "$RUNNER_TEMP/posted"\n'
    )
    (tools / "gh").chmod(0o755)
    place = tmp_path / "project"
    for path in (place / ".git/HEAD", place / ".git"):
        path.unlink() if path.is_file() else path.rmdir()
    git(place, "init", "-q")
    git(place, "add", "-A")
    git(place, "commit", "-qm", "x")
    (place / "AGENTS.md").write_text("- a\n- b\n")
    git(place, "commit", "-qam", "x")
    action(base="HEAD~1", comment="true", pull_request="7")
    posted = (tmp_path / "posted").read_text("utf-8")
    assert posted.startswith("pr comment 7 --body-file - --edit-last --create-if-none\n")
    assert "for Codex; 2 items added, 1 item removed</summary>" in posted
    assert "for Codex;" in (tmp_path / "summary").read_text("utf-8")


def git(place, *args):
    identity = ["-c", "user.name=Test", "-c", "user.email=test@example.invalid"]
    subprocess.run(["git", *identity, *args], cwd=place, check=True, capture_output=True)


@bash
def test_action_refuses_options_that_it_sets(action):
    done = action(args="--format=sarif")
    assert (done.returncode, done.stdout[:9]) == (2, "::error::")


def test_coverage_has_a_limit():
    makefile = (ROOT / "Makefile").read_text("utf-8")
    assert "branches.py $(RESULTS)/coverage.json 96" in makefile
    assert "--cov" in makefile
