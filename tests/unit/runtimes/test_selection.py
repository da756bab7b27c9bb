"""Which runtime and agent a question is about, and the reason that is given."""

from __future__ import annotations

import pytest

from agent_memory import runtimes
from agent_memory.base.errors import UsageError
from agent_memory.base.model import (
    Role,
    Scope,
    Segment,
    Source,
)
from agent_memory.prompt.compose import compose
from agent_memory.runtimes.base import (
    Composition,
    Runtime,
    numbered,
    status_of,
)
from agent_memory.runtimes.selection import choose
from kit import project, with_settings, write

ENTRY = "entries/global/01HZX3KQ7M8N9P0R1S2T3V4W5X.md"


def chosen(ctx, runtime=None):
    choice = choose(ctx, runtime)[1]
    return choice.runtime.id, choice.runtime_reason


@pytest.mark.parametrize(
    ("files", "home", "expected"),
    [
        ({}, {}, ("deepagentsdk", "no memory file yet: the plan's agent.md")),
        ({".deepagents/agent.md": ""}, {}, ("deepagentsdk", "agent.md is in .deepagents")),
        ({"AGENTS.md": ""}, {}, ("deepagents-code", "AGENTS.md is in project")),
        (
            {"AGENTS.md": "", ".deepagents/agent.md": ""},
            {},
            ("deepagentsdk", "agent.md is in .deepagents"),
        ),
        (
            {".claude-mpm/memories/qa_agent.md": ""},
            {},
            ("claude-mpm", "memories is in .claude-mpm"),
        ),
        ({}, {".deepagents/agent/AGENTS.md": ""}, ("deepagents-code", "AGENTS.md is in agent")),
        ({ENTRY: ""}, {}, ("drover", "entries are in entries")),
        ({ENTRY: "", "AGENTS.md": ""}, {}, ("deepagents-code", "AGENTS.md is in project")),
    ],
)
def test_the_files_decide_where_nothing_is_installed(files, home, expected, tmp_path):
    assert chosen(project(tmp_path, files, home)) == expected


def test_what_is_installed_decides_before_the_files(tmp_path):
    ctx = project(tmp_path, {".deepagents/agent.md": ""}, {})
    packages = ctx.cwd / ".venv/lib/python3.11/site-packages"
    write(packages, {"deepagents-0.7.6.dist-info/METADATA": ""})
    assert chosen(ctx) == ("deepagents", "deepagents 0.7.6 is installed in project/.venv")
    write(packages, {"deepagents_code-0.1.57.dist-info/METADATA": ""})
    assert chosen(ctx)[0] == "deepagents-code"


def test_a_version_that_the_profile_does_not_fit_is_passed_over(tmp_path):
    ctx = project(tmp_path, {}, {})
    packages = ctx.cwd / ".venv/lib/python3.11/site-packages"
    write(packages, {"deepagents_cli-0.0.13.dist-info/METADATA": ""})
    assert chosen(ctx)[0] == "deepagentsdk"
    (packages / "deepagents_cli-0.0.13.dist-info").rename(packages / "x")
    write(packages, {"deepagents_cli-0.0.12.dist-info/METADATA": ""})
    assert chosen(ctx)[0] == "deepagents-cli"


def test_the_question_wins_over_the_setting_and_the_setting_over_all_else(tmp_path):
    ctx = with_settings(project(tmp_path, {"AGENTS.md": ""}, {}), runtime="drover")
    assert chosen(ctx) == ("drover", "the setting `runtime`")
    assert chosen(ctx, "deepagentsdk") == ("deepagentsdk", "asked for")
    assert chosen(ctx, "auto") == ("drover", "the setting `runtime`")


def test_an_unknown_runtime_lists_the_known_ones(tmp_path):
    with pytest.raises(UsageError) as error:
        choose(project(tmp_path, {}, {}), "deepagent-code")
    assert "Did you mean 'deepagents-code'?" in str(error.value)
    assert all(item.id in str(error.value) for item in runtimes.RUNTIMES)


@pytest.mark.parametrize("agent", ["../x", "a/b", "", ".hidden", "a" * 65, "a b"])
def test_an_agents_id_that_could_leave_the_folder_is_refused(agent, tmp_path):
    ctx = project(tmp_path, {}, {})
    asked = ctx.with_(agent=agent) if agent else with_settings(ctx, agent="/")
    with pytest.raises(UsageError, match="is not an agent id"):
        choose(asked, "deepagentsdk")


@pytest.mark.parametrize(
    ("home", "agent", "why"),
    [
        ({}, "agent", "the default"),
        ({".deepagents/writer/agent.md": ""}, "writer", "the only agent there is"),
        (
            {".deepagents/writer/agent.md": "", ".deepagents/qa/skills/x": ""},
            "agent",
            "the default; there are 2 agents",
        ),
        ({".deepagents/.state/x.json": ""}, "agent", "the default"),
    ],
)
def test_the_agent_and_why(home, agent, why, tmp_path):
    choice = choose(project(tmp_path, {}, home), "deepagentsdk")[1]
    assert (choice.agent, choice.agent_reason) == (agent, why)


class Seventh(Runtime):
    """All that a new runtime needs."""

    id = "seventh"
    title = "A seventh runtime"

    def root(self, ctx):
        return ctx.cwd

    def sources(self, ctx):
        path = ctx.cwd / "MEMORY.md"
        status, reason = status_of(ctx.store.read(path))
        return numbered([Source(path, Scope.PROJECT, Role.MEMORY, status, reason, str(path))])

    def compose(self, ctx, sources, base=""):
        text = ctx.store.read(sources[0].path).text
        return Composition((Segment("BEGIN\n"), Segment(text, "project", sources[0].path)))


def test_a_seventh_runtime_is_one_class_and_one_line(tmp_path, monkeypatch):
    monkeypatch.setitem(runtimes.BY_ID, "seventh", Seventh())
    ctx = project(tmp_path, {"MEMORY.md": "fact\n"}, {})
    prompt = compose(ctx, "seventh")
    assert prompt.text == "BEGIN\nfact\n"
    assert prompt.sources[0].order == 1
    assert prompt.choice.runtime.memory_path(ctx, Scope.PROJECT) == ctx.cwd / "MEMORY.md"
    assert prompt.choice.runtime.skills(ctx) == []
