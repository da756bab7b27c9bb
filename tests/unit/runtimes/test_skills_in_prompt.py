"""Skills in the composed prompt: which are listed, with which text, and their origin."""

from __future__ import annotations

import json

import pytest

from agent_memory.prompt.compose import compose
from agent_memory.runtimes import agents_md, deepagents_code
from agent_memory.runtimes.templates import digest
from kit import project, with_settings, write

SKILL = "---\nname: {0}\ndescription: Does {0}.\n{1}---\n\nSteps.\n"
MORE = "license: MIT\ncompatibility: Linux\nallowed-tools: read_file shell\n"


def skills_of(prompt):
    return [part for part in prompt.segments if part.kind == "skills" and part.path]


@pytest.mark.parametrize(
    ("folder", "label"),
    [
        ("skills", "Skills"),
        (".deepagents/skills", "Deepagents"),
        ("my-team/skills", "My Team"),
        ("lib/built_in_skills", "Built-in"),
        ("helpers", "Helpers"),
    ],
)
def test_the_sdk_lists_a_folder_by_the_label_of_its_path(tmp_path, folder, label):
    files = {f"{folder}/web/SKILL.md": SKILL.format("web", MORE), f"{folder}/bad/SKILL.md": "x"}
    ctx = with_settings(project(tmp_path, files, {}), skill_folders=[folder], sources=["a.md"])
    prompt = compose(ctx, "deepagents")
    assert f"**{label} Skills**: `{folder}` (higher priority)" in prompt.text
    (entry,) = skills_of(prompt)
    path = ctx.cwd / folder / "web" / "SKILL.md"
    assert (entry.path, entry.label) == (path, "web")
    assert entry.text == "- **web**: Does web. (License: MIT, Compatibility: Linux)"
    assert f"\n  -> Allowed tools: read_file, shell\n  -> Read `{path}`" in prompt.text


def test_the_sdk_reports_missing_skills_and_folders(tmp_path):
    files = {"here/x": "", "file": "no folder"}
    folders = ["here", "gone", "file"]
    ctx = with_settings(project(tmp_path, files, {}), skill_folders=folders, sources=["a.md"])
    text = compose(ctx, "deepagents").text
    assert "(No skills available yet. You can create skills in here or gone or file)" in text
    assert text.count("path_not_found") == 1
    assert text.count("not_a_directory") == 1


def test_deepagents_cli_lists_the_users_then_the_projects(tmp_path):
    ctx = project(
        tmp_path,
        {".deepagents/skills/web/SKILL.md": SKILL.format("web", "")},
        {".deepagents/agent/skills/own/SKILL.md": SKILL.format("own", "")},
    )
    prompt = compose(ctx, "deepagents-cli")
    assert [entry.label for entry in skills_of(prompt)] == ["own", "web"]
    assert prompt.text.index("**User Skills:**") < prompt.text.index("**Project Skills:**")


def test_deepagents_cli_says_where_skills_can_be_created(tmp_path):
    text = compose(project(tmp_path, {}, {}), "deepagents-cli").text
    assert "(No skills available yet. You can create skills in " in text


@pytest.mark.parametrize(
    ("state", "expected"),
    [
        ({"enabledPlugins": {"b": True, "a": True, "c": False}}, "enabled plugins: a, b"),
        ({"enabledPlugins": {"a": False}}, None),
        ({"enabledPlugins": 3}, None),
        ({}, None),
        ("not json", None),
    ],
)
def test_enabled_plugins_are_reported(tmp_path, state, expected):
    ctx = project(tmp_path, {}, {})
    text = state if isinstance(state, str) else json.dumps(state)
    write(ctx.home, {".deepagents/.state/plugin_state.json": text})
    problems = [item.message for item in compose(ctx, "deepagents-code").problems]
    assert [expected in message for message in problems] == ([True] if expected else [])


def test_deepagents_cli_names_no_group_without_skills(tmp_path):
    ctx = project(tmp_path, {".deepagents/skills/web/SKILL.md": SKILL.format("web", "")}, {})
    text = compose(ctx, "deepagents-cli").text
    assert "**Project Skills:**" in text
    assert "**User Skills:**" not in text


MEMORY_TEMPLATE = "<agent_memory>\n{agent_memory}\n</agent_memory>\n"
SKILLS_TEMPLATE = "{skills_locations}{skills_load_warnings}\n{skills_list}\n"
SKILLS_SOURCE = f"""
SKILLS_SYSTEM_PROMPT = {SKILLS_TEMPLATE!r}
def _format_skills_load_warnings(errors):
    lines = ["", "<their heading>"]
"""


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """Return a function that creates an installation whose templates count as compared."""
    versions = ("0.0.1", "9.9.9")
    for owner, name, text in (
        (deepagents_code, "_SAVING", MEMORY_TEMPLATE),
        (agents_md, "_SKILLS", SKILLS_TEMPLATE),
    ):
        wanted = getattr(owner, name)._replace(known={digest(text): versions})
        monkeypatch.setattr(owner, name, wanted)

    def make(version, state=""):
        site = "project/.venv/lib/python3.11/site-packages"
        write(
            tmp_path,
            {
                f"{site}/deepagents-0.7.6.dist-info/METADATA": "Name: deepagents\nVersion: 0.7.6\n",
                f"{site}/deepagents_code-{version}.dist-info/METADATA": (
                    f"Name: deepagents-code\nVersion: {version}\n"
                ),
                f"{site}/deepagents/middleware/memory.py": (
                    f"MEMORY_SYSTEM_PROMPT = {MEMORY_TEMPLATE!r}\n"
                ),
                f"{site}/deepagents/middleware/skills.py": SKILLS_SOURCE,
                f"{site}/deepagents_code/built_in_skills/plan/SKILL.md": SKILL.format("plan", ""),
                "home/.claude/skills/mine/SKILL.md": SKILL.format("mine", ""),
                **({"home/.deepagents/.state/plugin_state.json": state} if state else {}),
            },
        )
        return project(tmp_path, {"AGENTS.md": "- a\n"}, {})

    return make


def test_a_compared_installed_runtime_gives_its_own_wording(installed):
    prompt = compose(installed("0.1.57"))
    assert prompt.choice.runtime.id == "deepagents-code"
    assert (prompt.exactness, prompt.version) == ("exact", "0.1.57")
    assert [entry.label for entry in skills_of(prompt)] == ["plan", "mine"]
    assert "<their heading>" in prompt.text


def test_another_version_of_the_runtime_is_not_exact(installed):
    prompt = compose(installed("0.2.0"))
    assert prompt.exactness == "unverified"
    assert "was not compared with deepagents-code 0.2.0 in project/.venv" in prompt.origin


def test_with_plugins_the_prompt_is_not_exact(installed):
    state = '{"enabledPlugins": {"one@market": true}}'
    prompt = compose(installed("0.1.57", state))
    assert prompt.exactness == "unverified"
    assert "without the skills of plugins" in prompt.origin
