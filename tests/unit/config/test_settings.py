from __future__ import annotations

import dataclasses
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_memory.config.settings import KEYS, PROJECT_FILE, Settings
from agent_memory.config.settings_files import load_project, load_user
from agent_memory.config.settings_merge import SettingProblem, merge
from agent_memory.fs.reader import Failure, FileText
from agent_memory.lint.known_names import KNOWN_NAMES
from kit import write

scalars = st.sampled_from([None, True, 0, -1, 1.5, "", "auto", "off", "../x"])
json = scalars | st.lists(scalars, max_size=2) | st.dictionaries(st.sampled_from("ab"), scalars)


def test_every_setting_has_a_key_and_a_description():
    settings = [item for item in dataclasses.fields(Settings) if item.name != "folders"]
    assert sorted(KEYS.values()) == sorted(item.name for item in settings)
    assert all(len(item.metadata["doc"]) > 20 for item in settings)


@given(st.dictionaries(st.sampled_from([*KEYS, "budget", "else"]), json))
def test_no_value_raises(values):
    settings, problems = merge(Settings(), values, "editor", KNOWN_NAMES)
    for item in dataclasses.fields(Settings):
        assert type(getattr(settings, item.name)) is type(getattr(Settings(), item.name))
    assert all(problem.where == "editor" and problem.message for problem in problems)


def test_nested_tables_and_dotted_keys_mean_the_same():
    nested, _ = merge(Settings(), {"budget": {"tokens": 7, "fileBytes": 8}}, "x", KNOWN_NAMES)
    dotted, _ = merge(Settings(), {"budget.tokens": 7, "budget.fileBytes": 8}, "x", KNOWN_NAMES)
    assert nested == dotted
    assert (nested.budget_tokens, nested.file_bytes) == (7, 8)


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("runtim", "auto", "unknown setting. Did you mean 'runtime'?"),
        ("zzzzzz", 1, "unknown setting. Known: runtime, runtimes, agent"),
        ("runtime", 3, "expected text, got a whole number; the value is ignored"),
        ("runtime", "deepagent", "unknown runtime 'deepagent'. Did you mean 'deepagents"),
        ("runtime", "zzzzzz", "unknown runtime 'zzzzzz'. Known: auto, "),
        ("agent", date(2026, 1, 1), "expected text, got a value of type date; the value is"),
        ("agent", "../x", "'../x' is not an agent id"),
        ("autoSave", "yes", "expected true or false, got text; the value is ignored"),
        ("budget.tokens", True, "expected a whole number, got true or false"),
        ("budget.tokens", 1.5, "expected a whole number, got a number with a fraction"),
        ("budget.tokens", -1, "must be at least 0, got -1; the value is ignored"),
        ("sources", [1], "every item must be a string; the value is ignored"),
        (
            "writeFolders",
            ["~/a", "~bob/notes"],
            "'~bob/notes' must be an absolute path; the value is ignored",
        ),
        ("rules", [], "expected a table, got a list; the value is ignored"),
    ],
)
def test_an_invalid_value_is_reported_and_the_default_applies(key, value, message):
    settings, problems = merge(Settings(), {key: value}, "here", KNOWN_NAMES)
    assert settings == Settings()
    (problem,) = problems
    assert str(problem).startswith(f"here: {key}: {message}")


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("AM1O7", "off", "unknown rule 'AM1O7'. Did you mean 'AM107'?"),
        ("am107", "off", "unknown rule 'am107'. Did you mean 'AM107'?"),
        (
            "hidden_unicode",
            "off",
            "unknown rule 'hidden_unicode'. Did you mean 'hidden-unicode'?",
        ),
        ("qqqqqq", "off", "unknown rule 'qqqqqq'. `agent-memory rules` lists all rules"),
        ("AM107", "warn", "must be one of error, warning, info, off"),
        ("AM107", {}, "must be one of error, warning, info, off"),
    ],
)
def test_an_invalid_rule_is_reported_and_the_others_apply(key, value, message):
    settings, problems = merge(
        Settings(), {"rules": {key: value, "shadowed": "off"}}, "here", KNOWN_NAMES
    )
    assert settings.rules == {"shadowed": "off"}
    (problem,) = problems
    assert problem.key == f"rules.{key}"
    assert problem.message.startswith(message)


def test_rules_of_two_files_are_combined():
    base, _ = merge(
        Settings(), {"rules": {"AM107": "info", "shadowed": "off"}}, "editor", KNOWN_NAMES
    )
    both, problems = merge(base, {"rules": {"AM107": "error"}}, "file", KNOWN_NAMES)
    assert both.rules == {"AM107": "error", "shadowed": "off"}
    assert problems == []


def test_null_means_not_set():
    assert merge(Settings(budget_tokens=5), {"budget.tokens": None}, "x", KNOWN_NAMES) == (
        Settings(budget_tokens=5),
        [],
    )


def test_agent_memory_toml_overrides_pyproject(tmp_path):
    write(
        tmp_path,
        {
            "pyproject.toml": "[tool.agent-memory]\nagent = 'one'\nbudget.tokens = 1\n",
            ".deepagents/agent-memory.toml": "budget.tokens = 2\n[rules]\nAM107 = 'off'\n",
        },
    )
    settings, problems = load_project(tmp_path, Settings(budget_tokens=9), KNOWN_NAMES)
    assert problems == []
    assert (settings.agent, settings.budget_tokens) == ("one", 2)
    assert settings.rules == {"AM107": "off"}


def test_the_projects_settings_override_the_users(tmp_path):
    write(
        tmp_path,
        {
            "home/.deepagents/agent-memory.toml": "agent = 'me'\nbudget.tokens = 1\n",
            "ws/.deepagents/agent-memory.toml": "budget.tokens = 2\n",
        },
    )
    own, problems = load_user(tmp_path / "home", Settings(), KNOWN_NAMES)
    settings, more = load_project(tmp_path / "ws", own, KNOWN_NAMES)
    assert (settings.agent, settings.budget_tokens) == ("me", 2)
    assert problems + more == []


def test_accepted_secrets_of_all_files_are_combined():
    base, _ = merge(Settings(), {"secrets.allowed": ["a", "b"]}, "user", KNOWN_NAMES)
    both, _ = merge(base, {"secrets": {"allowed": ["b", "c"]}}, "project", KNOWN_NAMES)
    assert both.allowed_secrets == ["a", "b", "c"]


def test_settings_are_read_from_the_editors_buffer(tmp_path):
    name = tmp_path / PROJECT_FILE
    shown = {name: FileText(name, "agent = 'shown'\n")}

    def read(path):
        return shown.get(path) or FileText(path, failure=Failure.MISSING)

    assert load_project(tmp_path, Settings(), KNOWN_NAMES, read)[0].agent == "shown"


def test_settings_are_found_at_the_project_root_and_not_above_it(tmp_path):
    write(
        tmp_path,
        {
            ".deepagents/agent-memory.toml": "agent = 'outside'\n",
            "project/.git/HEAD": "",
            "project/.deepagents/agent-memory.toml": "agent = 'root'\n",
            "project/pkg/pyproject.toml": "[project]\nname = 'x'\n",
            "project/pkg/deep/a": "",
            "project/own/.deepagents/agent-memory.toml": "agent = 'own'\n",
            "bare/a": "",
        },
    )

    def agent(folder: str) -> str:
        return load_project(tmp_path / folder, Settings(), KNOWN_NAMES)[0].agent

    assert agent("project") == "root"
    assert agent("project/pkg/deep") == "root"
    assert agent("project/own") == "own"
    assert agent("bare") == "auto"
    assert agent(".") == "outside"


@pytest.mark.parametrize(
    ("raw", "message"),
    [(b"agent = ", "cannot be read"), (b"\xff", "cannot be read"), (b"agent = 3", "expected text")],
)
def test_an_invalid_agent_memory_toml_is_reported_with_its_path(tmp_path, raw, message):
    write(tmp_path, {".deepagents/agent-memory.toml": raw})
    settings, problems = load_project(tmp_path, Settings(), KNOWN_NAMES)
    assert settings == Settings()
    (problem,) = problems
    assert problem.where == str(tmp_path / ".deepagents" / "agent-memory.toml")
    assert message in problem.message


@pytest.mark.parametrize(
    "raw", [b"= broken", b"tool = 3", b"[tool]\nagent-memory = 3\n", b"[tool.other]\nx = 1\n"]
)
def test_a_pyproject_without_our_table_is_ignored(tmp_path, raw):
    write(tmp_path, {"pyproject.toml": raw})
    assert load_project(tmp_path, Settings(), KNOWN_NAMES) == (Settings(), [])


def test_a_problem_is_one_line():
    assert (
        str(SettingProblem("a.toml", "rules.x", "unknown rule")) == "a.toml: rules.x: unknown rule"
    )
