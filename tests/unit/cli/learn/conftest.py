"""A project, and `agent-memory learn` called in it."""

from __future__ import annotations

import io

import pytest

from agent_memory.cli import main
from kit import write


@pytest.fixture
def root(tmp_path):
    return write(tmp_path / "shop", {"pyproject.toml": ""})


@pytest.fixture
def run(root, capsys, monkeypatch):
    def call(*args, stdin=""):
        monkeypatch.setattr("sys.stdin", io.StringIO(stdin))
        code = main(["learn", *args, "--cwd", str(root)])
        out = capsys.readouterr()
        return code, out.out, out.err

    return call
