"""Which runtime and agent are chosen, and the reason."""

from __future__ import annotations

import pytest

from agent_memory import runtimes
from agent_memory.base.errors import UsageError
from agent_memory.runtimes.selection import choose
from agents_kit import install_claude, install_codex, install_gemini, install_opencode
from agents_more import install_copilot
from kit import project, with_settings, write

ENTRY = "entries/global/01HZX3KQ7M8N9P0R1S2T3V4W5X.md"


def chosen(ctx, runtime=None):
    choice = choose(ctx, runtime)[1]
    return choice.runtime.id, choice.runtime_reason


@pytest.mark.parametrize(
    ("files", "home", "expected"),
    [
        ({}, {}, ("deepagentsdk", "the default, because no memory file exists yet")),
        ({".deepagents/agent.md": ""}, {}, ("deepagentsdk", ".deepagents/agent.md exists")),
        ({"AGENTS.md": ""}, {}, ("deepagents-code", "AGENTS.md exists")),
        (
            {"AGENTS.md": "", ".deepagents/agent.md": ""},
            {},
            ("deepagentsdk", ".deepagents/agent.md exists"),
        ),
        (
            {".claude-mpm/memories/qa_agent.md": ""},
            {},
            ("claude-mpm", ".claude-mpm/memories exists"),
        ),
        (
            {},
            {".deepagents/agent/AGENTS.md": ""},
            ("deepagents-code", "~/.deepagents/agent/AGENTS.md exists"),
        ),
        ({ENTRY: ""}, {}, ("drover", "entries contains entries")),
        ({ENTRY: "", "AGENTS.md": ""}, {}, ("deepagents-code", "AGENTS.md exists")),
    ],
)
def test_files_decide_if_nothing_is_installed(files, home, expected, tmp_path):
    assert chosen(project(tmp_path, files, home)) == expected


def test_the_user_memory_of_the_agent_in_the_settings_decides(tmp_path):
    ctx = project(tmp_path, {}, {".deepagents/reviewer/AGENTS.md": ""})
    ctx = with_settings(ctx, agent="reviewer")
    assert chosen(ctx) == ("deepagents-code", "~/.deepagents/reviewer/AGENTS.md exists")


def test_an_installed_package_takes_precedence_over_files(tmp_path):
    ctx = project(tmp_path, {".deepagents/agent.md": ""}, {})
    packages = ctx.cwd / ".venv/lib/python3.11/site-packages"
    write(packages, {"deepagents-0.7.6.dist-info/METADATA": ""})
    assert chosen(ctx) == ("deepagents", "deepagents 0.7.6 is installed in project/.venv")
    write(packages, {"deepagents_code-0.1.57.dist-info/METADATA": ""})
    assert chosen(ctx)[0] == "deepagents-code"


def test_a_version_outside_the_profile_is_skipped(tmp_path):
    ctx = project(tmp_path, {}, {})
    packages = ctx.cwd / ".venv/lib/python3.11/site-packages"
    write(packages, {"deepagents_cli-0.0.13.dist-info/METADATA": ""})
    assert chosen(ctx)[0] == "deepagentsdk"
    (packages / "deepagents_cli-0.0.13.dist-info").rename(packages / "x")
    write(packages, {"deepagents_cli-0.0.12.dist-info/METADATA": ""})
    assert chosen(ctx)[0] == "deepagents-cli"


def test_the_request_overrides_the_setting_and_the_setting_overrides_detection(tmp_path):
    ctx = with_settings(project(tmp_path, {"AGENTS.md": ""}, {}), runtime="drover")
    assert chosen(ctx) == ("drover", "the setting `runtime`")
    assert chosen(ctx, "deepagentsdk") == ("deepagentsdk", "requested")
    assert chosen(ctx, "auto") == ("drover", "the setting `runtime`")


def test_an_unknown_runtime_lists_the_known_ones(tmp_path):
    with pytest.raises(UsageError) as error:
        choose(project(tmp_path, {}, {}), "deepagent-code")
    assert "Did you mean 'deepagents-code'?" in str(error.value)
    assert all(item.id in str(error.value) for item in runtimes.RUNTIMES)


@pytest.mark.parametrize("agent", ["../x", "a/b", "", ".hidden", "a" * 65, "a b"])
def test_an_agent_id_that_could_leave_the_folder_is_rejected(agent, tmp_path):
    ctx = project(tmp_path, {}, {})
    requested = ctx.with_(agent=agent) if agent else with_settings(ctx, agent="/")
    with pytest.raises(UsageError, match="is not an agent id"):
        choose(requested, "deepagentsdk")


@pytest.mark.parametrize(
    ("home", "agent", "why"),
    [
        ({}, "agent", "the default"),
        ({".deepagents/writer/agent.md": ""}, "writer", "the only agent"),
        (
            {".deepagents/writer/agent.md": "", ".deepagents/qa/skills/x": ""},
            "agent",
            "the default; 2 agents exist",
        ),
        ({".deepagents/.state/x.json": ""}, "agent", "the default"),
    ],
)
def test_the_agent_and_the_reason(home, agent, why, tmp_path):
    choice = choose(project(tmp_path, {}, home), "deepagentsdk")[1]
    assert (choice.agent, choice.agent_reason) == (agent, why)


@pytest.mark.parametrize(
    ("install", "expected", "reason"),
    [
        (install_claude, "claude-code", "claude 2.1.330 in PATH is installed"),
        (install_codex, "codex", "AGENTS.md exists"),
        (install_gemini, "gemini-cli", "gemini 0.61.0 in PATH is installed"),
        (install_opencode, "opencode", "AGENTS.md exists"),
        (install_copilot, "copilot-cli", "copilot 1.0.102 in PATH is installed"),
    ],
)
def test_an_installed_agent_is_chosen_where_no_file_names_another(
    install, expected, reason, tmp_path
):
    ctx = install(tmp_path, project(tmp_path, {"AGENTS.md": "a"}, {}))
    assert chosen(ctx) == (expected, reason)
    (ctx.cwd / "AGENTS.md").unlink()
    assert chosen(ctx)[0] == expected
    write(ctx.cwd, {".deepagents/AGENTS.md": "d"})
    assert chosen(ctx) == ("deepagents-code", ".deepagents/AGENTS.md exists")


def test_the_first_of_the_listed_runtimes_is_chosen(tmp_path):
    ctx = project(tmp_path, {"AGENTS.md": "a"}, {})
    listed = with_settings(ctx, runtimes=["opencode", "codex"])
    assert chosen(listed) == ("opencode", "the first of the setting `runtimes`")
    assert chosen(with_settings(ctx, runtimes=["opencode", "auto"]))[0] == "deepagents-code"
