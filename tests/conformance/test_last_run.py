"""``agent-memory loaded`` with the hook in a real Claude Code."""

from __future__ import annotations

import json
import os
import shlex
import sys
import time

import pytest

from agent_memory.config.context import Context
from agent_memory.verify import mock_model
from agent_memory.verify.last_run import last_run
from conformance.agents import programs
from kit import write

pytestmark = pytest.mark.conformance
AGENT = "claude-code"
WAIT_SECONDS = 8
FILES = {
    ".git/HEAD": "ref: refs/heads/main\n",
    "CLAUDE.md": "root @x.md\n",
    "x.md": "imported\n",
    "CLAUDE.local.md": "private\n",
    ".claude/rules/always.md": "always\n",
    ".claude/rules/python.md": "---\npaths: '*.py'\n---\ntypes\n",
    "sub/CLAUDE.md": "below\n",
}


def slowly(body):
    """Answer when the hooks have had time: they end with Claude Code."""
    time.sleep(WAIT_SECONDS)
    return mock_model.anthropic(body)


def test_the_files_of_a_real_run_are_those_of_the_preview(tmp_path, monkeypatch):
    agent = programs.AGENTS[AGENT]
    failed = programs.install(agent)
    assert not failed
    cache = tmp_path / "cache"
    variables = {
        "XDG_CACHE_HOME": str(cache),
        "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
    }
    command = [sys.executable, "-m", "agent_memory", "loaded", "--hook"]
    line = shlex.join(["env", *(f"{name}={value}" for name, value in variables.items()), *command])
    hooks = {"InstructionsLoaded": [{"hooks": [{"type": "command", "command": line}]}]}
    settings = {
        ".claude/settings.json": json.dumps({"hooks": hooks}),
        ".claude/CLAUDE.md": "mine\n",
    }
    root, home = write(tmp_path / "w", FILES), write(tmp_path / "home", settings)
    monkeypatch.setitem(mock_model.SERVICES, "/messages", slowly)
    with mock_model.MockModel() as model:
        programs.sent(agent, model.port, model.requests, home, root)
    found = last_run(Context(home, root, env={"XDG_CACHE_HOME": str(cache)}))
    assert found is not None
    assert (found.not_loaded, found.not_shown) == ((), ())
    reasons = {item.path.name: item.reason for item in found.files}
    assert reasons == {
        "CLAUDE.md": "session_start",
        "CLAUDE.local.md": "session_start",
        "always.md": "session_start",
        "x.md": "include",
    }
