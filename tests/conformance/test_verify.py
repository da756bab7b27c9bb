"""``agent-memory verify`` with the real programs, on a project as most people have it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace

import pytest

from conformance.agents import programs
from conformance.agents.trees import git
from effort import EFFORT
from kit import write

pytestmark = [pytest.mark.conformance, pytest.mark.slow]

FILES = {
    "AGENTS.md": "# Tides\n\n- Run `make check`.\n",
    "CLAUDE.md": "@AGENTS.md\n\n- Plan first. <!-- not sent -->\n\n<!-- dropped -->\n",
    "GEMINI.md": "@AGENTS.md\n",
    ".claude/rules/python.md": "---\npaths: '*.py'\n---\n- Type hints.\n",
    ".claude/skills/release/SKILL.md": "---\nname: release\ndescription: x\n---\nx\n",
    ".claude/settings.json": '{"hooks": {"SessionStart": [{"hooks": [{"type": "command", '
    '"command": "touch ~/hook; touch hook"}]}]}}',
    ".github/copilot-instructions.md": "- Copilot.\n",
    "src/tides.py": "pass\n",
    "web/AGENTS.md": "- Web.\n",
    "web/CLAUDE.md": "- Web, with Claude.\n",
}
HOME = {
    ".claude/CLAUDE.md": "- Answer briefly.\n",
    ".codex/AGENTS.md": "- Answer briefly.\n",
    ".codex/config.toml": 'model = "other"\nproject_doc_max_bytes = 30\n',
    ".gemini/GEMINI.md": "- Answer briefly.\n",
    ".config/opencode/AGENTS.md": "- Answer briefly.\n",
}
ALL = ("claude-code", "codex", "gemini-cli", "opencode", "copilot-cli")
OLDER = {"codex": "0.144.6", "claude-code": "2.1.243"}


def content(*folders):
    """Return all paths below ``folders`` with bytes and modification time."""
    return {
        path: (path.is_file() and path.read_bytes(), path.lstat().st_mtime_ns)
        for folder in folders
        for path in folder.rglob("*")
    }


@pytest.fixture
def place(tmp_path):
    root, home = write(tmp_path / "p", FILES), write(tmp_path / "home", HOME)
    git(root)
    return root, home


def run(agent, place, tmp_path, *options, env=()):
    """Run ``agent-memory`` with only this agent on PATH; its cache is outside of the home."""
    root, home = place
    cache = programs.FOLDER / "cache" if agent.command == "copilot" else tmp_path / "cache"
    variables = {
        "PATH": f"{agent.bin}{os.pathsep}{os.environ['PATH']}",
        "HOME": str(home),
        "XDG_CACHE_HOME": str(cache),
    }
    command = [sys.executable, "-m", "agent_memory", *options, "--format", "json"]
    done = subprocess.run(
        command,
        cwd=root / "web",
        env={**variables, **dict(env)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("agent_id", ALL if EFFORT == "all" else ALL[:2])
def test_the_preview_is_equal_and_nothing_is_written(agent_id, place, tmp_path):
    agent = programs.AGENTS[agent_id]
    assert not programs.install(agent)
    before = content(*place)
    result = run(agent, place, tmp_path, "verify", "--runtime", agent_id, "--seconds", "180")
    assert result["equal"], result
    assert result["recorded"]
    assert result["version"] == agent.version
    assert content(*place) == before


@pytest.mark.parametrize("agent_id", OLDER)
def test_a_version_that_was_not_compared_becomes_exact_or_differs(agent_id, place, tmp_path):
    agent = replace(programs.AGENTS[agent_id], version=OLDER[agent_id])
    assert not programs.install(agent)
    prompt = ("prompt", "--runtime", agent_id)
    assert run(agent, place, tmp_path, *prompt)["exactness"] != "exact"
    result = run(agent, place, tmp_path, "verify", "--runtime", agent_id, "--seconds", "180")
    after = run(agent, place, tmp_path, *prompt)["exactness"]
    assert (after == "exact") == result["equal"] == (result["difference"] is None)
    assert result["equal"] == (agent_id == "codex"), result


@pytest.mark.parametrize("agent_id", ALL if EFFORT == "all" else ALL[:2])
@pytest.mark.parametrize("files", [{}, {"AGENTS.md": "a\n"}, {"CLAUDE.md": "c\n"}])
def test_an_installed_agent_is_found_in_a_fresh_home(files, agent_id, tmp_path):
    agent = programs.AGENTS[agent_id]
    assert not programs.install(agent)
    root = write(tmp_path / "p", {"web/.keep": "", **files})
    git(root)
    home = write(tmp_path / "home", {".keep": ""})
    agent_only = {"PATH": str(agent.bin)}
    found = run(agent, (root, home), tmp_path, "prompt", env=agent_only)
    assert found["runtime"] == agent_id
    assert [*home.iterdir()] == [home / ".keep"]
