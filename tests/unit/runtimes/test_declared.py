"""The dependency that a project names decides between runtimes that read the same files."""

from __future__ import annotations

import json
import time

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


SDK = ("deepagents", "deepagents is a dependency in pyproject.toml")
UV = 'version = 1\n\n[[package]]\nname = "{0}"\nversion = "{1}"\nsource = {{ virtual = "." }}\n\n'
POETRY = '[[package]]\ncategory = "main"\nname = "{0}"\npython-versions = "*"\nversion = "{1}"\n'
CONFLICT = UV.replace(
    'version = "{1}"', '<<<<<<< a\nversion = "{1}"\n=======\nversion = "1"\n>>>>>>> b'
)


def with_lock(tmp_path, requirement, lock, memory=MEMORY, name="uv.lock"):
    text = python("project", f'dependencies = ["{requirement}"]')
    return project(tmp_path, {**memory, "pyproject.toml": text, name: lock}, {})


@pytest.mark.parametrize(
    ("requirement", "lock", "expected"),
    [
        ("deepagents-cli>=0.0.10", UV.format("deepagents-cli", "0.0.12"), CLI),
        ("deepagents-cli>=0.0.10", UV.format("deepagents-cli", "0.0.14"), BY_FILE),
        ("deepagents-cli", UV.format("deepagents-cli", "0.0.14"), BY_FILE),
        ("DeepAgents_CLI<1", UV.format("deepagents-cli", "0.0.12"), CLI),
        ("deepagents-cli<1", UV.format("deepagents-cli", "0.0.12").replace("\n", "\r\n"), CLI),
        ("deepagents-cli<1", UV.format("rich", "9") + UV.format("deepagents-cli", "0.0.12"), CLI),
        # Only another package of the lock requires it.
        ("rich", UV.format("deepagents-cli", "0.0.12"), BY_FILE),
        # What does not name one version leaves the written one.
        ("deepagents-cli>=0.0.10", UV.format("rich", "0.0.14"), CLI),
        ("deepagents-cli>=0.0.10", CONFLICT.format("deepagents-cli", "0.0.14"), CLI),
        ("deepagents-cli>=0.0.10", "[[package]]\nname = 'deepagents-cli", CLI),
        ("deepagents-cli>=0.0.10", '[[package]]\nname = "deepagents-cli"\nversion = 14\n', CLI),
        (
            "deepagents-cli>=0.0.10",
            UV.format("deepagents-cli", "0.0.13") + UV.format("deepagents-cli", "0.0.14"),
            CLI,
        ),
    ],
)
def test_the_locked_version_counts(requirement, lock, expected, tmp_path):
    assert chosen(with_lock(tmp_path, requirement, lock)) == expected


@pytest.mark.parametrize(
    ("version", "expected"), [("0.5.0", SDK), ("0.3.1", ("deepagents-code", "AGENTS.md exists"))]
)
def test_the_version_in_poetry_lock_counts(version, expected, tmp_path):
    lock = POETRY.format("deepagents", version)
    ctx = with_lock(tmp_path, "deepagents>=0.2", lock, {"AGENTS.md": "- one\n"}, "poetry.lock")
    assert chosen(ctx) == expected


def test_a_lock_file_does_not_change_what_requirements_txt_says(tmp_path):
    files = {"requirements.txt": "deepagents-cli==0.0.11\n", "pyproject.toml": ""}
    lock = UV.format("deepagents-cli", "0.0.14")
    ctx = project(tmp_path, {**MEMORY, **files, "uv.lock": lock}, {})
    assert chosen(ctx)[0] == CLI[0]


@pytest.mark.parametrize(("requirement", "reads"), [("rich", 0), ("deepagents-cli", 1)])
def test_a_lock_file_is_read_only_for_a_declared_runtime(requirement, reads, tmp_path, monkeypatch):
    ctx = with_lock(tmp_path, requirement, UV.format("deepagents-cli", "0.0.12"))
    found = []
    read = ctx.store.read
    monkeypatch.setattr(ctx.store, "read", lambda path: found.append(path.name) or read(path))
    choose(ctx)
    assert found.count("uv.lock") == reads


def test_a_large_lock_file_is_searched_fast(tmp_path):
    other = UV.format("package", "1") + '[package.files]\nx = "' + "a" * 2000 + '"\n\n'
    lock = other * 2000 + UV.format("deepagents-cli", "0.0.14")
    ctx = with_lock(tmp_path, "deepagents-cli", lock)
    start = time.process_time()
    assert chosen(ctx) == BY_FILE
    assert time.process_time() - start < 0.5  # seconds; a TOML parser needs more for 4 MB
