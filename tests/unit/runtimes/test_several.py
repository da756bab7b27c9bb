"""Which runtimes the list `auto` stands for, and the reasons."""

from __future__ import annotations

import pytest

from agent_memory.base.errors import UsageError
from agent_memory.runtimes.several import listed
from agents_kit import install_claude, install_codex
from kit import project, with_settings, write

ASSUMED = "No agent was found; assuming Codex and Claude Code."


def ids(ctx, runtime=None):
    return list(listed(ctx, runtime).reasons)


def test_installed_agents_are_listed_in_the_order_of_the_table(tmp_path):
    ctx = install_codex(tmp_path, project(tmp_path, {"GEMINI.md": "g"}, {}))
    ctx = install_claude(tmp_path, ctx)
    assert listed(ctx).reasons == {
        "claude-code": "claude 2.1.330 in PATH",
        "codex": "codex 0.169.0 in PATH",
    }


@pytest.mark.parametrize(
    ("files", "home", "expected"),
    [
        ({"AGENTS.md": ""}, {}, ["codex"]),
        ({"CLAUDE.md": ""}, {}, ["claude-code"]),
        (
            {"AGENTS.md": "", "CLAUDE.md": "", "GEMINI.md": ""},
            {},
            ["claude-code", "codex", "gemini-cli"],
        ),
        ({"opencode.json": "{}"}, {}, ["opencode"]),
        ({}, {".codex/AGENTS.md": ""}, ["codex"]),
        ({".deepagents/agent.md": ""}, {}, ["deepagentsdk"]),
        ({".deepagents/AGENTS.md": ""}, {}, ["deepagents-code"]),
        ({".claude-mpm/memories/qa_agent.md": ""}, {}, ["claude-mpm"]),
        ({"entries/global/01HZX3KQ7M8N9P0R1S2T3V4W5X.md": ""}, {}, ["drover"]),
    ],
)
def test_without_installed_agents_the_files_decide(files, home, expected, tmp_path):
    ctx = project(tmp_path, files, home)
    assert ids(ctx) == expected
    assert listed(ctx).note == ""


def test_with_nothing_found_two_agents_are_assumed(tmp_path):
    found = listed(project(tmp_path, {}, {}))
    assert list(found.reasons) == ["codex", "claude-code"]
    assert found.note == ASSUMED


def test_a_package_in_the_project_counts_as_installed(tmp_path):
    ctx = project(tmp_path, {"CLAUDE.md": ""}, {})
    packages = ctx.cwd / ".venv/lib/python3.11/site-packages"
    write(packages, {"deepagents_code-0.1.57.dist-info/METADATA": ""})
    assert ids(ctx) == ["deepagents-code"]


def test_the_setting_names_them_and_may_contain_auto(tmp_path):
    ctx = project(tmp_path, {"CLAUDE.md": ""}, {})
    assert ids(with_settings(ctx, runtimes=["opencode", "codex"])) == ["opencode", "codex"]
    assert ids(with_settings(ctx, runtimes=["opencode", "auto"])) == ["opencode", "claude-code"]


def test_a_chosen_runtime_replaces_the_guess_but_not_the_installed_ones(tmp_path):
    ctx = project(tmp_path, {"CLAUDE.md": ""}, {})
    assert ids(with_settings(ctx, runtime="gemini-cli")) == ["gemini-cli"]
    ctx = install_codex(tmp_path, ctx)
    assert ids(with_settings(ctx, runtime="gemini-cli")) == ["gemini-cli", "codex"]


def test_a_requested_runtime_is_the_only_one(tmp_path):
    ctx = project(tmp_path, {"CLAUDE.md": ""}, {})
    assert ids(ctx, "codex") == ["codex"]
    with pytest.raises(UsageError):
        listed(ctx, "codexx")
