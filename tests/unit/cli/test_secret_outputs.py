"""No command prints a planted secret, or a half of one, in any format."""

from __future__ import annotations

import hashlib
import json
from xml.etree import ElementTree as ET

import pytest

from agent_memory.cli import COMMANDS
from agent_memory.config.context import Context
from kit import cli
from planted import ULIDS, Planted, project

pytestmark = pytest.mark.slow

RUNTIMES = ("deepagents-code", "deepagentsdk", "claude-mpm", "drover", "auto")
FORMATS = ("text", "json", "jsonl", "sarif", "github", "junit")
PLACES_MIN = 80
CALLS = (
    *(f"check . --format {name}" for name in FORMATS),
    *(f"check --runtime {runtime} --format json" for runtime in RUNTIMES[:4]),
    "check . --fix --unsafe --diff",
    "check . --write-baseline",
    "completion bash",
    "check {missing}.md",
    "check --changed-since {revision}",
    "check --format {format}",
    "check --{option}",
    "{command}",
    *(f"prompt --runtime {runtime} --format json" for runtime in RUNTIMES[:4]),
    *(f"prompt --runtime {runtime} --origins" for runtime in RUNTIMES[:4]),
    "prompt --base {base}",
    "prompt --diff {revision}",
    "prompt --stdin-filename {missing}.md --origins",
    *(f"sources --runtime {runtime} --format json" for runtime in RUNTIMES[:4]),
    *(f"sources --runtime {runtime}" for runtime in (*RUNTIMES[:4], "{runtime_option}")),
    "sources --all",
    "sources --all --format json",
    "explain AGENTS.md",
    "explain AGENTS.md:1 --format json",
    "explain {missing}.md",
    "prompt --reading {missing}.md",
    "verify --runtime {runtime_option}",
    "verify --runtime {missing}",
    "verify --seconds {limit}",
    "loaded",
    "loaded --format json --runtime {runtime_option}",
    "loaded --setup",
    "skills",
    "skills --format json",
    "skills --agent {agent_option}/x",
    "remember {remembered}",
    "remember {remembered} --redact --dry-run",
    "remember fact --section {section} --dry-run",
    "remember fact --file {missing}.md --dry-run",
    "remember fact --scope {scope_option}",
    "remember ? --file ?",
    "remember ? --file ? --format json",
    "remember body --store .memory --scope global --summary {summary_option} --tag {tag_option}",
    "recall note --store .memory",
    "recall note --store .memory --format json",
    "recall {query} --store {store_option}",
    "recall x --store .memory --kind {kind_option}",
    "recall x --store .memory --limit {limit}",
    "init --runtime {runtime_option}",
    "move AGENTS.md:20 --scope user --dry-run",
    "move {missing}:3 --scope user",
    "move {location} --scope user",
    "split AGENTS.md --dry-run",
    "split AGENTS.md --section {section} --dry-run",
    "split {missing}.md",
    "migrate --to agent.md --dry-run",
    "learn view qa",
    "learn view qa --format json",
    "learn view {learn_agent}",
    "learn status",
    "learn status --format json",
    "learn extract output.txt --agent qa --dry-run",
    "learn extract {missing} --agent qa",
    "learn add qa {type_option} text",
    "learn add qa mistake {learned}",
    "learn clean --dry-run",
    "learn clean --dry-run --format json",
    "learn diff export.json",
    "learn diff broken.json",
    "learn import broken.json",
    "learn import export.json",
    "forget {id_option} --store .memory",
    "entries list --store .memory",
    "entries list --store .memory --format json",
    "entries list --store .memory --kind {kind_option}",
    "entries show {id_option} --store .memory",
    "entries promote {id_option} --to {scope_option} --store .memory",
    "entries move {id_option} --to {scope_option} --store .memory",
    "entries prune --store .memory --older {limit}",
    "entries {command}",
    f"forget {ULIDS[0]} --store .memory --format json",
    "rules {rule_option}",
    "mcp --settings {settings_option}",
    "mcp --cwd {missing}",
    "serve --{option}",
)
QUIET = ("rules", "mcp", "serve")
"""Commands that get no option for the project in their call."""


@pytest.fixture
def planted(tmp_path, monkeypatch) -> tuple[Planted, Context]:
    values, root, home = project(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.chdir(root)
    return values, Context(home, root, env={})


def test_the_project_has_a_value_in_80_places(planted):
    assert len(planted[0]) >= PLACES_MIN


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_is_called(command):
    assert any(call.split()[0] == command for call in CALLS)


@pytest.mark.parametrize("form", FORMATS[1:])
def test_masked_reports_are_valid(planted, form):
    values, ctx = planted
    out = cli(ctx, "check", ".", "--format", form).out
    if form == "junit":
        assert ET.fromstring(out).findall(".//testcase")
    elif form == "jsonl":
        assert all(map(json.loads, out.splitlines()))
    elif form != "github":
        assert json.loads(out)
    assert "ghp_\u2026(40)" in out
    hashes = {hashlib.sha256(values[place].encode()).hexdigest() for place in ("item", "named")}
    accepted = cli(ctx, "check", ".").out
    assert all(sha256 in accepted for sha256 in hashes)


@pytest.mark.parametrize("call", CALLS)
def test_a_command_prints_no_secret(planted, call):
    values, ctx = planted
    arguments = values.fill(call).split()
    try:
        done = cli(ctx, *arguments)
        output = done.out + done.err
    except (FileNotFoundError, OSError) as error:
        output = f"{type(error).__name__}"
    assert output.strip()
    assert values.leaks(output) == []
