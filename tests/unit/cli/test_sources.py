from __future__ import annotations

import json

import pytest

from agent_memory.runtimes import RUNTIMES
from kit import cli, project

SKILL = "---\nname: {0}\ndescription: does {0}\n---\n\nSteps.\n"


@pytest.fixture
def ctx(tmp_path):
    skills = ".deepagents/skills"
    return project(
        tmp_path,
        {
            ".deepagents/AGENTS.md": "- project\n",
            "AGENTS.md": "",
            f"{skills}/web/SKILL.md": SKILL.format("web"),
            f"{skills}/bad/SKILL.md": "no front matter\n",
        },
        {".deepagents/agent/AGENTS.md": "- mine\n"},
    )


def test_sources_shows_the_choice_and_a_reason_per_file(ctx):
    done = cli(ctx, "sources", "--runtime", "deepagents-code")
    lines = done.out.splitlines()
    assert lines[0] == "runtime deepagents-code (requested)"
    assert lines[1].startswith("agent   agent (")
    assert any(line.startswith(" 1. loaded     user ") for line in lines)
    assert any(line.startswith(" 2. loaded     project ") for line in lines)
    empty = next(number for number, line in enumerate(lines) if line.startswith("  - empty"))
    assert lines[empty + 1].strip()


def test_sources_as_json(ctx):
    value = json.loads(cli(ctx, "sources", "--runtime", "deepagents-code", "--format", "json").out)
    assert (value["runtime"], value["runtimeReason"]) == ("deepagents-code", "requested")
    loaded = [item for item in value["sources"] if item["status"] == "loaded"]
    assert [item["scope"] for item in loaded] == ["user", "project"]
    assert all(item["bytes"] and item["tokens"] for item in loaded)


def test_question_mark_lists_the_runtimes(ctx):
    out = cli(ctx, "sources", "--runtime", "?").out
    assert [line.split()[0] for line in out.splitlines()] == [item.id for item in RUNTIMES]


def test_unknown_runtime_is_refused_with_a_suggestion(ctx):
    done = cli(ctx, "sources", "--runtime", "deepagent-code")
    assert done.code == 2
    assert "Did you mean 'deepagents-code'?" in done.err


def test_skills_are_listed_with_reasons_for_the_others(ctx):
    out = cli(ctx, "skills", "--runtime", "deepagents-code").out
    assert "  1. web" in out
    assert "  -  bad" in out
    assert out.splitlines()[-1] == "1 listed, 1 not"


def test_skills_as_json_has_the_reasons(ctx):
    value = json.loads(cli(ctx, "skills", "--runtime", "deepagents-code", "--format", "json").out)
    found = {item["name"]: item for item in value["skills"]}
    assert (found["web"]["status"], found["web"]["description"]) == ("listed", "does web")
    assert found["bad"]["reason"]


def test_skill_name_that_differs_from_its_folder_is_a_warning(tmp_path):
    files = {".deepagents/skills/web/SKILL.md": SKILL.format("net")}
    out = cli(project(tmp_path, files, {}), "skills", "--runtime", "deepagents-code").out
    assert "     warning: the name is 'net', but the folder is 'web'" in out
