from __future__ import annotations

import contextlib
import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from agent_memory.base.version import __version__
from agent_memory.cli import COMMANDS, main
from agent_memory.lint.rules import RULES
from kit import cli, project


@pytest.fixture
def ctx(tmp_path):
    return project(tmp_path, {}, {})


def run(ctx, *args):
    return cli(ctx, "rules", *args)


def test_rules_lists_every_rule(ctx):
    out = run(ctx).out
    assert [line.split()[0] for line in out.splitlines()] == [rule.code for rule in RULES]


def test_rules_as_json_has_all_fields(ctx):
    value = json.loads(run(ctx, "--format", "json").out)
    assert [item["code"] for item in value] == [rule.code for rule in RULES]
    keys = ["code", "name", "severity", "summary", "default", "roles", "since", "href"]
    assert all(list(item) == keys for item in value)
    assert len({item["name"] for item in value}) == len(value)


def test_single_rule_is_explained(ctx):
    assert run(ctx, "AM107").out.startswith("# ")
    (value,) = json.loads(run(ctx, "hidden-unicode", "--format", "json").out)
    assert value["code"] == "AM107"
    assert run(ctx, "AM999").code == 2


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help(ctx, name):
    done = cli(ctx, name, "--help")
    assert done.code == 0
    assert done.out.startswith(f"usage: agent-memory {name}")


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_documented(name):
    page = (Path(__file__).parents[3] / "docs" / "cli.md").read_text("utf-8")
    heads = [line for line in page.splitlines() if line.startswith("## ")]
    assert any(re.search(rf"\b{name}\b", head) for head in heads)


def test_overview_is_shown_without_a_command():
    for args, code in ((["--help"], 0), ([], 2)):
        done = bare(args)
        assert done.returncode == code
        assert all(f"  {name}" in done.stdout for name in COMMANDS)


def test_version_is_printed():
    assert bare(["--version"]).stdout == f"agent-memory {__version__}\n"


def test_unknown_command_is_refused():
    done = bare(["chek"])
    assert done.returncode == 2
    assert "unknown command 'chek'" in done.stderr


def test_interrupted_command_exits_with_130(ctx, monkeypatch):
    def interrupt(*_args, **_named):
        raise KeyboardInterrupt

    monkeypatch.setattr("agent_memory.cli.check.run_check.check", interrupt)
    assert cli(ctx, "check").code == 130


def bare(args):
    """Run the command line as a program, without a project."""
    path = os.pathsep.join(path for path in sys.path if path)
    return subprocess.run(
        [sys.executable, "-m", "agent_memory", *args],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": path},
        check=False,
    )


def test_redirected_streams_receive_the_output(ctx):
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
        assert main(["rules", "AM107"]) == 0
    assert out.getvalue().startswith("# ")
