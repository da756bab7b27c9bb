"""The dependency that a project names decides between runtimes that read the same files."""

from __future__ import annotations

import json

import pytest

from agent_memory.runtimes.selection import choose
from agent_memory.runtimes.several import listed
from agents_kit import install_codex
from kit import project

MEMORY = {".deepagents/agent.md": "- one\n"}
CLI = ("deepagents-cli", "deepagents-cli is a dependency in pyproject.toml")
BY_FILE = ("deepagentsdk", ".deepagents/agent.md exists")


def chosen(ctx):
    choice = choose(ctx)[1]
    return choice.runtime.id, choice.runtime_reason


def python(table, value):
    return f"[{table}]\n{value}\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (python("project", 'dependencies = ["rich>=13", "deepagents-cli"]'), CLI),
        (python("project", 'dependencies = ["DeepAgents_CLI[all] >= 0.0.10 ; os_name"]'), CLI),
        (python("project.optional-dependencies", 'agent = ["deepagents-cli==0.0.12"]'), CLI),
        (python("dependency-groups", 'dev = [{include-group = "x"}, "deepagents-cli"]'), CLI),
        (python("tool.poetry.dependencies", 'deepagents-cli = "^0.0.11"'), CLI),
        (python("tool.poetry.group.dev.dependencies", 'deepagents-cli = {version = "*"}'), CLI),
        (python("project", 'dependencies = ["deepagents-cli>=0.0.13"]'), BY_FILE),
        (python("project", 'dependencies = ["deepagents-cli-extras"]'), BY_FILE),
        (python("project", 'dependencies = "deepagents-cli"'), BY_FILE),
        (python("project", "dependencies = [7, {}]"), BY_FILE),
        ("[project\n", BY_FILE),
        ("project = 3\n", BY_FILE),
    ],
)
def test_a_dependency_decides_between_runtimes_that_read_the_file(text, expected, tmp_path):
    assert chosen(project(tmp_path, {**MEMORY, "pyproject.toml": text}, {})) == expected


def test_a_requirements_file_counts(tmp_path):
    text = "# agents\n-r base.txt\ndeepagents-cli==0.0.11  # pinned\n"
    ctx = project(tmp_path, {**MEMORY, "requirements.txt": text}, {})
    assert chosen(ctx) == (CLI[0], "deepagents-cli is a dependency in requirements.txt")


@pytest.mark.parametrize("key", ["dependencies", "devDependencies"])
def test_a_dependency_of_a_node_package_counts(key, tmp_path):
    text = json.dumps({key: {"@drover/memory": "^1.0.0"}})
    ctx = project(tmp_path, {"AGENTS.md": "- one\n", "package.json": text}, {})
    assert chosen(ctx) == ("drover", "@drover/memory is a dependency in package.json")


@pytest.mark.parametrize("text", ["[]", "{", '{"dependencies": ["@drover/memory"]}'])
def test_a_broken_package_json_is_ignored(text, tmp_path):
    ctx = project(tmp_path, {"AGENTS.md": "- one\n", "package.json": text}, {})
    assert chosen(ctx)[0] == "deepagents-code"


def test_files_of_another_runtime_count_more_than_a_dependency(tmp_path):
    text = python("project", 'dependencies = ["deepagents-cli"]')
    ctx = project(tmp_path, {"AGENTS.md": "- one\n", "pyproject.toml": text}, {})
    assert chosen(ctx) == ("deepagents-code", "AGENTS.md exists")


def test_without_memory_the_dependency_decides(tmp_path):
    text = python("project", 'dependencies = ["claude-mpm"]')
    ctx = project(tmp_path, {"pyproject.toml": text}, {})
    assert chosen(ctx) == ("claude-mpm", "claude-mpm is a dependency in pyproject.toml")


@pytest.mark.parametrize("files", [{"AGENTS.md": "- one\n"}, {}])
def test_an_installed_agent_counts_more_than_a_dependency(files, tmp_path):
    text = python("project", 'dependencies = ["deepagents"]')
    ctx = project(tmp_path, {**files, "pyproject.toml": text}, {})
    assert chosen(install_codex(tmp_path, ctx))[0] == "codex"


def test_findings_are_judged_for_it(tmp_path):
    text = python("project", 'dependencies = ["deepagents-cli"]')
    ctx = project(tmp_path, {**MEMORY, "CLAUDE.md": "- x\n", "pyproject.toml": text}, {})
    assert listed(ctx).reasons == {CLI[0]: CLI[1], "claude-code": "CLAUDE.md exists"}
